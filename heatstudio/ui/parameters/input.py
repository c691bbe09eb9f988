"""The input widget for the value of one parameter."""

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QPlainTextEdit, QWidget

from heatstudio.stack.inputs.parameter_schema import ParameterType
from heatstudio.stack.parameter_form import FormField, value_text
from heatstudio.text.invisible import visible
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.widgets.choice_box import ChoiceBox
from heatstudio.ui.widgets.text_keys import LineEdit, guard_keys

_MOST_LINES = 6
_NOTHING = "No value"
_PADDING = 6
LOW_FIELDS = """
QLineEdit { padding: 1px 6px; }
QPlainTextEdit { border: 1px solid palette(shadow); border-radius: 4px; padding: 0 4px; background: palette(base); }
QPlainTextEdit:focus { border-color: palette(accent); }
"""
"""The style of the fields of a table, whose multi-line edits look like line edits."""


class Input(QObject):
    """The base class of inputs; an empty one leaves the value to the environment or the default."""

    changed = Signal()

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.widget = widget
        self.line_height = widget.fontMetrics().height() + _PADDING
        """The height of a row with one line, in pixels."""
        widget.setFixedHeight(self.line_height)

    def text(self) -> str | None:
        """Return the typed or selected value; None if there is none."""
        return None

    def set_text(self, text: str | None) -> None:
        """Show a value without emitting `changed`; None shows the fallback."""

    def set_fallback(self, text: str) -> None:
        """Show the value that applies while nothing is typed."""


class LineInput(Input):
    """A line edit, masked for a hidden parameter."""

    def __init__(self, name: str, *, hidden: bool) -> None:
        self._line = LineEdit(name)
        super().__init__(self._line)
        if hidden:
            self._line.setEchoMode(LineEdit.EchoMode.Password)
        self._line.textEdited.connect(lambda _text: self.changed.emit())

    def text(self) -> str | None:
        """Return the text; None if it is empty."""
        return self._line.text() or None

    def set_text(self, text: str | None) -> None:
        """Show a value, or the fallback as placeholder."""
        if self._line.text() != (text or ""):
            self._line.setText(text or "")

    def set_fallback(self, text: str) -> None:
        """Show the fallback as placeholder."""
        self._line.setPlaceholderText(text or _NOTHING)


class ChoiceInput(Input):
    """A combo box with the allowed values; its first entry is the fallback."""

    def __init__(self, choices: list[str]) -> None:
        self._box = _QuietBox()
        super().__init__(self._box)
        self._box.addItem(_NOTHING)
        self._box.addItems(choices)
        self._box.activated.connect(lambda _row: self.changed.emit())

    def text(self) -> str | None:
        """Return the selected value; None for the first entry."""
        return self._box.currentText() if self._box.currentIndex() > 0 else None

    def set_text(self, text: str | None) -> None:
        """Select a value, even if it is not allowed, so that the validation can report it."""
        row = 0 if text is None else self._box.findText(text)
        if row < 0:
            self._box.addItem(text or "")
            row = self._box.count() - 1
        self._box.setCurrentIndex(row)

    def set_fallback(self, text: str) -> None:
        """Show the value that applies without a selection in the first entry."""
        self._box.setItemText(0, f"{text} (not set here)" if text else _NOTHING)


class _QuietBox(ChoiceBox):
    """A combo box that leaves wheel events to the form unless it has the focus."""

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumContentsLength(8)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Ignore the wheel without the focus, as scrolling past the box must not change it."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class TextInput(Input):
    """A multi-line edit in a monospaced font, for JSON."""

    def __init__(self, appearance: Appearance) -> None:
        self._edit = QPlainTextEdit(tabChangesFocus=True)
        super().__init__(self._edit)
        guard_keys(self._edit)
        self._edit.setFont(appearance.fixed_font())
        self._edit.document().setDocumentMargin(0)
        self._edit.textChanged.connect(self._fit)
        self._edit.textChanged.connect(self.changed)

    def text(self) -> str | None:
        """Return the text; None if it is blank."""
        text = self._edit.toPlainText()
        return text if text.strip() else None

    def set_text(self, text: str | None) -> None:
        """Show a value, or the fallback as placeholder."""
        if self._edit.toPlainText() != (text or ""):
            self._edit.blockSignals(True)
            self._edit.setPlainText(text or "")
            self._edit.blockSignals(False)
            self._fit()

    def set_fallback(self, text: str) -> None:
        """Show the fallback as placeholder, in one line."""
        self._edit.setPlaceholderText(" ".join(text.split()) or _NOTHING)

    def _fit(self) -> None:
        """Make the edit as high as its lines, within limits."""
        lines = min(self._edit.blockCount(), _MOST_LINES) - 1
        self._edit.setFixedHeight(self.line_height + lines * self._edit.fontMetrics().lineSpacing())


def input_for(field: FormField, appearance: Appearance) -> Input:
    """Return the input for a parameter."""
    schema = field.schema
    if field.choices:
        made: Input = ChoiceInput([value_text(one) for one in field.choices])
    elif schema is not None and schema.type is ParameterType.MAP and not schema.hidden:
        made = TextInput(appearance)
    else:
        made = LineInput(field.title, hidden=schema is not None and schema.hidden)
    made.widget.setAccessibleName(visible(field.title))
    made.widget.setEnabled(field.is_settable)
    if isinstance(made.widget, QComboBox):
        made.widget.view().setAccessibleName(visible(field.title))
    return made
