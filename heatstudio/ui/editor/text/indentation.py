"""Indentation and comments of YAML lines: pure functions on text."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

STEP: Final = 2
"""Spaces per level, as in all of Heat's own templates."""

_DASHES = re.compile(r"(?:- +)*(?:-$)?")
_OPENS_MAPPING = re.compile(r"(?:[^#]*[^#\s])?:$|:$")
_BLOCK_HEADER = re.compile(r"(?:^|:\s+|-\s+|\s)[|>](?:[1-9][+-]?|[+-][1-9]?)?$")
_FLOW = re.compile(r"(?:^|[:-]\s+)([\[{].*)")
_QUOTED = re.compile(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"?")
_COMMENT_BEHIND = re.compile(r"(?:^|\s)#.*$")


def indent_of(line: str) -> int:
    """Return the number of blanks at the start of a line; a tab counts as one."""
    return len(line) - len(line.lstrip(" \t"))


def indent_after(before: str, *, is_text: bool = False) -> int:
    """Return the indentation of a new line after the text `before`.

    `is_text` means that `before` is in a block scalar, whose lines have no YAML structure.
    """
    indent = indent_of(before)
    if is_text:
        return indent
    content = _COMMENT_BEHIND.sub("", before).rstrip()
    if not content:
        return len(before) if not before.strip() else indent
    dashes = _DASHES.match(content, indent)
    column = dashes.end() if dashes else indent
    if column >= len(content):
        return indent
    if column > indent and _BLOCK_HEADER.match(content[column:]):
        return column
    if _BLOCK_HEADER.search(content, column) or _OPENS_MAPPING.match(content, column) or _is_open(content[column:]):
        return column + STEP
    is_pair = re.search(r":\s", content[column:]) is not None
    return column if is_pair else indent


def _is_open(content: str) -> bool:
    """Return whether a flow list or mapping continues in the next line."""
    flow = _FLOW.search(_QUOTED.sub("", content))
    return flow is not None and sum((one in "[{") - (one in "]}") for one in flow[1]) > 0


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
