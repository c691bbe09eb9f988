"""What the search bar says of what was found."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy

from heatstudio.ui.widgets.announcer import SpokenLabel
from heatstudio.ui.widgets.plain_text import plain

_LEAST = 96
"""Pixels that are kept for a number of matches, so that nothing jumps while somebody types."""


class SearchWords(SpokenLabel):
    """One line; where it is too long it ends with an ellipsis, and the tool tip has all of it."""

    def __init__(self) -> None:
        super().__init__("Match count")
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.setMinimumWidth(_LEAST)

    def say(self, words: str, color: QColor) -> None:
        """Shows words in a color."""
        palette = self.palette()
        palette.setColor(palette.ColorRole.WindowText, color)
        self.setPalette(palette)
        self.setText(words)
        self.setToolTip(plain(words))

    def sizeHint(self) -> QSize:
        whole = super().sizeHint()
        return QSize(max(whole.width(), _LEAST), whole.height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        shown = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width())
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)
        painter.end()
