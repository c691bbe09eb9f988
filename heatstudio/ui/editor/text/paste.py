"""Adjust the indentation of pasted lines: pure functions on text."""

import re
from collections.abc import Sequence

from heatstudio.ui.editor.text.indentation import STEP, indent_after

_ENTRY = r"""(?:- |(?:[\w$.:/*<-]+|"[^"]*"|'[^']*') *:(?: |$))"""
_LEADING = r"^[ \t]*\t[ \t]*"


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
