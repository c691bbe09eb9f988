"""The sides of the window around the text: rows of tabs, and the commands that fold, unfold and show their panes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QEvent, QRect, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPalette, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QSplitter, QTabBar, QWidget

from heatstudio.ui.widgets import Isolated, Panel
from heatstudio.ui.widgets.plain_text import PlainLabel
from heatstudio.ui.window.layout import (
    LEAST_HEIGHT,
    LEAST_TEXT_HEIGHT,
    LEAST_TEXT_WIDTH,
    LEAST_WIDTH,
    NARROW,
    PANES,
    TABS,
    Layout,
    Row,
    restored,
)

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


_ACROSS, _DOWN = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
_STEP = 40
"""The pixels by which a command resizes a pane."""


class Sides(QSplitter):
    """The text with a side on the left, on the right and below it, as a layout determines."""

    changed = Signal()
    """Emitted after a change of the layout or of the visible panes."""
    message_requested = Signal(str)
    """The result of a command."""

    def __init__(self, text: QWidget) -> None:
        super().__init__(_ACROSS)
        self._text = text
        self._panels: dict[str, Panel] = {}
        self._makers: Mapping[str, Callable[[], Panel]] = {}
        self.state = Layout()
        """The layout; it is replaced as a whole."""
        self.rows = {row: PaneRow(row) for row in Row}
        left, rest, upper, held = QSplitter(_DOWN), QSplitter(_DOWN), QSplitter(_ACROSS), Isolated(text)
        held.setMinimumSize(LEAST_TEXT_WIDTH, LEAST_TEXT_HEIGHT)
        self._split(left, self.rows[Row.LEFT], self.rows[Row.LOWER_LEFT])
        self._split(upper, held, self.rows[Row.RIGHT])
        self._split(rest, upper, self.rows[Row.BOTTOM])
        self._split(self, left, rest)
        self.setMinimumSize(1, 1)  # the window may be smaller than the least sizes of its parts
        self._parts = {Row.LEFT: (self, 0), Row.LOWER_LEFT: (left, 1), Row.BOTTOM: (rest, 1), Row.RIGHT: (upper, 1)}
        """The splitter and the index of the part whose size is that of a row, from the outside to the inside."""
        for row in self.rows.values():
            row.strip.chosen.connect(self._choose)
            row.rescaled.connect(self._apply)
        self._apply()

    def command_handlers(self) -> Mapping[str, Callable[[], object]]:
        """Return the handlers of the panes' commands."""
        return {
            "left": partial(self.toggle, Row.LEFT),
            "right": partial(self.toggle, Row.RIGHT),
            "bottom": partial(self.toggle, Row.BOTTOM),
            "only-text": lambda: self._change(self.state.toggle_zen()),
            "wider": partial(self.resize_focused, _ACROSS, _STEP),
            "narrower": partial(self.resize_focused, _ACROSS, -_STEP),
            "taller": partial(self.resize_focused, _DOWN, _STEP),
            "shorter": partial(self.resize_focused, _DOWN, -_STEP),
            "reset-layout": lambda: self._change(Layout()),
            "preview": partial(self.reveal, "Preview"),
            **{pane.command.name: partial(self.reveal, name) for name, pane in PANES.items()},
        }

    def restore(self, data: Mapping[str, object]) -> None:
        """Restore a saved layout."""
        self._change(restored(data))

    def fill(self, panels: Mapping[str, Panel]) -> None:
        """Set the panels of panes."""
        for name, panel in panels.items():
            self._panels[name] = panel
            panel.setParent(self.rows[PANES[name].row])
            panel.hide()
        self._apply()

    def take_makers(self, makers: Mapping[str, Callable[[], Panel]]) -> None:
        """Set the functions that make the panels of panes which become visible."""
        self._makers = makers

    def make_next(self) -> bool:
        """Make the panel of a visible pane, and return whether there was one to make."""
        wanted = self._makers.keys() - self._panels
        name = next((name for name in self.state.open_rows().values() if name in wanted), None)
        if name is None:
            return False
        self.fill({name: self._makers[name]()})
        return True

    def is_seen(self, name: str) -> bool:
        """Return whether a pane is visible."""
        return name in self.state.open_rows().values()

    def row_with_focus(self) -> Row | None:
        """Return the row that has the window's focus, also of an inactive window; None for other widgets."""
        focus = self.window().focusWidget()
        return next((row for row, one in self.rows.items() if focus is not None and one.isAncestorOf(focus)), None)

    def toggle(self, side: Row) -> None:
        """Fold or unfold a side."""
        self._change(self.state.toggle(side))

    def show_pane(self, name: str) -> None:
        """Show a pane in front without moving the focus."""
        self._change(self.state.show(name))

    def reveal(self, name: str) -> None:
        """Show and focus a pane; select the text of a search field that gets the focus."""
        self.show_pane(name)
        page = self.rows[PANES[name].row].page
        page.setFocus(Qt.FocusReason.ShortcutFocusReason)
        focus = QApplication.focusWidget()
        if isinstance(focus, QLineEdit) and page.isAncestorOf(focus):
            focus.selectAll()

    def resize_focused(self, orientation: Qt.Orientation, by: int) -> None:
        """Resize the focused pane by a number of pixels, or the text by means of the panes around it."""
        row, is_across = self.row_with_focus(), orientation is _ACROSS
        resized = self.rows[row] if row is not None else self._text
        name, word = self.state.fronts[row] if row is not None else "The editor", "wide" if is_across else "high"
        before, signs = resized.size(), self.state.resizing_rows(row, across=is_across)
        for one, sign in signs.items():
            self._change(self.state.resize(one, self._sizes()[one] + sign * by // len(signs)))
        self._note_sizes()
        now = resized.width() if is_across else resized.height()
        if resized.size() == before:
            self.message_requested.emit(f"{name} stays {now} pixels {word}: no pane next to it can be resized.")
        else:
            self.message_requested.emit(f"{name} is {now} pixels {word}.")

    def resizeEvent(self, _event: QResizeEvent) -> None:
        """Set the sizes for the size of the window, and fold or unfold sides if it became narrow or wide."""
        self._change(self.state)
        self._fit()

    def _split(self, splitter: QSplitter, first: QWidget, second: QWidget) -> None:
        splitter.setChildrenCollapsible(False)
        splitter.setHandleWidth(1)
        splitter.splitterMoved.connect(self._note_sizes)
        splitter.addWidget(first)
        splitter.addWidget(second)

    def _choose(self, name: str) -> None:
        self._change(self.state.choose(name))

    def _change(self, state: Layout) -> None:
        state = replace(state, is_narrow=self.window().width() < NARROW)
        if state != self.state:
            self.state = state
            while self.make_next():
                pass
            self._apply()

    def _apply(self) -> None:
        """Show what the layout says; the focus of a pane that disappears moves to the text."""
        is_open = self.state.open_rows()
        focused = self.row_with_focus()
        if focused is not None and focused not in is_open and not self.rows[focused].strip.hasFocus():
            self._text.setFocus()
        sides = {row.side for row in is_open}
        for row, widget in self.rows.items():
            front = self.state.fronts[row]
            is_folded = row.side not in sides
            widget.show_page(front, self._panels.get(front), is_open=row in is_open, is_folded=is_folded)
        self._fit()
        self.changed.emit()

    def _fit(self) -> None:
        """Set the sizes of all parts for the size of the window; only unfolded parts can be resized with the mouse."""
        sizes, resizable = self._sizes(), self.state.resizable_rows()
        for row, (splitter, index) in self._parts.items():
            whole = splitter.width() if splitter.orientation() is _ACROSS else splitter.height()
            given = [sizes[row], whole - sizes[row] - 1]
            splitter.setSizes(given if index == 0 else given[::-1])
            splitter.handle(1).setEnabled(row in resizable)

    def _sizes(self) -> dict[Row, int]:
        """Return the sizes of the rows without the lines between the parts."""
        return self.state.fit(self.width() - 2, self.height() - 1, self.rows[Row.BOTTOM].thickness)

    def _note_sizes(self) -> None:
        """Note the sizes that the user changed, also of parts that gave way."""
        sizes = self._sizes()
        for row in self.state.resizable_rows():
            splitter, index = self._parts[row]
            if splitter.sizes()[index] != sizes[row]:
                self.state = self.state.resize(row, splitter.sizes()[index])
        self.changed.emit()
