"""A field for searching and filtering."""

from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QTreeView

from heatstudio.ui.widgets.announcer import SHORT_REST, ScreenReaderAnnouncer
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.widgets.row_delegate import NOTHING, mark_matches
from heatstudio.ui.widgets.text_keys import LineEdit

_PAUSE = 60


class SearchField(LineEdit):
    """A search field that searches after a pause; Escape clears it, Down leaves it."""

    searched = Signal(str)
    left_downwards = Signal()

    def __init__(self, appearance: Appearance, name: str, *, escape_clears: bool = True) -> None:
        super().__init__(name)
        self._escape_clears = escape_clears
        self.setPlaceholderText(name)
        self.setClearButtonEnabled(False)
        sign = self.addAction(appearance.icon("search"), self.ActionPosition.LeadingPosition)
        sign.setText(name)
        self._view: QTreeView | None = None
        self._is_fuzzy = False
        self._voice = ScreenReaderAnnouncer(self, SHORT_REST)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE)
        self._pause.timeout.connect(self._search)
        self.textChanged.connect(lambda _text: self._pause.start())

    def show_matches_in(self, view: QTreeView, *, fuzzy: bool = False) -> None:
        """Mark the searched words in the rows of a tree, and announce the number of rows left after each search."""
        self._view, self._is_fuzzy = view, fuzzy

    def _search(self) -> None:
        if self._view is not None:
            mark_matches(self._view, self.text(), scattered=self._is_fuzzy)
        self.searched.emit(self.text())
        if self._view is not None and self.text() and self.hasFocus():
            count = _leaves(self._view.model(), QModelIndex())
            self._voice.say_later(f"{count} found" if count else NOTHING)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle Escape while the field has text, and Down."""
        if event.key() == Qt.Key.Key_Escape and self.text() and self._escape_clears:
            self.clear()
        elif event.key() == Qt.Key.Key_Down:
            self.left_downwards.emit()
        else:
            super().keyPressEvent(event)


def _leaves(model: QAbstractItemModel, above: QModelIndex) -> int:
    """Return the number of rows without children."""
    rows = [model.index(row, 0, above) for row in range(model.rowCount(above))]
    return sum(_leaves(model, row) if model.rowCount(row) else 1 for row in rows)
