"""Go to Line: a field above the text that closes after Enter."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QIntValidator, QKeyEvent
from PySide6.QtWidgets import QWidget

from heatstudio.ui.widgets.layouts import in_row
from heatstudio.ui.widgets.plain_text import PlainLabel
from heatstudio.ui.widgets.text_keys import LineEdit


class LineBar(QWidget):
    """A bar that asks for a line number, counted from 1 as in the gutter."""

    line_chosen = Signal(int)
    """The chosen line, from 0."""
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAutoFillBackground(True)
        label = PlainLabel("&Go to line")
        self.field = LineEdit("Line number")
        self.field.setFixedWidth(96)
        self.field.setValidator(QIntValidator(1, 99_999_999, self.field))
        self.field.returnPressed.connect(self._choose)
        label.setBuddy(self.field)
        self._range = PlainLabel()
        in_row(label, self.field, self._range, 1, of=self, edges=(12, 6, 12, 6), gap=8)
        self.hide()

    def open_bar(self, line: int, lines: int) -> None:
        """Show the bar with the current line, from 0, and the number of lines."""
        self.field.setText(str(line + 1))
        self.field.selectAll()
        self._range.setText(f"1 to {lines}")
        self.show()
        self.field.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()  # before hiding, which would pass the focus to an arbitrary widget
            self.hide()
        else:
            super().keyPressEvent(event)

    def _choose(self) -> None:
        self.line_chosen.emit(int(self.field.text()) - 1)
        self.hide()
