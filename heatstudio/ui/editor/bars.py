"""The bars above the text: the path of the cursor, and Go to Line."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QRegularExpression, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QKeyEvent, QRegularExpressionValidator, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QToolButton, QWidget

from heatstudio.text import Span
from heatstudio.text.invisible import visible
from heatstudio.ui.widgets import Color, MeaningIconEngine, PlainLabel, Theme, in_row, scaled
from heatstudio.ui.widgets.text_keys import LineEdit

_HEIGHT: Final = 26
_LONGEST: Final = 40
_PLACE: Final = QRegularExpression("[1-9][0-9]{0,7}(:[0-9]{0,7})?")


class Breadcrumbs(QWidget):
    """A row with a button for each path element; the first ones are hidden if there is not enough space."""

    chosen = Signal(object)
    """The span of the clicked path element."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._crumbs: Sequence[tuple[str, Span]] = ()
        self._buttons: list[QToolButton] = []
        self._arrows: list[QLabel] = []
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
        self._fit()

    def set_theme(self, theme: Theme) -> None:
        """Apply the colors of a theme."""
        self._theme = theme
        for arrow in self._arrows:
            self._tint(arrow)
        self._style_last()

    def texts(self) -> list[str]:
        """Return the visible path elements."""
        return [button.text() for button in self._buttons if not button.isHidden()]

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self.setFixedHeight(scaled(_HEIGHT))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _add_step(self) -> None:
        index = len(self._buttons)
        arrow = PlainLabel()
        arrow.setFixedWidth(14)
        arrow.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._tint(arrow)
        button = QToolButton(autoRaise=True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(lambda: self.chosen.emit(self._crumbs[index][1]))
        self._row.insertWidget(self._row.count() - 1, arrow)
        self._row.insertWidget(self._row.count() - 1, button)
        self._arrows.append(arrow)
        self._buttons.append(button)

    def _fit(self) -> None:
        """Hide path elements from the left until the rest fits."""
        count = len(self._crumbs)
        widths = [button.sizeHint().width() + 14 for button in self._buttons[:count]]
        first = 0
        while first < count - 1 and sum(widths[first:]) > self.width() - 16:
            first += 1
        for index, (button, arrow) in enumerate(zip(self._buttons, self._arrows, strict=True)):
            button.setVisible(first <= index < count)
            arrow.setVisible(first < index < count)
        self._style_last()

    def _style_last(self) -> None:
        count = len(self._crumbs)
        for index, button in enumerate(self._buttons[:count]):
            color = self._theme.value(Color.TEXT if index == count - 1 else Color.MUTED)
            button.setStyleSheet(f"color: {color}; padding: 2px 4px")

    def _tint(self, arrow: QLabel) -> None:
        icon = QIcon(MeaningIconEngine("chevron-right", lambda _mode: self._theme.color(Color.MUTED)))
        arrow.setPixmap(icon.pixmap(QSize(12, 12)))


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
