"""A placeholder sentence in an empty tree."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QPainter, QPalette
from PySide6.QtWidgets import QTreeView

_EDGE = 16
NOTHING = "No matches."


class EmptyViewPlaceholder(QObject):
    """A sentence painted instead of rows while there are none."""

    def __init__(self, view: QTreeView) -> None:
        super().__init__(view)
        self._view = view
        self.sentence = NOTHING
        view.viewport().installEventFilter(self)

    @property
    def is_shown(self) -> bool:
        """Whether the tree is empty."""
        model = self._view.model()
        return model is not None and model.rowCount() == 0

    def say(self, sentence: str) -> None:
        """Replace the sentence."""
        self.sentence = sentence
        self._view.viewport().update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Paint the sentence; the background is painted already."""
        if event.type() is QEvent.Type.Paint and self.is_shown:
            painter = QPainter(self._view.viewport())
            painter.setPen(self._view.palette().color(QPalette.ColorRole.PlaceholderText))
            room = self._view.viewport().rect().adjusted(_EDGE, _EDGE, -_EDGE, -_EDGE)
            painter.drawText(room, Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignHCenter, self.sentence)
            painter.end()
        return super().eventFilter(watched, event)
