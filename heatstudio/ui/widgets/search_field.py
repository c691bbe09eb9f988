"""A field for searching and filtering."""

from collections.abc import Callable

from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent

from heatstudio.ui.widgets.announcer import SHORT_REST, ScreenReaderAnnouncer
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.widgets.row_delegate import NOTHING, RowTree
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
        self._view: RowTree | None = None
        self._is_fuzzy = False
        self._voice = ScreenReaderAnnouncer(self, SHORT_REST)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE)
        self._pause.timeout.connect(self._search)
        self.textChanged.connect(lambda _text: self._pause.start())

    def filter_rows(self, view: RowTree, refresh: Callable[[], None], *, fuzzy: bool = False) -> None:
        """Refresh the rows of a tree after each search, mark the words in them and announce their number.

        Down moves the focus to the tree.
        """
        self._view, self._is_fuzzy = view, fuzzy
        self.searched.connect(refresh)
        self.left_downwards.connect(view.setFocus)

    def _search(self) -> None:
        if self._view is not None:
            self._view.mark_matches(self.text(), scattered=self._is_fuzzy)
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
