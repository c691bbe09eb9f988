"""The state at the end of a YAML line, as the one integer that Qt stores for it."""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

_INDENT_BITS = 12
_DEPTH_BITS = 8
_MOST_INDENT = (1 << _INDENT_BITS) - 1
_MOST_DEPTH = (1 << _DEPTH_BITS) - 1


class Construct(IntEnum):
    """The construct that is open at the end of a line."""

    NONE = 0
    SINGLE = 1
    DOUBLE = 2
    BLOCK = 3
    PLAIN = 4


class Expected(IntEnum):
    """The names expected next: none, one, or several."""

    NOTHING = 0
    FIRST_NAME = 1
    NAMES = 2


class LineState(NamedTuple):
    """The state at the start of the next line.

    `indent` is the minimum indentation of a block scalar's lines (of its first line until `is_settled`), or else the
    column of the key or dash of the open value. `depth` is the number of open flow brackets.
    """

    kind: Construct = Construct.NONE
    indent: int = 0
    depth: int = 0
    expected: Expected = Expected.NOTHING
    is_settled: bool = False

    def is_script(self, line: str, column: int | None = None) -> bool:
        """Return whether the next line is text of a block scalar; an empty line is as deep as `column`, if given."""
        depth = len(line) - len(line.lstrip(" ")) if line.strip() else column
        return self.kind is Construct.BLOCK and (depth is None or depth >= self.indent)

    def is_text(self, line: str, column: int | None = None) -> bool:
        """Return whether the next line starts inside a block scalar or a quoted string."""
        return self.kind in (Construct.SINGLE, Construct.DOUBLE) or self.is_script(line, column)

    def encode(self) -> int:
        """Return the state as a non-negative integer of 26 bits."""
        indent = max(0, min(self.indent, _MOST_INDENT))
        depth = min(self.depth, _MOST_DEPTH)
        return self.kind | self.expected << 3 | self.is_settled << 5 | indent << 6 | depth << 6 + _INDENT_BITS

    @classmethod
    def decode(cls, state: int) -> LineState:
        """Return the state of an integer; negative ones, which Qt uses before the first line, are `INITIAL`."""
        return _decode(state) if state > 0 else INITIAL


INITIAL = LineState()


@lru_cache(maxsize=4096)
def _decode(state: int) -> LineState:
    return LineState(
        Construct(state & 7),
        state >> 6 & _MOST_INDENT,
        state >> 6 + _INDENT_BITS & _MOST_DEPTH,
        Expected(state >> 3 & 3),
        bool(state >> 5 & 1),
    )
