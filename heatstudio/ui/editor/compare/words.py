"""Words that give way where there is no room for them."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent

from heatstudio.ui.widgets.plain_text import PlainLabel, plain


class Words(PlainLabel):
    """One line that ends with an ellipsis if it is too long; the tool tip has all of it."""

    def __init__(self, least: int) -> None:
        super().__init__()
        self._least = least

    def minimumSizeHint(self) -> QSize:
        whole = super().minimumSizeHint()
        return QSize(min(self._least, whole.width()), whole.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.fontMetrics().horizontalAdvance(self.text()) <= self.width():
            self.setToolTip("")
            super().paintEvent(event)
            return
        self.setToolTip(plain(self.text()))
        shown = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width())
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)
        painter.end()
