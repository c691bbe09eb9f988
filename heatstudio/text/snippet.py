"""Snippets: texts with placeholders, which completion inserts."""

import re

from msgspec import Struct

_PLACE = re.compile(r"\\(.)|\$(\d+)|\$\{(\d+)(?::((?:[^}\\]|\\.)*))?\}", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


class Field(Struct, frozen=True):
    """A tab stop: a range of code points in the snippet's plain text."""

    number: int
    start: int
    end: int


class Snippet(Struct, frozen=True):
    """A plain text and its tab stops in order; the last one is the final cursor position."""

    text: str
    fields: tuple[Field, ...]


def parse_snippet(source: str) -> Snippet:
    """Parse `${1:name}`, `${1}`, `$1` and `$0`; a backslash escapes the next character.

    Every text is valid: text outside placeholders is literal. Without `$0`, the last tab stop is the end of the text.
    """
    pieces: list[str] = []
    fields: list[Field] = []
    length = at = 0
    for match in _PLACE.finditer(source):
        literal = source[at : match.start()] + (match[1] or "")
        pieces.append(literal)
        length += len(literal)
        at = match.end()
        if match[1] is None:
            content = _ESCAPED.sub(r"\1", match[4] or "")
            pieces.append(content)
            fields.append(Field(int(match[2] or match[3]), length, length + len(content)))
            length += len(content)
    pieces.append(source[at:])
    text = "".join(pieces)
    ordered = sorted(fields, key=lambda field: (field.number or 1 << 30, field.start))
    if not any(field.number == 0 for field in fields):
        ordered.append(Field(0, len(text), len(text)))
    return Snippet(text, tuple(ordered))


def indent_snippet(source: str, indent: str) -> str:
    """Indent every line except the first line and empty lines."""
    return re.sub(r"\n(?!\n)", "\n" + indent, source)
