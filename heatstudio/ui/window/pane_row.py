"""A row of tabs with the page of the pane in front."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPalette, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QTabBar, QWidget

from heatstudio.ui.widgets.plain_text import PlainLabel
from heatstudio.ui.window.layout import LEAST_HEIGHT, LEAST_WIDTH, TABS, Row

_SHAPES = {
    Row.LEFT: (QTabBar.Shape.RoundedNorth, QTabBar.Shape.RoundedWest),
    Row.LOWER_LEFT: (QTabBar.Shape.RoundedNorth, QTabBar.Shape.RoundedWest),
    Row.RIGHT: (QTabBar.Shape.RoundedNorth, QTabBar.Shape.RoundedEast),
    Row.BOTTOM: (QTabBar.Shape.RoundedSouth, QTabBar.Shape.RoundedSouth),
}
"""The shapes of the tabs of an unfolded and of a folded side."""
_CONFIRM = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


class TabStrip(QTabBar):
    """A tab bar that requests changes of the layout instead of changing itself."""

    chosen = Signal(str)
    """A tab that was clicked, or selected or confirmed by key: to be shown, or folded if it is visible."""

    def __init__(self, names: Sequence[str], parent: QWidget) -> None:
        super().__init__(parent)
        self._names = names
        self.setAccessibleName(f"Panes: {', '.join(names)}")
        self.setElideMode(Qt.TextElideMode.ElideNone)
        self.setUsesScrollButtons(True)
        self.setExpanding(False)
        for name in names:
            self.addTab(name)
        self.currentChanged.connect(self._choose)

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
        index = self.tabAt(event.position().toPoint())
        if event.button() is Qt.MouseButton.LeftButton and index >= 0:
            self._choose(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Confirm the tab with Enter or Space, and step through tabs also with Up and Down."""
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        if event.key() in _CONFIRM:
            self._choose(self.currentIndex())
        elif step is not None:
            self.setCurrentIndex(min(max(self.currentIndex() + step, 0), self.count() - 1))
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Do not switch panes by scrolling."""
        event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint a focus frame, as the color of the text alone is hard to see."""
        super().paintEvent(event)
        if self.hasFocus():
            painter = QPainter(self)
            painter.setPen(self.palette().accent().color())
            painter.drawRect(self.tabRect(self.currentIndex()).adjusted(0, 0, -1, -1))
            painter.end()

    def _choose(self, index: int) -> None:
        self.chosen.emit(self._names[index])


class PaneRow(QWidget):
    """A row of tabs with a page; it places them itself, so that layout requests of a pane end here."""

    rescaled = Signal()
    """Emitted after a change of the font, which changes the thickness."""

    def __init__(self, row: Row) -> None:
        super().__init__()
        self._row = row
        self.strip = TabStrip(TABS[row], self)
        self._loading = PlainLabel("Loading…", self)
        self._loading.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._loading.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.page: QWidget = self._loading
        self.is_open = True

    @property
    def thickness(self) -> int:
        """The height of horizontal tabs and the width of vertical ones, as in the style sheet."""
        return self.fontMetrics().height() + 14

    def show_page(self, name: str, page: QWidget | None, *, is_open: bool, is_folded: bool) -> None:
        """Show the page of the pane in front, None if it is not ready; or the tabs alone, also of a folded side."""
        self.is_open = is_open
        self.strip.setShape(_SHAPES[self._row][is_folded])
        self.strip.show_front(name, is_open=is_open)
        self.setMinimumSize(*((LEAST_WIDTH, LEAST_HEIGHT) if is_open else (self.thickness, self.thickness)))
        before, self.page = self.page, page or self._loading
        self._place()
        self.page.setVisible(is_open)
        if before is not self.page:
            if before.isAncestorOf(self.window().focusWidget() or self):
                self.page.setFocus()
            before.hide()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self.rescaled.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        """Give the tabs their thickness, and the rest to the page."""
        width, height, thick = self.width(), self.height(), self.thickness
        is_below = self._row is Row.BOTTOM
        tabs = QRect(0, height - thick if is_below else 0, width, thick)
        self.strip.setGeometry(tabs if self.is_open else self.rect())
        self.page.setGeometry(0, 0 if is_below else thick, width, height - thick)
