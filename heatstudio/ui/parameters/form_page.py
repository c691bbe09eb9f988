"""The rows of the form in groups, those of the template, then those of nested templates, with their inputs."""

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QPlainTextEdit, QSizePolicy, QVBoxLayout, QWidget

from heatstudio.analysis.assist.sentences import constraint_words
from heatstudio.stack.inputs.parameter_schema import ParameterSchema, ParameterType
from heatstudio.stack.parameter_form import FormField, FormGroup, ParameterForm, ValueOrigin, value_of_text, value_text
from heatstudio.text.invisible import visible
from heatstudio.ui.widgets import EDGE, GAP, Appearance, Color, ElidedLabel, PlainLabel, in_column, in_row, plain
from heatstudio.ui.widgets.announcer import announce
from heatstudio.ui.widgets.choice_box import ChoiceBox
from heatstudio.ui.widgets.code_text import without_marks
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


_SIGN = QSize(14, 14)
_MOST_NAMES = 5
_COLUMNS = (5, 6, 5)
"""The shares of the width for name, field and origin."""
_REQUIRED = "Required"


class ParameterRow(QWidget):
    """A row of the table: name, field, and origin of the value, which is checked before the template is analyzed."""

    changed = Signal()

    def __init__(self, field: FormField, appearance: Appearance) -> None:
        super().__init__()
        self.field = field
        self._appearance = appearance
        self._line: int | None = None
        self._shown: tuple[FormField, int | None, str | None] | None = None
        self._said: str | None = None
        self.details = ""
        """Everything about the parameter and its value, in sentences."""
        self.input = input_for(field, appearance)
        self.input.changed.connect(self._tell)
        self.name = ElidedLabel()
        self.name.setText(field.title)
        self.name.setAccessibleName(visible(field.title))
        self.name.setBuddy(self.input.widget)
        self._sign = PlainLabel()
        self.note = ElidedLabel()
        self.note.set_size(11)
        self.note.setAccessibleDescription(f"Origin or problem of the value of {visible(field.title)}")
        origin = QWidget()
        in_row(self._sign, (self.note, 1), of=origin, gap=4)
        top = Qt.AlignmentFlag.AlignTop
        row = in_row(of=self, edges=(0, 1, 0, 1), gap=GAP)
        for cell, share in zip((self.name, self.input.widget, origin), _COLUMNS, strict=True):
            cell.setMinimumWidth(1)
            cell.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            row.addWidget(cell, share)
            row.setAlignment(cell, top)
        for cell in (self.name, origin):
            cell.setFixedHeight(self.input.line_height)
        self.show_field(field, None, None)

    def show_field(self, field: FormField, line: int | None, value: str | None) -> None:
        """Show the current state of the parameter; `line` is the line of its fallback value in a file, from 1."""
        shown = (field, line, value)
        if shown == self._shown and value == self.input.text():
            return
        self._shown = shown
        self.field, self._line = field, line
        self.input.set_fallback(field.fallback_text)
        self.input.set_text(value)
        self.judge()

    def showEvent(self, event: QShowEvent) -> None:
        """Apply the colors again, as Qt resets some when it polishes a widget that was created before its window."""
        super().showEvent(event)
        self.judge()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to the next or previous field by Enter and the arrow keys, which a line does not use."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down):
            self.focusNextChild()
        elif event.key() == Qt.Key.Key_Up:
            self.focusPreviousChild()
        else:
            super().keyPressEvent(event)

    def value(self) -> object:
        """Return the typed value as plain data; None if there is none."""
        text = self.input.text()
        if text is None or self.field.schema is None:
            return None
        return value_of_text(self.field.schema.type, text)

    def _tell(self) -> None:
        self.judge()
        self.changed.emit()

    def judge(self) -> None:
        """Show the origin of the value or what is wrong with it, in the colors of the current theme."""
        value, origin, schema = self.value(), self.field.fallback.origin, self.field.schema
        fault = self.field.verdict(value)
        is_wrong = value is not None or schema is None or origin is not ValueOrigin.MISSING
        if not is_wrong:
            fault = _REQUIRED  # the field says already that it has no value
        is_given = self.input.text() is not None
        is_fixed = is_given and schema is not None and schema.immutable
        icon, color = ("severity-error", Color.ERROR) if is_wrong else ("severity-information", Color.INFORMATION)
        if not fault:
            icon, color = ("severity-warning", Color.WARNING) if is_fixed else ("", Color.MUTED)
        words = without_marks(fault or "")
        if words and words != self._said and self.input.widget.hasFocus():
            announce(self, words)
        self._said = words
        self._sign.setVisible(bool(icon))
        if icon:
            self._sign.setPixmap(self._appearance.icon(icon, color).pixmap(_SIGN))
        self.note.setText(words or self._origin(is_given))
        self.note.set_color(self._appearance.theme.color(color))
        description = (schema.description or "").strip() if schema is not None else ""
        rules = "; ".join(one.description or constraint_words(one) for one in self.field.constraints)
        rules = without_marks(rules[:1].upper() + rules[1:])
        about = (description, words, rules, self._origin(is_given, whole=True), self._declarers())
        self.details = "\n".join(part if part.endswith((".", "!", "?")) else f"{part}." for part in about if part)
        self.input.widget.setAccessibleDescription(visible(f"{self.kind()}. {self.details}".replace("\n", " ")))
        self.setToolTip(plain(self.details))

    def kind(self) -> str:
        """Return the name, if there is a label, and the type in words."""
        schema = self.field.schema
        words = [self.field.name] * (self.field.title != self.field.name)
        if schema is not None:
            words += [schema.type_word, *["hidden"] * schema.hidden, *["immutable"] * bool(schema.immutable)]
        return " · ".join(words)

    def _origin(self, is_given: bool, *, whole: bool = False) -> str:
        """Return the origin of the value in a few words, or as a sentence with its consequence."""
        schema, fallback = self.field.schema, self.field.fallback
        fixed = " Immutable: Heat rejects an update that changes it." if schema is not None and schema.immutable else ""
        line = f", line {self._line}" if self._line is not None else ""
        if is_given:
            short = "typed here"
        elif fallback.file is not None:
            kind = " (parameter_defaults)" if fallback.path[:1] == ("parameter_defaults",) else ""
            kind = " (default)" if fallback.origin is ValueOrigin.DEFAULT else kind
            short = f"{Path(fallback.file).name}{line}{kind}"
        elif fallback.origin is ValueOrigin.PROPERTY:
            short = f"property of {', '.join(use.place for use in self.field.uses if use.set_by_property)}"
        else:
            short = f"default{line}" if fallback.origin is ValueOrigin.DEFAULT else ""
        if not whole:
            return short
        return f"Value: {short}.{fixed}" if short else fixed.strip()

    def _declarers(self) -> str:
        if not self.field.uses:
            return ""
        owners: dict[str, list[str]] = {}
        for use in self.field.uses:
            owners.setdefault(Path(use.file).name, []).append(use.place)
        words = [f"{file} ({_some(names)})" for file, names in owners.items()]
        words += ["this template"] * self.field.is_shared
        setters = [use.place for use in self.field.uses if use.set_by_property]
        but = f" A property of {_some(setters)} sets the value and overrides every default." if setters else ""
        return f"Declared by {', '.join(words)}.{but}"


