"""A frame around the thing that a card tells of."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QRegion
from PySide6.QtWidgets import QWidget

from heatstudio.ui.appearance import Appearance
from heatstudio.ui.theme import Color

_LINE = 2


class Ring(QWidget):
    """Only the frame itself is there: what it surrounds is seen and clicked as ever."""

    def __init__(self, appearance: Appearance, window: QWidget) -> None:
        super().__init__(window)
        self._appearance = appearance
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def surround(self, place: QRect) -> None:
        """Moves around a rectangle of the window."""
        self.setGeometry(place)
        whole = QRect(0, 0, place.width(), place.height())
        self.setMask(QRegion(whole) - QRegion(whole.adjusted(_LINE, _LINE, -_LINE, -_LINE)))
        self.raise_()
        self.show()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's hook."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), self._appearance.theme.color(Color.ACCENT))
        painter.end()
