"""The tabs of the open documents: their names can be read, however many there are."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QMouseEvent
from PySide6.QtWidgets import QTabBar

_LEAST, _MOST = 220, 280
"""The width from which a tab is rather scrolled out of sight than made narrower, and the most that one takes."""


class DocumentTabs(QTabBar):
    """Scrolls where there is no room for all."""

    middle_clicked = Signal(int)
    """The row of a tab that is to be closed."""
    menu_requested = Signal(int, QPoint)
    """The row of a tab, and the point of the screen where its menu was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Open documents")
        self.setDocumentMode(True)
        self.setDrawBase(False)
        self.setMovable(True)
        self.setExpanding(False)
        self.setElideMode(Qt.TextElideMode.ElideMiddle)
        self.setUsesScrollButtons(True)

    def tabSizeHint(self, index: int) -> QSize:
        return self._at_most(super().tabSizeHint(index), _MOST)

    def minimumTabSizeHint(self, index: int) -> QSize:
        return self._at_most(super().tabSizeHint(index), _LEAST)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        row = self.tabAt(event.position().toPoint())
        if event.button() is Qt.MouseButton.MiddleButton and row >= 0:
            self.middle_clicked.emit(row)
        super().mouseReleaseEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The menu of the tab under the mouse, or of the current one by key."""
        is_mouse = event.reason() is QContextMenuEvent.Reason.Mouse
        row = self.tabAt(event.pos()) if is_mouse else self.currentIndex()
        if row >= 0:
            below = self.mapToGlobal(self.tabRect(row).bottomLeft())
            self.menu_requested.emit(row, event.globalPos() if is_mouse else below)

    def _at_most(self, size: QSize, width: int) -> QSize:
        return QSize(min(size.width(), width), size.height())
