"""A scroll bar with markers for problems and matches."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from PySide6.QtCore import QRectF, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent, QTextDocument
from PySide6.QtWidgets import QScrollBar

from heatstudio.text import Severity
from heatstudio.ui.editor.text.code_page import CodePage
from heatstudio.ui.editor.text.decorations import Decorations
from heatstudio.ui.editor.text.marks import MarkList
from heatstudio.ui.widgets.palette import fill_background
from heatstudio.ui.widgets.theme import SEVERITY_ICONS, Color


class Tick(NamedTuple):
    """A position between 0 (top) and 1 (bottom); a more severe problem has a wider tick, not only another color."""

    place: float
    color: Color
    width: float


_WIDTHS: Final = {Severity.ERROR: 1.0, Severity.WARNING: 0.75, Severity.INFORMATION: 0.5, Severity.HINT: 0.3}
_MATCH_WIDTH: Final = 0.5
_ROWS_REST: Final = 50
"""Milliseconds without another change of the rows until the ticks are updated."""


def make_ticks(document: QTextDocument, marks: MarkList, matches: Sequence[tuple[int, int]]) -> list[Tick]:
    """Return the ticks of matches and markers, the most severe last; folded lines take no space."""
    lines = max(document.lineCount(), 1)
    place = {start: document.findBlock(start).firstLineNumber() / lines for start, _ in matches}
    ticks = [Tick(at, Color.ACCENT, _MATCH_WIDTH) for at in sorted(set(place.values()))]
    for one in sorted(marks.all(), key=lambda placed: -placed.mark.severity):
        severity = one.mark.severity
        at = document.findBlock(one.start).firstLineNumber() / lines
        ticks.append(Tick(at, SEVERITY_ICONS[severity][1], _WIDTHS[severity]))
    return ticks


class ScrollBarMarkers(QScrollBar):
    """A vertical scroll bar with ticks over its groove."""

    def __init__(self, page: CodePage, decorations: Decorations) -> None:
        super().__init__(Qt.Orientation.Vertical, page)
        self._page, self._decorations = page, decorations
        self.ticks: Sequence[Tick] = ()
        self.setAccessibleName("Position in the file")
        # Wrapped or folded rows move the ticks; Qt emits many signals during the layout.
        self._rest = QTimer(self, singleShot=True, interval=_ROWS_REST)
        self._rest.timeout.connect(self._refresh)
        page.document().documentLayout().documentSizeChanged.connect(self.refresh_later)
        page.blockCountChanged.connect(self._refresh)
        decorations.changed.connect(self._refresh)

    def refresh_later(self) -> None:
        """Update the ticks when the layout of the text is complete."""
        self._rest.start()

    def _refresh(self) -> None:
        ticks = make_ticks(self._page.document(), self._decorations.marks, self._decorations.matches)
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
            fill_background(painter, row, self._page.theme.color(color))
        painter.end()
