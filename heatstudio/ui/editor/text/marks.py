"""The markers of diagnostics in the editor, which follow their text while it changes."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from itertools import chain
from typing import NamedTuple

from heatstudio.text import Severity, Span
from heatstudio.ui.documents.positions import Positions
from heatstudio.ui.widgets.theme import Color

_OF_WRITING = frozenset({"yaml-syntax", "control-character", "too-deep"})


class Mark(NamedTuple):
    """The marker of a span of the text."""

    span: Span
    severity: Severity
    message: str
    code: str = ""
    fixable: bool = False
    related: bool = False
    """Whether it only marks a related position of a problem elsewhere."""
    short: str = ""
    """The short message for the end of the line."""
    is_inactive: bool = False
    """Whether it explains why the text is disabled, which is dimmed then."""

    @property
    def word(self) -> str:
        """How grave it is, or that it belongs to something else, as one word."""
        return "Related" if self.related else self.severity.word.capitalize()

    @property
    def of_writing(self) -> bool:
        """Whether it is a syntax error: until that is fixed, all other problems are uncertain."""
        return self.code in _OF_WRITING


class PlacedMark:
    """A marker with its current position in the document, in UTF-16 units."""

    __slots__ = ("end", "mark", "start")

    def __init__(self, start: int, end: int, mark: Mark) -> None:
        self.start = start
        self.end = end
        self.mark = mark


COLOR_OF_SEVERITY = {
    Severity.ERROR: Color.ERROR,
    Severity.WARNING: Color.WARNING,
    Severity.INFORMATION: Color.INFORMATION,
    Severity.HINT: Color.HINT,
}


def icon_of_severity(severity: Severity) -> str:
    """The name of the icon for the severity."""
    return f"severity-{severity.word}"


class MarkList:
    """Markers in text order, found by binary search."""

    def __init__(self) -> None:
        self._marks: list[PlacedMark] = []
        self._starts: list[int] = []

    def __len__(self) -> int:
        return len(self._marks)

    def place(self, marks: Iterable[Mark], positions: Positions) -> None:
        """Takes these marks instead of the ones before."""
        position = positions.position
        placed = [PlacedMark(position(mark.span.start), position(mark.span.end), mark) for mark in marks]
        self._marks = sorted(placed, key=lambda one: (one.start, one.end))
        self._starts = [one.start for one in self._marks]

    def shift(self, position: int, removed: int, added: int) -> None:
        """Follows a change of the text, so that marks stay with their words until new ones come."""
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

    def all(self) -> list[PlacedMark]:
        """Every mark in text order."""
        return self._marks

    def starting_between(self, start: int, end: int) -> list[PlacedMark]:
        """The marks that begin at `start` or behind it, but before `end` or at it."""
        return self._marks[bisect_left(self._starts, start) : bisect_right(self._starts, end)]

    def covering(self, position: int) -> list[PlacedMark]:
        """The marks over a position, the most severe first."""
        before = self._marks[: bisect_right(self._starts, position)]
        return sorted((one for one in before if position <= one.end), key=lambda one: one.mark.severity)

    def after(self, position: int) -> PlacedMark | None:
        """The first problem behind a position, or the first of all when there is none."""
        at = bisect_right(self._starts, position)
        return _first_problem(chain(self._marks[at:], self._marks[:at]))

    def before(self, position: int) -> PlacedMark | None:
        """The last problem that begins before a position, or the last of all when there is none."""
        at = bisect_left(self._starts, position)
        return _first_problem(chain(reversed(self._marks[:at]), reversed(self._marks[at:])))


def _first_problem(marks: Iterable[PlacedMark]) -> PlacedMark | None:
    return next((one for one in marks if not one.mark.related), None)


def worst_of(marks: Iterable[PlacedMark]) -> PlacedMark | None:
    """The most severe mark; among equals what is wrong with the writing, then the first."""
    return min(marks, key=lambda one: (one.mark.severity, not one.mark.of_writing, one.start), default=None)


def _moved(at: int, position: int, removed: int, added: int) -> int:
    if at < position:
        return at
    return at + added - removed if at >= position + removed else position
