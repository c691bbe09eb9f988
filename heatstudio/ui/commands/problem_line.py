"""One line for the problem at the cursor, or briefly for the result of a command."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from heatstudio.text import Severity
from heatstudio.ui.widgets import GAP, SEVERITY_ICONS, Appearance, Color, icon_size, plain

_LEAST_ROOM = 80
_USUAL_ROOM = 160
"""The reserved width in pixels, so that the layout does not change when the cursor reaches a problem."""


class ProblemLine(QWidget):
    """A line that uses the remaining width and requires none."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._severity = Severity.HINT
        self.words = ""
        self.message = ""
        self.setAccessibleName("Problem at the cursor")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        appearance.theme_changed.connect(self.update)

    def show_problem(self, severity: Severity, words: str) -> None:
        """Show a problem; empty words hide it."""
        self._severity, self.words = severity, words
        self.setAccessibleDescription(words)
        self.setToolTip(plain(words))
        self.update()

    def tell(self, message: str) -> None:
        """Show a message instead of the problem; an empty one shows the problem again."""
        self.message = message
        self.setToolTip(plain(message or self.words))
        self.update()

    def wanted_width(self) -> int:
        """Return the preferred width: that of a message, but at least the reserved width."""
        whole = self.fontMetrics().horizontalAdvance(self.message) + 3 * GAP if self.message else 0
        return max(whole, _USUAL_ROOM)

    def sizeHint(self) -> QSize:
        return QSize(0, max(icon_size().height(), self.fontMetrics().height()))

    def paintEvent(self, _event: QPaintEvent) -> None:
        words = self.message or self.words
        if not words or self.width() < _LEAST_ROOM:
            return
        painter = QPainter(self)
        room, color = self.rect().adjusted(GAP, 0, -GAP, 0), Color.TEXT
        if not self.message:
            icon, color = SEVERITY_ICONS[self._severity]
            side = icon_size().width()
            square = QRect(room.left(), (self.height() - side) // 2, side, side)
            self._appearance.icon(icon, color).paint(painter, square)
            room.setLeft(square.right() + 6)
        painter.setPen(self._appearance.theme.color(color))
        text = self.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, text)
        painter.end()
