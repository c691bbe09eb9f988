"""A scroll bar that shows where in the file the problems and the matches are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QTextDocument
from PySide6.QtWidgets import QScrollBar, QWidget

from heatstudio.text import Severity
from heatstudio.ui.editor.text.marks import COLOR_OF_SEVERITY, MarkList
from heatstudio.ui.widgets.background import fill_background
from heatstudio.ui.widgets.theme import Color, Theme


class Tick(NamedTuple):
    """A place between 0 (top) and 1 (bottom); the graver, the wider, so that color is not the only sign."""

    place: float
    color: Color
    width: float


_WIDTHS: Final = {Severity.ERROR: 1.0, Severity.WARNING: 0.75, Severity.INFORMATION: 0.5, Severity.HINT: 0.3}
_MATCH_WIDTH: Final = 0.5


def make_ticks(document: QTextDocument, marks: MarkList, matches: Sequence[tuple[int, int]]) -> list[Tick]:
    """The ticks of marks and matches; the gravest are painted last, folded lines take no room."""
    lines = max(document.lineCount(), 1)
    place = {start: document.findBlock(start).firstLineNumber() / lines for start, _ in matches}
    ticks = [Tick(at, Color.ACCENT, _MATCH_WIDTH) for at in sorted(set(place.values()))]
    for one in sorted(marks.all(), key=lambda placed: -placed.mark.severity):
        severity = one.mark.severity
        at = document.findBlock(one.start).firstLineNumber() / lines
        ticks.append(Tick(at, COLOR_OF_SEVERITY[severity], _WIDTHS[severity]))
    return ticks


def bar_style(theme: Theme) -> str:
    """A flat bar without arrows, for either direction."""
    groove, slider, active = (theme.value(color) for color in (Color.EDITOR_GROUND, Color.EDGE, Color.MUTED))
    return f"""
QScrollBar {{ background: {groove}; border: 0; }}
QScrollBar:vertical {{ width: 14px; }} QScrollBar:horizontal {{ height: 12px; }}
QScrollBar::handle {{ background: {slider}; border-radius: 3px; margin: 3px; }}
QScrollBar::handle:vertical {{ min-height: 24px; }} QScrollBar::handle:horizontal {{ min-width: 24px; }}
QScrollBar::handle:hover {{ background: {active}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
"""


class ScrollBarMarkers(QScrollBar):
    """Ticks lie over the groove, beside the slider's movement."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self._theme = theme
        self._ticks: Sequence[Tick] = ()
        self.setAccessibleName("Position in the file")

    @property
    def ticks(self) -> Sequence[Tick]:
        """What is shown now."""
        return self._ticks

    def set_theme(self, theme: Theme) -> None:
        """Takes the colors of a theme."""
        self._theme = theme
        self.setStyleSheet(bar_style(theme))

    def set_ticks(self, ticks: Sequence[Tick]) -> None:
        """Shows these ticks instead of the ones before."""
        if ticks != self._ticks:
            self._ticks = ticks
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._ticks:
            return
        groove = self.rect()  # all of it: `bar_style` leaves no arrows
        painter = QPainter(self)
        room = max(groove.height() - 3, 0)
        rows = {round(place * room): (color, width) for place, color, width in self._ticks}
        for y, (color, width) in rows.items():
            across = groove.width() * width
            row = QRectF(groove.right() + 1 - across, groove.top() + y, across, 3)
            fill_background(painter, row, self._theme.color(color))
        painter.end()