def _some(names: list[str]) -> str:
    """Return the first names, and the number of the others."""
    more = f" and {len(names) - _MOST_NAMES:,} more" if len(names) > _MOST_NAMES else ""
    return f"{', '.join(names[:_MOST_NAMES])}{more}"


_PART = 12
"""The number of widgets in a part, which Qt measures together."""
_NESTED = "Parameters of nested templates"
_ABOUT_NESTED = "A value here is the default in nested stacks (parameter_defaults); a parent template can override it."
Place = tuple[str | None, tuple[str | int, ...]]
"""A file, and a path in it."""


class FormPage(QWidget):
    """The form: a row for each parameter below the headings of groups; a long form grows on scrolling."""

    row_made = Signal(object)
    """A new row."""

    def __init__(self, form: ParameterForm, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self.setStyleSheet(LOW_FIELDS)
        self._layout = in_column(1, of=self, edges=(EDGE, 0, EDGE, GAP), gap=0)
        self._part: QVBoxLayout | None = None
        self.rows: dict[str, ParameterRow] = {}
        self.nested_rows: dict[str, ParameterRow] = {}
        self._rest = self._steps(form)
        self.is_whole = False
        """Whether all rows are created."""

    def grow(self, count: int) -> None:
        """Create more rows."""
        made = sum(1 for _ in islice(self._rest, count))
        self.is_whole = made < count

    def _steps(self, form: ParameterForm) -> Iterator[None]:
        """Create one row at each step."""
        yield from self._add_groups(form.groups, self.rows)
        if form.nested:
            self._add(_heading(_NESTED, _ABOUT_NESTED))
        yield from self._add_groups(form.nested, self.nested_rows)

    def _add_groups(self, groups: tuple[FormGroup, ...], rows: dict[str, ParameterRow]) -> Iterator[None]:
        for group in groups:
            if group.label:
                is_file = bool(group.fields[0].uses)
                label = Path(group.label).name if is_file else group.label
                self._add(_heading(label, group.description))
            for field in group.fields:
                row = rows[field.name] = ParameterRow(field, self._appearance)
                self._add(row)
                self.row_made.emit(row)
                yield

    def _add(self, widget: QWidget) -> None:
        """Add a widget to the last part, as Qt then measures only that part again."""
        if self._part is None or self._part.count() >= _PART:
            part = QWidget()
            self._part = in_column(of=part, gap=0)
            self._layout.insertWidget(self._layout.count() - 1, part)
        self._part.addWidget(widget)


def typed_values(rows: Mapping[str, ParameterRow]) -> dict[str, object]:
    """Return the typed values by parameter name."""
    return {name: value for name, row in rows.items() if (value := row.value()) is not None}


def shape_of(groups: tuple[FormGroup, ...]) -> list[object]:
    """Return the facts for which rows are kept if they are equal: all but defaults, which environments may change."""
    return [
        (group.label, group.description, [(one.name, _declared(one), one.is_settable) for one in group.fields])
        for group in groups
    ]


def _declared(field: FormField) -> ParameterSchema | None:
    return replace(field.schema, default=None) if field.schema is not None else None


def show_fields(
    rows: Mapping[str, ParameterRow],
    fields: Mapping[str, FormField],
    given: Mapping[str, object],
    lines: Mapping[Place, int | None],
) -> None:
    """Show the current state of every parameter, and keep the text that is being typed."""
    for name, row in rows.items():
        field = fields[name]
        typed = row.input.text()
        same = typed is not None and row.value() == given.get(name)
        shown = typed if same or row.input.widget.hasFocus() else None
        if shown is None and name in given:
            shown = value_text(given[name])
        row.show_field(field, lines.get((field.fallback.file, field.fallback.path)), shown)


def _heading(text: str, description: str) -> QWidget:
    """Return the line above a section, which is not higher than a row."""
    heading, title, about = QWidget(), PlainLabel(text), ElidedLabel()
    title.set_bold()
    about.setText(description)
    about.setForegroundRole(about.palette().ColorRole.PlaceholderText)
    in_row(title, (about, 1), of=heading, edges=(0, 4, 0, 2), gap=GAP)
    return heading
