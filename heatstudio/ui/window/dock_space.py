"""Temporary extra height for a visible dock."""

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QDockWidget, QMainWindow

_TABS = 40
"""An upper bound of the height of a tab bar."""


class DockSpace(QObject):
    """A helper that grows a dock to a share of the window, and restores its height when it is hidden."""

    def __init__(self, dock: QDockWidget, share: float) -> None:
        super().__init__(dock)
        self._dock = dock
        self._share = share
        self._before = 0
        self._given = 0
        self._tabs = 0
        self._laid_out = QTimer(self, singleShot=True, interval=0)
        self._laid_out.timeout.connect(self._note)
        dock.window().installEventFilter(self)
        dock.visibilityChanged.connect(self._give_back)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Shrink the dock with the window, so that the text keeps its share."""
        if event.type() is QEvent.Type.Resize and self._before and watched is self._dock.window():
            wanted = self._wanted()
            if self._dock.height() > wanted:
                self._given = wanted
                self._resize(wanted)
                self._laid_out.start()
        return False

    def take(self) -> None:
        """Grow the dock unless it is high enough."""
        wanted = self._wanted()
        if self._dock.height() < wanted - _TABS:
            self._before, self._given = self._dock.height(), wanted
            self._resize(wanted)
            self._laid_out.start()

    def _note(self) -> None:
        """Note the resulting height, from which the window subtracts the tab bar."""
        given = self._dock.height()
        self._tabs = max(0, min(self._given - given, _TABS))
        self._given = given

    def _give_back(self, visible: bool) -> None:
        """Restore the previous height unless the user resized the dock meanwhile."""
        if visible or not self._before:
            return
        if abs(self._dock.height() - self._given) <= 2:
            self._resize(self._before + self._tabs)
        self._before = 0

    def _wanted(self) -> int:
        return round(self._dock.window().height() * self._share)

    def _resize(self, height: int) -> None:
        window = self._dock.window()
        if not isinstance(window, QMainWindow):
            return
        docks = [self._dock, *window.tabifiedDockWidgets(self._dock)]
        outside = Qt.DockWidgetArea.NoDockWidgetArea  # the area of a floating dock
        shown = [dock for dock in docks if not dock.isHidden() and window.dockWidgetArea(dock) != outside]
        if shown:
            window.resizeDocks(shown, [height] * len(shown), Qt.Orientation.Vertical)
