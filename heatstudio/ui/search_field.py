"""A line to search or filter with."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit

from heatstudio.ui.appearance import Appearance

_PAUSE = 60


class SearchField(QLineEdit):
    """Tells what is searched when typing pauses; Escape clears, Down goes to what was found."""

    searched = Signal(str)
    left_downwards = Signal()

    def __init__(self, appearance: Appearance, name: str) -> None:
        super().__init__()
        self.setPlaceholderText(name)
        self.setAccessibleName(name)
        self.setClearButtonEnabled(False)
        sign = self.addAction(appearance.icon("search"), QLineEdit.ActionPosition.LeadingPosition)
        sign.setText(name)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE)
        self._pause.timeout.connect(lambda: self.searched.emit(self.text()))
        self.textChanged.connect(lambda _text: self._pause.start())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Takes Escape while there is something to clear, and Down."""
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        elif event.key() == Qt.Key.Key_Down:
            self.left_downwards.emit()
        else:
            super().keyPressEvent(event)
