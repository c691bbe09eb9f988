"""The markers of diagnostics in the editor, which follow their text while it changes."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from itertools import chain
from typing import NamedTuple

from PySide6.QtGui import QTextBlock

from heatstudio.text import Severity, Span
from heatstudio.ui.documents.document import OF_WRITING
from heatstudio.ui.documents.qt_text import QtPositions


class Mark(NamedTuple):
    """The marker of a span of the text."""

    span: Span
    severity: Severity
    message: str
    code: str = ""
    fixable: bool = False
    related: bool = False
    """Whether the marker is only for a related position of a problem elsewhere."""
    short: str = ""
    """The short message for the end of the line."""
    is_inactive: bool = False
    """Whether the marker explains why the text is inactive, which is then dimmed."""
    is_advice: bool = False
    """Whether the problem is advice, which has a message at the end of the line only on request."""

    @property
    def word(self) -> str:
        """The severity, or `Related`, as one word."""
        return "Related" if self.related else self.severity.word.capitalize()


class PositionedMarker:
    """A marker with its current position in the document, in UTF-16 units."""

    __slots__ = ("end", "mark", "start")

    def __init__(self, start: int, end: int, mark: Mark) -> None:
        self.start = start
        self.end = end
        self.mark = mark


class MarkList:
    """A list of markers in text order, searched by bisection."""

    def __init__(self) -> None:
        self._marks: list[PositionedMarker] = []
        self._starts: list[int] = []

    def __len__(self) -> int:
        return len(self._marks)

    def place(self, marks: Iterable[Mark], positions: QtPositions) -> None:
        """Replace the markers."""
        position = positions.position
        placed = [PositionedMarker(position(mark.span.start), position(mark.span.end), mark) for mark in marks]
        self._marks = sorted(placed, key=lambda one: (one.start, one.end))
        self._starts = [one.start for one in self._marks]

    def copy(self, other: MarkList) -> None:
        """Take over the markers of another view of the same text."""
        self._marks = [PositionedMarker(one.start, one.end, one.mark) for one in other.all()]
        self._starts = [one.start for one in self._marks]

    def shift(self, position: int, removed: int, added: int) -> None:
        """Follow a change of the text, so that markers stay with their words until they are replaced."""
        behind = bisect_left(self._starts, position + removed)
        for one in self._marks[:behind]:
            if one.end >= position:
                one.start = _moved(one.start, position, removed, added)
                one.end = max(one.start, _moved(one.end, position, removed, added))
        by = added - removed
        for one in self._marks[behind:]:
            one.start += by
            one.end += by
        self._starts = [one.start for one in self._marks]

    def all(self) -> list[PositionedMarker]:
        """Return all markers in text order."""
        return self._marks

    def starting_between(self, start: int, end: int) -> list[PositionedMarker]:
        """Return the markers that start between `start` and `end`, inclusive."""
        return self._marks[bisect_left(self._starts, start) : bisect_right(self._starts, end)]

    def in_line(self, block: QTextBlock) -> list[PositionedMarker]:
        """Return the markers that start in a line."""
        return self.starting_between(block.position(), block.position() + block.length() - 1)

    def covering(self, position: int) -> list[PositionedMarker]:
        """Return the markers that cover a position, the most severe first."""
        before = self._marks[: bisect_right(self._starts, position)]
        return sorted((one for one in before if position <= one.end), key=lambda one: one.mark.severity)

    def after(self, position: int) -> PositionedMarker | None:
        """Return the first problem behind a position, or else the first one in the text."""
        at = bisect_right(self._starts, position)
        return _first_problem(chain(self._marks[at:], self._marks[:at]))

    def before(self, position: int) -> PositionedMarker | None:
        """Return the last problem that starts before a position, or else the last one in the text."""
        at = bisect_left(self._starts, position)
        return _first_problem(chain(reversed(self._marks[:at]), reversed(self._marks[at:])))


def _first_problem(marks: Iterable[PositionedMarker]) -> PositionedMarker | None:
    return next((one for one in marks if not one.mark.related), None)


def worst_of(marks: Iterable[PositionedMarker]) -> PositionedMarker | None:
    """Return the most severe marker; among equals, a syntax error, then the first one."""
    return min(marks, key=lambda one: (one.mark.severity, one.mark.code not in OF_WRITING, one.start), default=None)


def _moved(at: int, position: int, removed: int, added: int) -> int:
    if at < position:
        return at
    return at + added - removed if at >= position + removed else position
