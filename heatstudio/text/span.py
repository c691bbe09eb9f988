"""Spans, line positions, text edits, and the quick fixes that consist of edits."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from enum import Enum, IntEnum
from itertools import accumulate, pairwise
from typing import NamedTuple, Protocol, TypeVar


class Span(NamedTuple):
    """A half-open range of code points; `in` also accepts the offset `end`, where the cursor may be."""

    start: int
    end: int

    def shifted(self, by: int) -> Span:
        """Return the span moved by a number of code points."""
        return Span(self.start + by, self.end + by)

    def __contains__(self, offset: object) -> bool:
        return isinstance(offset, int) and self.start <= offset <= self.end


class Position(NamedTuple):
    """A line and a column, both counted from 0; columns are code points."""

    line: int
    character: int


class OtherFileSpan(NamedTuple):
    """A span of another file, with its start and end positions."""

    file: str
    span: Span
    start: Position
    end: Position


class LineIndex:
    """A converter between offsets and positions of one text, by binary search."""

    def __init__(self, text: str) -> None:
        self._starts = [*accumulate([len(line) + 1 for line in text.split("\n")[:-1]], initial=0)]
        self._length = len(text)

    def __len__(self) -> int:
        """Return the number of lines; a text that ends with a newline has an empty last line."""
        return len(self._starts)

    def position(self, offset: int) -> Position:
        """Return the position of an offset, which is clamped to the text."""
        offset = max(0, min(offset, self._length))
        line = bisect_right(self._starts, offset) - 1
        return Position(line, offset - self._starts[line])

    def offset(self, position: Position) -> int:
        """Return the offset of a position; a column past the end of the line is clamped to it."""
        if position.line >= len(self._starts):
            return self._length
        return min(self._starts[max(position.line, 0)] + position.character, self.line_span(position.line).end)

    def line_span(self, line: int) -> Span:
        """Return the span of a line without its newline."""
        start = self._starts[line]
        end = self._starts[line + 1] - 1 if line + 1 < len(self._starts) else self._length
        return Span(start, end)


def shared_ends(old: Sequence[object], new: Sequence[object]) -> tuple[int, int]:
    """Return the numbers of equal items at the beginning and at the end of two sequences."""
    start = _shared_start(old, new)
    return start, _shared_start(old[start:][::-1], new[start:][::-1])


def _shared_start(first: Sequence[object], second: Sequence[object]) -> int:
    """Return the number of equal items at the beginning, found by halves: Python compares slices fast."""
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


class TextEdit(NamedTuple):
    """The replacement of the characters of a span with another text."""

    span: Span
    text: str


class Applicability(IntEnum):
    """The applicability of a fix, ordered from the least to the most safe."""

    DECISION = 0
    """Needs the user's decision: never applied together with others."""
    UNSAFE = 1
    """May change the meaning of the template: applied only on its own."""
    SAFE = 2
    """Removes its diagnostic, adds none, and changes nothing else."""

    @property
    def word(self) -> str:
        """The name used in reports."""
        return self.name.lower()


class Fix(NamedTuple):
    """A quick fix of a diagnostic: edits that are applied together in one undo step."""

    title: str
    edits: tuple[TextEdit, ...]
    applicability: Applicability = Applicability.SAFE
    preferred: bool = False


class _Offer(Protocol):
    """A fix, with or without its edits."""

    @property
    def applicability(self) -> Applicability: ...

    @property
    def preferred(self) -> bool: ...


_OfferT = TypeVar("_OfferT", bound=_Offer)


def preferred_fix(fixes: Sequence[_OfferT]) -> _OfferT | None:
    """Return the preferred or only fix, unless it needs a decision; None if there is no such fix."""
    wanted = [fix for fix in fixes if fix.preferred or len(fixes) == 1]
    return wanted[0] if wanted and wanted[0].applicability is not Applicability.DECISION else None


class OverlappingEditsError(ValueError):
    """An error for two edits that change the same characters."""


def ordered_edits(edits: Iterable[TextEdit]) -> list[TextEdit]:
    """Return the edits in text order.

    Raise OverlappingEditsError if two of them change the same characters.
    """
    ordered = sorted(edits)
    for first, second in pairwise(ordered):
        if first.span.end > second.span.start:
            raise OverlappingEditsError(f"edits overlap at {second.span.start}")
    return ordered


def apply_edits(text: str, edits: Iterable[TextEdit]) -> str:
    """Return the text after all edits; their spans refer to the original text.

    Raise OverlappingEditsError if two of them change the same characters.
    """
    pieces: list[str] = []
    at = 0
    for edit in ordered_edits(edits):
        pieces += (text[at : edit.span.start], edit.text)
        at = edit.span.end
    pieces.append(text[at:])
    return "".join(pieces)


class LineChange(Enum):
    """The change of a line; the value is its sign in the margin."""

    KEPT = ""
    CHANGED = "~"
    ADDED = "+"
    DELETED = "-"
    MOVED = "↕"


class Hunk(NamedTuple):
    """Consecutive lines that differ between an old and a new text, as half-open ranges of both."""

    old: range
    new: range
    continues: bool = False
    """Whether the only old line is the blank one at the end of the text, where new lines are typed."""

    @property
    def change(self) -> LineChange:
        """Whether the lines were added, deleted or changed."""
        if not self.old or (self.new and self.continues):
            return LineChange.ADDED
        return LineChange.CHANGED if self.new else LineChange.DELETED

    def touches(self, line: int) -> bool:
        """Return whether a line of the new text is in the hunk, or next to its deleted lines."""
        return line in self.new or (not self.new and line in (self.new.start - 1, self.new.start))
