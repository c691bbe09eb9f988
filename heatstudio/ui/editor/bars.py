"""The bars above the text: the path of the cursor, and Go to Line."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QRegularExpression, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QRegularExpressionValidator, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QToolButton, QWidget

from heatstudio.text import Span
from heatstudio.text.invisible import visible
from heatstudio.ui.widgets import Appearance, PlainLabel, in_row, scaled
from heatstudio.ui.widgets.text_keys import LineEdit

_HEIGHT: Final = 26
_LONGEST: Final = 40
_ARROW: Final = QSize(18, 12)
_STYLE: Final = "color: palette({}); padding: 2px 4px"
_PLACE: Final = QRegularExpression("[1-9][0-9]{0,7}(:[0-9]{0,7})?")


class Breadcrumbs(QWidget):
    """A row with a button for each path element; the first ones are hidden if there is not enough space."""

    chosen = Signal(object)
    """The span of the clicked path element."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._arrow = appearance.icon("chevron-right")
        self._crumbs: Sequence[tuple[str, Span]] = ()
        self._buttons: list[QToolButton] = []
        self.setAccessibleName("Breadcrumbs")
        self.setFixedHeight(scaled(_HEIGHT))
        self.setAutoFillBackground(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._row = in_row(1, of=self, edges=(8, 0, 8, 0), gap=0)

    def set_crumbs(self, crumbs: Sequence[tuple[str, Span]]) -> None:
        """Show a path, from the outermost to the innermost element."""
        if list(crumbs) == list(self._crumbs):
            return
        self._crumbs = crumbs
        while len(self._buttons) < len(crumbs):
            self._add_step()
        for (name, _), button in zip(crumbs, self._buttons, strict=False):
            text = visible(name)
            button.setText(text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "\u2026")
            button.setAccessibleName(f"Go to {text}")
        for index, button in enumerate(self._buttons[: len(crumbs)]):
            style = _STYLE.format("text" if index == len(crumbs) - 1 else "placeholder-text")
            if button.styleSheet() != style:
                button.setStyleSheet(style)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self.setFixedHeight(scaled(_HEIGHT))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _add_step(self) -> None:
        index = len(self._buttons)
        button = QToolButton(autoRaise=True)
        button.setIcon(self._arrow)
        button.setIconSize(_ARROW)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(lambda: self.chosen.emit(self._crumbs[index][1]))
        self._row.insertWidget(self._row.count() - 1, button)
        self._buttons.append(button)

    def _fit(self) -> None:
        """Hide path elements from the left until the rest fits; the first one has no arrow."""
        count, style = len(self._crumbs), Qt.ToolButtonStyle
        for button in self._buttons:
            button.setToolButtonStyle(style.ToolButtonTextBesideIcon)
        slack = self.fontMetrics().horizontalAdvance(" ")  # Qt adds two blanks behind the text
        widths = [button.sizeHint().width() - slack for button in self._buttons[:count]]
        first = 0
        while first < count - 1 and sum(widths[first:]) > self.width() - 16:
            first += 1
        for index, button in enumerate(self._buttons):
            button.setVisible(first <= index < count)
            if index == first:
                button.setToolButtonStyle(style.ToolButtonTextOnly)
            button.setFixedWidth(button.sizeHint().width() - (slack if index != first else 0))


class LineBar(QWidget):
    """A bar that asks for a line and, after a colon, a column, counted from 1 as in gutter and status bar."""

    place_chosen = Signal(int, int)
    """The chosen line and column, from 0; a column of -1 if only a line is chosen."""
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAutoFillBackground(True)
        label = PlainLabel("&Go to line")
        self.field = LineEdit("Line number")
        self.field.setFixedWidth(96)
        self.field.setValidator(QRegularExpressionValidator(_PLACE, self.field))
        self.field.returnPressed.connect(self._choose)
        label.setBuddy(self.field)
        self._range = PlainLabel()
        in_row(label, self.field, self._range, 1, of=self, edges=(12, 6, 12, 6), gap=8)
        self.hide()

    def open_bar(self, line: int, lines: int) -> None:
        """Show the bar with the current line, from 0, and the number of lines."""
        self.field.setText(str(line + 1))
        self.field.selectAll()
        self._range.setText(f"1 to {lines}, or line:column")
        self.show()
        self.field.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()  # before hiding, which would pass the focus to an arbitrary widget
            self.hide()
        else:
            super().keyPressEvent(event)

    def _choose(self) -> None:
        line, _, column = self.field.text().partition(":")
        self.place_chosen.emit(int(line) - 1, int(column or 0) - 1)
        self.hide()
