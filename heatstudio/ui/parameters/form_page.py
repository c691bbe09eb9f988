"""The rows of the form in groups: those of the template, then those of nested templates."""

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from heatstudio.analysis.assist.sentences import constraint_words
from heatstudio.stack.inputs.parameter_schema import ParameterSchema
from heatstudio.stack.parameter_form import FormField, FormGroup, ParameterForm, ValueOrigin, value_of_text, value_text
from heatstudio.ui.parameters.input import input_for
from heatstudio.ui.widgets.announcer import announce
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.widgets.code_text import without_marks
from heatstudio.ui.widgets.layouts import in_column, in_row
from heatstudio.ui.widgets.panel import EDGE, GAP, tool_button
from heatstudio.ui.widgets.plain_text import PlainLabel
from heatstudio.ui.widgets.row_delegate import caption_font
from heatstudio.ui.widgets.theme import Color

_SIGN = QSize(14, 14)
_MOST_NAMES = 5


_REQUIRED = "Required: enter a value."


class ParameterRow(QWidget):
    """The row of a parameter, which is validated immediately, before the template is analyzed again."""

    changed = Signal()

    def __init__(self, field: FormField, appearance: Appearance) -> None:
        super().__init__()
        self.field = field
        self._appearance = appearance
        self._line: int | None = None
        self._shown: tuple[FormField, int | None, str | None] | None = None
        self._said: str | None = None
        self._quiet: list[PlainLabel] = []
        self.input = input_for(field, appearance)
        self.input.changed.connect(self._tell)
        self.verdict = _caption()
        self.verdict.setAccessibleDescription(f"Check of {field.title}")
        self._sign = PlainLabel()
        self.origin = _caption()
        self.origin.setAccessibleDescription(f"Source of the value of {field.title}")
        self.declared = self._muted("")
        self.declared.setAccessibleDescription(f"Declarations of {field.title}")
        self._clear = tool_button(appearance, "close", f"Clear the value of {field.title}")
        self._clear.clicked.connect(self.clear)
        keeps_place = self._clear.sizePolicy()
        keeps_place.setRetainSizeWhenHidden(True)
        self._clear.setSizePolicy(keeps_place)
        layout = in_column(self._make_head(), of=self, gap=4)
        if field.schema is not None and field.schema.description:
            layout.addWidget(self._muted(field.schema.description))
        middle = in_row((self.input.widget, 1), (self._clear, Qt.AlignmentFlag.AlignTop), gap=4)
        layout.addLayout(middle)
        below = in_row((self._sign, Qt.AlignmentFlag.AlignTop), (self.verdict, 1), gap=4)
        layout.addLayout(below)
        layout.addWidget(self.origin)
        layout.addWidget(self.declared)
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
        self.declared.setText(self._declarers())
        self.declared.setVisible(bool(field.uses))
        self._judge()

    def showEvent(self, event: QShowEvent) -> None:
        """Apply the colors again, as Qt resets some when it polishes a widget that was created before its window."""
        super().showEvent(event)
        self.restyle()

    def value(self) -> object:
        """Return the typed value as plain data; None if there is none."""
        text = self.input.text()
        if text is None or self.field.schema is None:
            return None
        return value_of_text(self.field.schema.type, text)

    def clear(self) -> None:
        """Clear the value, so that the environment or the default applies."""
        self.input.set_text(None)
        self._tell()
        self.input.widget.setFocus()

    def restyle(self) -> None:
        """Apply the colors of the current theme."""
        for label in self._quiet:
            label.set_color(self._appearance.theme.color(Color.MUTED))
        self._judge()

    def _tell(self) -> None:
        self._judge()
        self.changed.emit()

    def _judge(self) -> None:
        value, origin = self.value(), self.field.fallback.origin
        fault = self.field.verdict(value)
        is_wrong = value is not None or self.field.schema is None or origin is not ValueOrigin.MISSING
        if not is_wrong:
            fault = _REQUIRED  # the field says already that it has no value
        sign = ("severity-error", Color.ERROR) if is_wrong else ("severity-information", Color.INFORMATION)
        words = without_marks(fault or self._rules())
        color = self._appearance.theme.color
        self.verdict.setText(words)
        self.verdict.setVisible(bool(words))
        if fault and fault != self._said and self.input.widget.hasFocus():
            announce(self, words)
        self._said = fault
        self.verdict.set_color(color(sign[1] if fault else Color.MUTED))
        self._sign.setVisible(bool(fault))
        self._sign.setPixmap(self._appearance.icon(*sign).pixmap(_SIGN))
        is_given = self.input.text() is not None
        self._clear.setVisible(is_given)
        warns = is_given and self.field.schema is not None and self.field.schema.immutable
        self.origin.setText(self._origin(is_given))
        self.origin.setVisible(bool(self.origin.text()))
        about = (self.verdict.text(), self.origin.text())
        self.input.widget.setAccessibleDescription(". ".join(part.rstrip(".") for part in about if part))
        self.origin.set_color(color(Color.WARNING if warns else Color.MUTED))

    def _rules(self) -> str:
        phrases = [one.description or constraint_words(one) for one in self.field.constraints]
        words = "; ".join(phrases)
        return words[:1].upper() + words[1:]

    def _origin(self, is_given: bool) -> str:
        immutable = self.field.schema is not None and self.field.schema.immutable
        tail = " Immutable: Heat rejects an update that changes it." if immutable else ""
        if is_given:
            return f"Value from this form.{tail}"
        fallback = self.field.fallback
        if fallback.file is not None:
            line = f", line {self._line}" if self._line is not None else ""
            kind = " (parameter_defaults)" if fallback.path[:1] == ("parameter_defaults",) else ""
            kind = " (default)" if fallback.origin.value == "default" else kind
            return f"Value from {Path(fallback.file).name}{line}{kind}.{tail}"
        line = f", line {self._line}" if self._line is not None else ""
        words = {"default": f"Value from the default{line}.", "property": self._setters(), "missing": ""}
        return f"{words.get(fallback.origin.value, '')}{tail}".strip()

    def _setters(self) -> str:
        owners = ", ".join(use.place for use in self.field.uses if use.set_by_property)
        return f"A property of {owners} sets the value and overrides every default."

    def _declarers(self) -> str:
        owners: dict[str, list[str]] = {}
        for use in self.field.uses:
            owners.setdefault(Path(use.file).name, []).append(use.place)
        words = [f"{file} ({_some(names)})" for file, names in owners.items()]
        words += ["this template"] * self.field.is_shared
        setters = [use.place for use in self.field.uses if use.set_by_property and self.field.is_settable]
        but = f" A property of {_some(setters)} sets the value." if setters else ""
        return f"Declared by {', '.join(words)}.{but}"

    def _muted(self, text: str) -> PlainLabel:
        label = _caption()
        label.setText(text)
        label.set_color(self._appearance.theme.color(Color.MUTED))
        self._quiet.append(label)
        return label

    def _make_head(self) -> QHBoxLayout:
        title = PlainLabel(wraps=True)
        title.set_name(self.field.title)
        title.setAccessibleName(self.field.title)
        title.setMinimumWidth(1)
        title.set_bold()
        title.setBuddy(self.input.widget)
        schema = self.field.schema
        words = [self.field.name] * (self.field.title != self.field.name)
        words += [schema.type_word] if schema is not None else []
        words += ["hidden"] if schema is not None and schema.hidden else []
        words += ["immutable"] if schema is not None and schema.immutable else []
        kind = self._muted("")
        kind.set_name(" · ".join(words))
        kind.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        beside_field = self._clear.sizeHint().width() + 4
        return in_row((title, 3), (kind, 2), edges=(0, 0, beside_field, 0), gap=GAP)


