"""Resizing of panes by keyboard."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QMainWindow, QWidget

from heatstudio.ui.window.dock import Dock
from heatstudio.ui.window.focus_order import FocusOrder
from heatstudio.ui.window.pane_docks import BOTTOM, LEFT, RIGHT

_STEP = 40
_ACROSS, _UP = Qt.Orientation.Horizontal, Qt.Orientation.Vertical


class PaneSizes(QObject):
    """A controller that resizes the focused pane; with the focus in the text, the panes around it."""

    message_requested = Signal(str)
    """The result of a command."""

    def __init__(self, window: QMainWindow, text: QWidget, order: FocusOrder) -> None:
        super().__init__(window)
        self._window = window
        self._text = text
        self._order = order

    def command_handlers(self) -> Mapping[str, Callable[[], object]]:
        """Return the handlers of the commands."""
        return {
            "wider": lambda: self.resize(_ACROSS, _STEP),
            "narrower": lambda: self.resize(_ACROSS, -_STEP),
            "taller": lambda: self.resize(_UP, _STEP),
            "shorter": lambda: self.resize(_UP, -_STEP),
        }

    def resize(self, orientation: Qt.Orientation, by: int) -> None:
        """Resize the focused pane by a number of pixels, and report its size."""
        dock = self._order.dock()
        before = self._size(dock, orientation)
        if dock is not None:
            self._resize(dock, orientation, by)
        else:
            around = (LEFT, RIGHT) if orientation is _ACROSS else (BOTTOM,)
            shown = [found[0] for area in around if (found := self._order.shown(area))]
            for one in shown:
                self._resize(one, orientation, -by // len(shown))
        QTimer.singleShot(0, self, lambda: self._report_size(dock, orientation, before))

    def _resize(self, dock: Dock, orientation: Qt.Orientation, by: int) -> None:
        row = [dock]
        if orientation is _UP and self._window.dockWidgetArea(dock) is not BOTTOM:
            row = self._order.shown(self._window.dockWidgetArea(dock))  # the panes above or below give up the space
        elif orientation is _ACROSS and self._window.dockWidgetArea(dock) is BOTTOM:
            row = self._order.shown(BOTTOM)
        sizes = [self._whole(one, orientation) for one in row]
        at = row.index(dock)
        sizes[at] += by
        if len(row) > 1:
            sizes[at - 1 if at else 1] -= by
        self._window.resizeDocks(row, sizes, orientation)

    def _whole(self, dock: Dock, orientation: Qt.Orientation) -> int:
        """Return the width, or the height including the tab bar, as Qt counts it."""
        if orientation is _ACROSS:
            return dock.width()
        return dock.height() + sum(bar.height() for bar in self._order.tabs_of(dock)[:1])

    def _size(self, dock: Dock | None, orientation: Qt.Orientation) -> int:
        size = (dock or self._text).size()
        return size.width() if orientation is _ACROSS else size.height()

    def _report_size(self, dock: Dock | None, orientation: Qt.Orientation, before: int) -> None:
        name, now = dock.windowTitle() if dock is not None else "The editor", self._size(dock, orientation)
        word = "wide" if orientation is _ACROSS else "high"
        if now == before:
            self.message_requested.emit(f"{name} stays {now} pixels {word}: no pane next to it can be resized.")
        else:
            self.message_requested.emit(f"{name} is {now} pixels {word}.")
