"""One problem in one line: its shape, its words, and dots where there is no room for more."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from heatstudio.text import Severity
from heatstudio.ui.appearance import ICON_SIZE, Appearance
from heatstudio.ui.editor.marks import COLOR_OF_SEVERITY, icon_of_severity
from heatstudio.ui.panel import GAP

_LEAST_ROOM = 80


class ProblemLine(QWidget):
    """Takes the room that is left and asks for none."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._severity = Severity.HINT
        self.words = ""
        self.setAccessibleName("Problem at the caret")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        appearance.theme_changed.connect(self.update)

    def show_problem(self, severity: Severity, words: str) -> None:
        """Shows a problem; no words, no problem."""
        self._severity, self.words = severity, words
        self.setAccessibleDescription(words)
        self.setToolTip(words)
        self.update()

    def sizeHint(self) -> QSize:
        """As high as a line."""
        return QSize(0, max(ICON_SIZE.height(), self.fontMetrics().height()))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Qt's hook."""
        if not self.words or self.width() < _LEAST_ROOM:
            return
        painter = QPainter(self)
        icon, color = icon_of_severity(self._severity), COLOR_OF_SEVERITY[self._severity]
        side = ICON_SIZE.width()
        self._appearance.icon(icon, color).paint(painter, QRect(GAP, (self.height() - side) // 2, side, side))
        painter.setPen(self._appearance.theme.color(color))
        room = self.rect().adjusted(GAP + side + 6, 0, -GAP, 0)
        text = self.fontMetrics().elidedText(self.words, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, text)
        painter.end()
