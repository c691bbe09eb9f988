"""The tabs of the open documents: their names can be read, however many there are."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QTabBar

_LEAST, _MOST = 220, 280
"""The width from which a tab is rather scrolled out of sight than made narrower, and the most that one takes."""


class DocumentTabs(QTabBar):
    """Scrolls where there is no room for all."""

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
        """Qt's hook: as wide as the name, up to a point."""
        return self._at_most(super().tabSizeHint(index), _MOST)

    def minimumTabSizeHint(self, index: int) -> QSize:
        """Qt's hook: never a tab of three letters."""
        return self._at_most(super().tabSizeHint(index), _LEAST)

    def _at_most(self, size: QSize, width: int) -> QSize:
        return QSize(min(size.width(), width), size.height())
