"""Indentation and comments of YAML lines, also of pasted ones: pure functions on text."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import dropwhile
from typing import Final

from heatstudio.text.yaml_lexer import INITIAL, Construct, LineState, TokenRole, lex_line

STEP: Final = 2
"""Spaces per level, as in all of Heat's own templates."""
_KEYS: Final = (TokenRole.SECTION, TokenRole.KEY, TokenRole.FUNCTION)
_NO_CODE: Final = (TokenRole.COMMENT, TokenRole.JINJA)
_ENTRY = r"""(?:- |(?:[\w$.:/*<-]+|"[^"]*"|'[^']*') *:(?: |$))"""
_LEADING = r"^[ \t]*\t[ \t]*"


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


def lines_below(lines: Iterable[str]) -> Iterator[int]:
    """Yield the distances of the deeper lines below the first of several lines, without empty lines and comments.

    Empty lines and comments never end a fold. A list may start in the column of its key.
    """
    below = iter(lines)
    header = next(below, "")
    if not header.strip() or header.lstrip().startswith("#"):
        return
    indent = indent_of(header)
    takes_dashes = header.rstrip().endswith(":") and not header.lstrip().startswith("- ")
    for distance, text in enumerate(below, 1):
        content = text.strip()
        if not content or content.startswith("#"):
            continue
        depth = indent_of(text)
        if depth < indent or (depth == indent and not (takes_dashes and content.startswith("-"))):
            return
        yield distance


def fitted(pasted: str, before: str, after: str, *, is_text: bool = False) -> str | None:
    """Return pasted lines indented to fit behind `before`; None if they fit already or are not lines of a map or list.

    `after` is the text behind them in the last line. In a block scalar (`is_text`), any lines are indented.
    """
    column = len(before)
    if "\n" not in pasted or (before.strip() and not re.fullmatch(r" *(?:- +)+", before)):
        return None
    lines = pasted.split("\n")
    if not is_text:
        lines = [re.sub(_LEADING, lambda found: found[0].replace("\t", " " * STEP), line) for line in lines]
    base = _base(lines, is_text=is_text)
    if base is None or (not before and _depth(lines[0])):  # whole lines at the start of a line keep their depth
        return None if base is None or "\n".join(lines) == pasted else "\n".join(lines)
    if not before and 0 < base <= STEP:  # ambiguous: a wider indentation, or a first line without its own
        base = 0
    first, *rest = lines
    moved = [first.lstrip(" "), *(_moved(line, column - base) for line in rest)]
    if not lines[-1] and after.strip():
        moved[-1] = " " * column
    result = "\n".join(moved)
    return None if result == pasted else result


def _depth(line: str) -> int:
    """Return the number of spaces at the start of a line; a tab counts as content."""
    return len(line) - len(line.lstrip(" "))


def _moved(line: str, by: int) -> str:
    return " " * (_depth(line) + by) + line.lstrip(" ") if line.strip() else ""


def _step(lines: Sequence[str], outermost: int) -> int:
    """Return the indentation step of lines; the default step if they have only one level."""
    deeper = next((depth for line in lines if (depth := _depth(line)) > outermost), outermost + STEP)
    return deeper - outermost


def _base(lines: Sequence[str], *, is_text: bool) -> int | None:
    """Return the original depth of the first line, which may be copied without its blanks; None if it is unclear."""
    first, rest = lines[0], [line for line in lines[1:] if line.strip()]
    depth = _depth(first)
    least = min(map(_depth, rest), default=depth)
    if is_text:
        return min(depth, least)
    if not re.match(_ENTRY, first.lstrip(" ")):
        return None
    if depth or not least:
        return depth if least >= depth else None
    below = _depth(rest[0])
    if first.startswith("- ") or indent_after(first):
        return max(below - _step(rest, below), 0) if least == below else least
    return least if least == below else None
