"""Go to Line: a field above the text that closes after Enter."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QIntValidator, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from heatstudio.ui.widgets.layouts import in_row
from heatstudio.ui.widgets.plain_text import PlainLabel


class LineBar(QWidget):
    """Asks for a line number, counted from 1 as in the gutter."""

    line_chosen = Signal(int)
    """A line, from 0."""
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAutoFillBackground(True)
        label = PlainLabel("&Go to line")
        self.field = QLineEdit()
        self.field.setAccessibleName("Line number")
        self.field.setFixedWidth(96)
        self.field.setValidator(QIntValidator(1, 99_999_999, self.field))
        self.field.returnPressed.connect(self._choose)
        label.setBuddy(self.field)
        self._range = PlainLabel()
        in_row(label, self.field, self._range, 1, of=self, edges=(12, 6, 12, 6), gap=8)
        self.hide()

    def open_bar(self, line: int, lines: int) -> None:
        """Shows the bar with the present line, from 0, of so many."""
        self.field.setText(str(line + 1))
        self.field.selectAll()
        self._range.setText(f"1 to {lines}")
        self.show()
        self.field.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()  # first: a bar that vanishes would give the focus to whatever comes next
            self.hide()
        else:
            super().keyPressEvent(event)

    def _choose(self) -> None:
        self.line_chosen.emit(int(self.field.text()) - 1)
        self.hide()
