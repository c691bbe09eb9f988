"""A row of tabs with the page of the pane in front."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QTabBar, QWidget

from heatstudio.ui.widgets.plain_text import PlainLabel
from heatstudio.ui.window.layout import LEAST_HEIGHT, LEAST_WIDTH
from heatstudio.ui.window.panes import TABS, Row

_VERTICAL = {
    Row.LEFT: QTabBar.Shape.RoundedWest,
    Row.LOWER_LEFT: QTabBar.Shape.RoundedWest,
    Row.RIGHT: QTabBar.Shape.RoundedEast,
}
"""The shapes of the tabs of folded sides."""
_CONFIRM = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


class TabStrip(QTabBar):
    """A tab bar that requests changes of the layout instead of changing itself."""

    chosen = Signal(str)
    """A tab that was clicked or confirmed by key: to be shown, or folded if it is visible."""
    stepped = Signal(str)
    """A tab to be shown, selected with an arrow key or by a screen reader."""

    def __init__(self, names: Sequence[str], parent: QWidget) -> None:
        super().__init__(parent)
        self._names = names
        self._pressed = -1
        self.setAccessibleName(f"Panes: {', '.join(names)}")
        self.setElideMode(Qt.TextElideMode.ElideNone)
        self.setUsesScrollButtons(True)
        self.setExpanding(False)
        for name in names:
            self.addTab(name)
        self.currentChanged.connect(self._step)

    def show_front(self, name: str, *, is_open: bool) -> None:
        """Select a tab, marked as visible if the row is open."""
        with QSignalBlocker(self):
            self.setCurrentIndex(self._names.index(name))
        self.setAccessibleDescription("" if is_open else "Folded. Enter shows the pane.")
        if self.property("open") is not is_open:
            self.setProperty("open", is_open)
            self.style().unpolish(self)
            self.style().polish(self)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        is_left = event.button() is Qt.MouseButton.LeftButton
        self._pressed = self.tabAt(event.position().toPoint()) if is_left else -1

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, self._pressed = self._pressed, -1
        if pressed >= 0 and pressed == self.tabAt(event.position().toPoint()):
            self.chosen.emit(self._names[pressed])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Confirm the tab with Enter or Space, and step through tabs also with Up and Down."""
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        if event.key() in _CONFIRM:
            self.chosen.emit(self._names[self.currentIndex()])
        elif step is not None:
            self.setCurrentIndex(min(max(self.currentIndex() + step, 0), self.count() - 1))
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Do not switch panes by scrolling."""
        event.ignore()

    def _step(self, index: int) -> None:
        self.stepped.emit(self._names[index])


class PaneRow(QWidget):
    """A row of tabs with a page; it places them itself, so that layout requests of a pane end here."""

    def __init__(self, row: Row) -> None:
        super().__init__()
        self._row = row
        self.strip = TabStrip(TABS[row], self)
        self.thickness = self.fontMetrics().height() + 14
        """The height of horizontal tabs and the width of vertical ones, as in the style sheet."""
        self._loading = PlainLabel("Loading…", self)
        self._loading.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.page: QWidget = self._loading
        self.is_open = True

    def show_page(self, name: str, page: QWidget | None, *, is_open: bool, is_folded: bool) -> None:
        """Show the page of the pane in front, None if it is not ready; or the tabs alone, also of a folded side."""
        flat = QTabBar.Shape.RoundedSouth if self._row is Row.BOTTOM else QTabBar.Shape.RoundedNorth
        self.strip.setShape(_VERTICAL.get(self._row, flat) if is_folded else flat)
        self.strip.show_front(name, is_open=is_open)
        self.setMinimumSize(*((LEAST_WIDTH, LEAST_HEIGHT) if is_open else (self.thickness, self.thickness)))
        before, self.page = self.page, page or self._loading
        self._place()
        self.page.setVisible(is_open)
        if before is not self.page:
            if before.isAncestorOf(self.window().focusWidget() or self):
                self.page.setFocus()
            before.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        """Give the tabs their thickness, and the rest to the page."""
        width, height, thick = self.width(), self.height(), self.thickness
        if self.strip.shape() in _VERTICAL.values():
            self.strip.setGeometry(self.rect())
        else:
            is_below = self._row is Row.BOTTOM
            self.strip.setGeometry(0, height - thick if is_below else 0, width, thick)
            self.page.setGeometry(0, 0 if is_below else thick, width, height - thick)
