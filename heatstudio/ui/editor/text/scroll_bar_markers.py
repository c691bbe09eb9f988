"""A scroll bar with markers for problems and matches."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QTextDocument
from PySide6.QtWidgets import QScrollBar, QWidget

from heatstudio.text import Severity
from heatstudio.ui.editor.text.marks import COLOR_OF_SEVERITY, MarkList
from heatstudio.ui.widgets.palette import fill_background
from heatstudio.ui.widgets.theme import Color, Theme


class Tick(NamedTuple):
    """A position between 0 (top) and 1 (bottom); a more severe problem has a wider tick, not only another color."""

    place: float
    color: Color
    width: float


_WIDTHS: Final = {Severity.ERROR: 1.0, Severity.WARNING: 0.75, Severity.INFORMATION: 0.5, Severity.HINT: 0.3}
_MATCH_WIDTH: Final = 0.5


def make_ticks(document: QTextDocument, marks: MarkList, matches: Sequence[tuple[int, int]]) -> list[Tick]:
    """Return the ticks of matches and markers, the most severe last; folded lines take no space."""
    lines = max(document.lineCount(), 1)
    place = {start: document.findBlock(start).firstLineNumber() / lines for start, _ in matches}
    ticks = [Tick(at, Color.ACCENT, _MATCH_WIDTH) for at in sorted(set(place.values()))]
    for one in sorted(marks.all(), key=lambda placed: -placed.mark.severity):
        severity = one.mark.severity
        at = document.findBlock(one.start).firstLineNumber() / lines
        ticks.append(Tick(at, COLOR_OF_SEVERITY[severity], _WIDTHS[severity]))
    return ticks


class ScrollBarMarkers(QScrollBar):
    """A vertical scroll bar with ticks over its groove."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self._theme = theme
        self.ticks: Sequence[Tick] = ()
        self.setAccessibleName("Position in the file")

    def set_theme(self, theme: Theme) -> None:
        """Apply the colors of a theme."""
        self._theme = theme

    def set_ticks(self, ticks: Sequence[Tick]) -> None:
        """Replace the ticks."""
        if ticks != self.ticks:
            self.ticks = ticks
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.ticks:
            return
        groove = self.rect()  # the whole bar: the style sheet of the application has no arrows
        painter = QPainter(self)
        room = max(groove.height() - 3, 0)
        rows = {round(place * room): (color, width) for place, color, width in self.ticks}
        for y, (color, width) in rows.items():
            across = groove.width() * width
            row = QRectF(groove.right() + 1 - across, groove.top() + y, across, 3)
            fill_background(painter, row, self._theme.color(color))
        painter.end()
