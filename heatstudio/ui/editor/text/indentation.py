"""Indentation and comments of YAML lines: pure functions on text."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import dropwhile
from typing import Final

from heatstudio.text.line_state import INITIAL, Construct, LineState
from heatstudio.text.yaml_lexer import TokenRole, lex_line

STEP: Final = 2
"""Spaces per level, as in all of Heat's own templates."""

_KEYS: Final = (TokenRole.SECTION, TokenRole.KEY, TokenRole.FUNCTION)
_NO_CODE: Final = (TokenRole.COMMENT, TokenRole.JINJA)


def indent_of(line: str) -> int:
    """Return the number of blanks at the start of a line; a tab counts as one."""
    return len(line) - len(line.lstrip(" \t"))


def indent_after(before: str, state: LineState = INITIAL) -> int:
    """Return the indentation of a new line after the text `before`; `state` is the one at the start of its line."""
    indent = indent_of(before)
    if indent == len(before) or state.is_text(before):
        return indent
    runs, end = lex_line(before, state.encode())
    after = LineState.decode(end)
    words = [(run, before[run.start]) for run in runs if run.role not in _NO_CODE]
    content = list(dropwhile(lambda word: word[0].role is TokenRole.PUNCTUATION and word[1] == "-", words))
    if not content:
        return indent
    (first, _), (last, sign) = content[0], content[-1]
    if after.kind is Construct.BLOCK:
        return first.start if first.role not in _KEYS and words[0] != content[0] else first.start + STEP
    opens = (sign == ":" and last.role is TokenRole.PUNCTUATION) or (sign == "&" and last.role is TokenRole.ANCHOR)
    if opens or after.depth > state.depth:
        return first.start + STEP
    return first.start if first.role in _KEYS else indent


def indented(lines: Sequence[str]) -> list[str]:
    """Return lines one level deeper; empty ones stay empty."""
    return [" " * (STEP - indent_of(line) % STEP) + line if line.strip() else line for line in lines]


def unindented(lines: Sequence[str]) -> list[str]:
    """Return lines one level less deep, as far as they are indented."""
    return [line[(indent_of(line) - 1) % STEP + 1 :] if indent_of(line) else line for line in lines]


def comment_toggled(lines: Sequence[str]) -> list[str]:
    """Return lines as comments, or uncommented if all of them are comments already."""
    written = [line for line in lines if line.strip()]
    if not written:
        return list(lines)
    if all(line.lstrip().startswith("#") for line in written):
        return [re.sub(r"^(\s*)# ?", r"\1", line) for line in lines]
    column = min(map(indent_of, written))
    return [f"{line[:column]}# {line[column:]}" if line.strip() else line for line in lines]


LineAt = Callable[[int], str | None]
"""A function that returns the text of a line, or None behind the last one."""


def fold_end(line_at: LineAt, line: int) -> int | None:
    """Return the last line of the fold below a line, or None if no deeper line follows.

    Empty lines and comments never end a fold. A list may start in the column of its key.
    """
    return max(_lines_below(line_at, line), default=None)


def can_fold(line_at: LineAt, line: int) -> bool:
    """Return whether a deeper line follows a line."""
    return next(_lines_below(line_at, line), None) is not None


def _lines_below(line_at: LineAt, line: int) -> Iterator[int]:
    """Yield the deeper lines below a line, without empty lines and comments."""
    header = line_at(line)
    if header is None or not header.strip() or header.lstrip().startswith("#"):
        return
    indent = indent_of(header)
    takes_dashes = header.rstrip().endswith(":") and not header.lstrip().startswith("- ")
    while (text := line_at(line := line + 1)) is not None:
        content = text.strip()
        if not content or content.startswith("#"):
            continue
        depth = indent_of(text)
        if depth < indent or (depth == indent and not (takes_dashes and content.startswith("-"))):
            return
        yield line
