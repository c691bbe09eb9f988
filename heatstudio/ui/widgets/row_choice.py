"""Rows of a list that stand for positions in a text."""

from collections.abc import Callable
from enum import Enum, auto

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, Signal
from PySide6.QtWidgets import QAbstractItemView


class ChosenBy(Enum):
    """How a row was chosen."""

    KEY = auto()
    """By an arrow key or letter that moved the selection."""
    CLICK = auto()
    ENTER = auto()
    """By Enter or a double click."""


class RowChoice(QObject):
    """Show the text of a row that is chosen; the list keeps the focus unless the row is entered."""

    entered = Signal()
    """Emitted after a row with a text was chosen by Enter or a double click, for the text to get the focus."""

    def __init__(self, view: QAbstractItemView, show: Callable[[QModelIndex, ChosenBy], bool]) -> None:
        """Show rows with `show`, which returns whether the row has a text."""
        super().__init__(view)
        self._view, self._show = view, show
        self._before = QPersistentModelIndex()
        """The current row before a key."""
        view.activated.connect(self._enter)
        view.clicked.connect(self._click)
        view.installEventFilter(self)

    def _enter(self, index: QModelIndex) -> None:
        if self._show(index, ChosenBy.ENTER):
            self.entered.emit()

    def _click(self, index: QModelIndex) -> None:
        self._show(index, ChosenBy.CLICK)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Show the row that a key reached, when the key is released."""
        if event.type() is QEvent.Type.KeyPress:
            self._before = QPersistentModelIndex(self._view.currentIndex())
        elif event.type() is QEvent.Type.KeyRelease and self._before != self._view.currentIndex():
            self._before = QPersistentModelIndex(self._view.currentIndex())
            self._show(self._view.currentIndex(), ChosenBy.KEY)
        return False