def _some(names: list[str]) -> str:
    """Return the first names, and the number of the others."""
    more = f" and {len(names) - _MOST_NAMES:,} more" if len(names) > _MOST_NAMES else ""
    return f"{', '.join(names[:_MOST_NAMES])}{more}"


def _caption() -> PlainLabel:
    label = PlainLabel(wraps=True)
    label.setMinimumWidth(1)  # a long word must not make the form wider than the pane
    label.setFont(caption_font(label.font()))
    return label


_WIDEST = 640
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
        self.setMaximumWidth(_WIDEST)
        self._appearance = appearance
        self._layout = in_column(1, of=self, edges=(EDGE, GAP, EDGE, EDGE), gap=EDGE)
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
            self._add(_heading(_NESTED))
            self._add(PlainLabel(_ABOUT_NESTED, wraps=True))
        yield from self._add_groups(form.nested, self.nested_rows)

    def _add_groups(self, groups: tuple[FormGroup, ...], rows: dict[str, ParameterRow]) -> Iterator[None]:
        for group in groups:
            if group.label:
                is_file = bool(group.fields[0].uses)
                label = Path(group.label).name if is_file else group.label
                self._add(_heading(label, 14 if is_file else 16))
            if group.description:
                self._add(PlainLabel(group.description, wraps=True))
            for field in group.fields:
                row = rows[field.name] = ParameterRow(field, self._appearance)
                self._add(row)
                self.row_made.emit(row)
                yield

    def _add(self, widget: QWidget) -> None:
        """Add a widget to the last part, as Qt then measures only that part again."""
        if self._part is None or self._part.count() >= _PART:
            part = QWidget()
            self._part = in_column(of=part, gap=EDGE)
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


def _heading(text: str, size: int = 16) -> QLabel:
    label = PlainLabel(text)
    label.set_bold(size)
    return label
