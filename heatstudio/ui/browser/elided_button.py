"""A button that makes no page wider than it is."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy

from heatstudio.ui.widgets.plain_text import plain

_LEAST = 80
_SLACK = 2
"""Pixels that rounding may take."""


class ElidedButton(QPushButton):
    """Leaves out the middle of its words where there is no room for all; then the tool tip has them."""

    def __init__(self) -> None:
        super().__init__()
        self._words = ""
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def show_words(self, words: str) -> None:
        """Says something else."""
        self._words = words
        self.setText(words)
        self.updateGeometry()
        self._fit()

    def sizeHint(self) -> QSize:
        width = self._frame() + self.fontMetrics().horizontalAdvance(self._words) + _SLACK
        return QSize(width, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(_LEAST, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _frame(self) -> int:
        """The width of all that is beside the words."""
        return super().sizeHint().width() - self.fontMetrics().horizontalAdvance(self.text())

    def _fit(self) -> None:
        room = self.width() - self._frame()
        shown = self.fontMetrics().elidedText(self._words, Qt.TextElideMode.ElideMiddle, room)
        self.setText(shown)
        self.setToolTip(plain(self._words if shown != self._words else ""))
