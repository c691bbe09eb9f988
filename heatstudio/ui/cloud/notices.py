"""Notifications of cloud operations, the newest first, until they are dismissed."""

from datetime import datetime

from msgspec import Struct
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QTreeView, QWidget

from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.widgets.layouts import in_column, in_row
from heatstudio.ui.widgets.panel import EDGE, GAP, tool_button
from heatstudio.ui.widgets.plain_text import PlainLabel
from heatstudio.ui.widgets.row_delegate import style_tree
from heatstudio.ui.widgets.theme import Color
from heatstudio.ui.widgets.tree_model import Branch, Cell, TreeModel

_HEIGHT = 150
_MOST = 100


class Notice(Struct, frozen=True):
    """One notification."""

    words: str
    failed: bool
    time: str
    """The local time as `HH:MM`."""


class NoticesModel(TreeModel):
    """One row for each notification."""

    def __init__(self) -> None:
        super().__init__(("Notification",))
        self._notices: tuple[Notice, ...] = ()

    def add(self, words: str, *, failed: bool) -> None:
        """Add a notification at the top."""
        self._show((Notice(words, failed, f"{datetime.now():%H:%M}"), *self._notices)[:_MOST])

    def dismiss(self, dismissed: object) -> None:
        """Remove a notification; None removes all."""
        self._show(tuple(one for one in self._notices if dismissed is not None and one is not dismissed))

    def _show(self, notices: tuple[Notice, ...]) -> None:
        self._notices = notices
        self.set_branches(map(Branch, notices))

    def cell(self, value: object, _column: int) -> Cell:
        """Return the cell of a notification: its text, its time, and whether it is an error."""
        words, time = getattr(value, "words", ""), getattr(value, "time", "")
        icon = ("severity-error", Color.ERROR) if getattr(value, "failed", False) else ("check", Color.ADDED)
        return Cell(words, icon, time, wraps=True, tip=words, spoken=f"{words} {time}")


class NoticesView(QWidget):
    """The list of notifications with its buttons; hidden while it is empty."""

    def __init__(self, model: NoticesModel, appearance: Appearance) -> None:
        super().__init__()
        self._model = model
        self.view = QTreeView()
        style_tree(self.view, appearance, "Notifications")
        self.view.setModel(model)
        self.view.setRootIsDecorated(False)
        self.view.setWordWrap(True)
        one = tool_button(appearance, "check", "Dismiss notification (Delete)")
        one.clicked.connect(self._dismiss)
        all_of_them = tool_button(appearance, "close", "Dismiss all notifications")
        all_of_them.clicked.connect(lambda: model.dismiss(None))
        delete = QShortcut(QKeySequence.StandardKey.Delete, self.view)
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(self._dismiss)
        head = in_row((PlainLabel("Notifications"), 1), one, all_of_them, edges=(EDGE, 2, EDGE, 2), gap=GAP)
        in_column(head, (self.view, 1), of=self)
        self.setMaximumHeight(_HEIGHT)
        model.modelReset.connect(self._follow)
        self._follow()

    def _dismiss(self) -> None:
        self._model.dismiss(self._model.value(self.view.currentIndex()) or self._model.value(self._model.index(0, 0)))

    def _follow(self) -> None:
        self.setVisible(self._model.rowCount() > 0)
