"""What rows of a list do: show a text when they are chosen, and act by buttons under the mouse."""

from collections.abc import Callable, Mapping
from enum import Enum, auto

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QAction, QFontMetrics
from PySide6.QtWidgets import QAbstractItemView, QToolButton, QTreeView, QWidget

from heatstudio.ui.widgets.appearance import Appearance, icon_size
from heatstudio.ui.widgets.layouts import in_row
from heatstudio.ui.widgets.plain_text import plain
from heatstudio.ui.widgets.row_delegate import caption_font
from heatstudio.ui.widgets.theme import Color
from heatstudio.ui.widgets.tree_model import CELL_ROLE, Index

AllowedFor = Callable[[Index], bool]
"""Whether an action applies to a row."""
_GAP = 8


class RowActions(QWidget):
    """Actions on the row under the mouse, which a click selects first; the keyboard has their shortcuts."""

    def __init__(self, view: QTreeView, appearance: Appearance, actions: Mapping[QAction, AllowedFor]) -> None:
        """Take actions on the current row of a view that has a model and follows the mouse."""
        super().__init__(view.viewport())
        self._view, self._appearance, self._allowed = view, appearance, tuple(actions.values())
        self._index = QPersistentModelIndex()
        self._buttons = {self._button(action): action for action in actions}
        in_row(0, *self._buttons, of=self, gap=0)
        self.setAutoFillBackground(True)
        self.hide()
        view.entered.connect(self._show_for)
        view.viewport().installEventFilter(self)
        for moved in (view.verticalScrollBar().valueChanged, view.expanded, view.collapsed):
            moved.connect(self.hide)
        view.model().modelAboutToBeReset.connect(self.hide)

    def _button(self, action: QAction) -> QToolButton:
        button = QToolButton(self, autoRaise=True)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.setIconSize(icon_size())
        button.setIcon(action.icon())
        button.setToolTip(plain(f"{action.text()} ({action.shortcut().toString()})"))
        button.setAccessibleName(action.text())
        button.clicked.connect(self._trigger)
        return button

    def _show_for(self, index: QModelIndex) -> None:
        """Show the actions that apply to a row, at its right end."""
        self._index = QPersistentModelIndex(index)
        for button, allows in zip(self._buttons, self._allowed, strict=True):
            button.setVisible(allows(index))
        badge = index.data(CELL_ROLE).badge or ("",)
        covered = QFontMetrics(caption_font(self._view.font())).horizontalAdvance(badge[0]) + 2 * _GAP
        room, size = self._view.visualRect(index), self.sizeHint()
        width, height = max(size.width(), covered), min(room.height(), size.height())
        self.setGeometry(room.right() - width + 1, room.top(), width, height)
        is_selected = index == self._view.currentIndex()
        palette = self.palette()
        ground = self._appearance.theme.color(Color.SELECTION if is_selected else Color.HOVER_GROUND)
        palette.setColor(palette.ColorRole.Window, ground)
        self.setPalette(palette)
        self.setVisible(any(not button.isHidden() for button in self._buttons))

    def _trigger(self) -> None:
        """Select the row, and trigger the action of the clicked button."""
        for button, action in self._buttons.items():
            if button is self.sender():
                self._view.setCurrentIndex(self._view.model().index(self._index.row(), 0, self._index.parent()))
                action.trigger()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Hide the actions when the mouse leaves the rows."""
        if event.type() is QEvent.Type.Leave:
            self.hide()
        return super().eventFilter(watched, event)


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
        self._before: QPersistentModelIndex | None = None
        """The current row before a key; None while the key that moved the focus here is still pressed."""
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
        if event.type() is QEvent.Type.FocusIn:
            self._before = None
        elif event.type() is QEvent.Type.KeyPress:
            self._before = QPersistentModelIndex(self._view.currentIndex())
        elif event.type() is QEvent.Type.KeyRelease and self._before is not None:
            if self._before != self._view.currentIndex():
                self._show(self._view.currentIndex(), ChosenBy.KEY)
            self._before = QPersistentModelIndex(self._view.currentIndex())
        return False
