"""Notices of cloud operations, the newest first, until they are dismissed."""

from datetime import datetime

from msgspec import Struct
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton, QWidget

from heatstudio.ui.widgets import EDGE, GAP, Appearance, Color, PlainLabel, in_column, in_row, tool_button
from heatstudio.ui.widgets.row_delegate import RowTree
from heatstudio.ui.widgets.tree_model import NO_CELL, Branch, Cell, TreeModel

_HEIGHT = 150
_MOST = 100


class Notice(Struct, frozen=True):
    """One notice."""

    words: str
    icon: tuple[str, Color]
    time: str
    """The local time as `HH:MM`."""


class NoticesModel(TreeModel):
    """One row for each notice."""

    def __init__(self) -> None:
        super().__init__(("Notice",))
        self._notices: tuple[Notice, ...] = ()

    def add(self, words: str, icon: tuple[str, Color]) -> None:
        """Add a notice at the top."""
        self._show((Notice(words, icon, f"{datetime.now():%H:%M}"), *self._notices)[:_MOST])

    def dismiss(self, dismissed: object) -> None:
        """Remove a notice; None removes all."""
        self._show(tuple(one for one in self._notices if dismissed is not None and one is not dismissed))

    def _show(self, notices: tuple[Notice, ...]) -> None:
        self._notices = notices
        self.set_branches(map(Branch, notices))

    def cell(self, value: object, _column: int) -> Cell:
        """Return the cell of a notice: its text, its icon and its time."""
        if not isinstance(value, Notice):
            return NO_CELL
        words = value.words
        return Cell(words, value.icon, value.time, wraps=True, tip=words, spoken=f"{words} {value.time}")


class NoticesView(QWidget):
    """The list of notices with its buttons; hidden while it is empty."""

    def __init__(self, model: NoticesModel, appearance: Appearance) -> None:
        super().__init__()
        self._model = model
        self.view = RowTree(model, appearance, "Notices")
        self.view.setRootIsDecorated(False)
        self.view.setIndentation(0)  # as a row's height is calculated for the width beside the indentation
        self.view.setWordWrap(True)
        one = tool_button(appearance, "close", "Clear notice (Delete)", self._dismiss)
        all_of_them = QToolButton(autoRaise=True)
        all_of_them.setText("Clear All")
        all_of_them.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        all_of_them.setAccessibleName("Clear all notices")
        all_of_them.clicked.connect(lambda: model.dismiss(None))
        self.view.offer("Clear Notice\tDel", self._dismiss, "Del")
        title = PlainLabel("Notices")
        title.set_bold()
        head = in_row((title, 1), one, all_of_them, edges=(EDGE, 2, EDGE, 2), gap=GAP)
        in_column(head, (self.view, 1), of=self)
        self.setMaximumHeight(_HEIGHT)
        model.modelReset.connect(self._follow)
        if model.rowCount() == 0:  # a part that is shown before it is in its pane would be a window
            self.hide()

    def _dismiss(self) -> None:
        self._model.dismiss(self._model.value(self.view.currentIndex()) or self._model.value(self._model.index(0, 0)))

    def _follow(self) -> None:
        self.setVisible(self._model.rowCount() > 0)
