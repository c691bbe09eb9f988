"""The rows of the form, in groups: those of the template itself, then those of nested templates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from heatstudio.stack.inputs.parameter_schema import ParameterSchema
from heatstudio.stack.parameter_form import FormField, FormGroup, ParameterForm, value_text
from heatstudio.ui.parameters.row import ParameterRow
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.widgets.panel import EDGE, GAP
from heatstudio.ui.widgets.plain_text import PlainLabel

_WIDEST = 640
_PART = 12
"""Widgets that are measured together."""
_NESTED = "Parameters of nested templates"
_ABOUT_NESTED = (
    "A value typed here becomes a default for the whole tree (parameter_defaults), unless the parent template sets it."
)
Place = tuple[str | None, tuple[str | int, ...]]
"""A file, and where in it."""


class FormPage(QWidget):
    """One row for each parameter, below the headings of their groups.

    A short form is there at once; a long one grows as far as somebody scrolls, so that nobody waits for rows that
    nobody looks at.
    """

    row_made = Signal(object)
    """A row that was not there yet."""

    def __init__(self, form: ParameterForm, appearance: Appearance) -> None:
        super().__init__()
        self.setMaximumWidth(_WIDEST)
        self._appearance = appearance
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(EDGE, GAP, EDGE, EDGE)
        self._layout.setSpacing(EDGE)
        self._layout.addStretch(1)
        self._part: QVBoxLayout | None = None
        self.rows: dict[str, ParameterRow] = {}
        self.nested_rows: dict[str, ParameterRow] = {}
        self._rest = self._steps(form)
        self.is_whole = False
        """Whether every row is made."""

    def grow(self, count: int) -> None:
        """Makes some more rows."""
        made = sum(1 for _ in islice(self._rest, count))
        self.is_whole = made < count

    def _steps(self, form: ParameterForm) -> Iterator[None]:
        """Makes one row at each step."""
        yield from self._add_groups(form.groups, self.rows)
        if form.nested:
            self._add(_heading(_NESTED))
            self._add(_words(_ABOUT_NESTED))
        yield from self._add_groups(form.nested, self.nested_rows)

    def _add_groups(self, groups: tuple[FormGroup, ...], rows: dict[str, ParameterRow]) -> Iterator[None]:
        for group in groups:
            if group.label:
                is_file = bool(group.fields[0].uses)
                label = Path(group.label).name if is_file else group.label
                self._add(_heading(label, 14 if is_file else 16))
            if group.description:
                self._add(_words(group.description))
            for field in group.fields:
                row = rows[field.name] = ParameterRow(field, self._appearance)
                self._add(row)
                self.row_made.emit(row)
                yield

    def _add(self, widget: QWidget) -> None:
        """Puts a widget below the others, in parts: a new row then makes Qt measure only the part that it is in."""
        if self._part is None or self._part.count() >= _PART:
            part = QWidget()
            self._part = QVBoxLayout(part)
            self._part.setContentsMargins(0, 0, 0, 0)
            self._part.setSpacing(EDGE)
            self._layout.insertWidget(self._layout.count() - 1, part)
        self._part.addWidget(widget)


def typed_values(rows: Mapping[str, ParameterRow]) -> dict[str, object]:
    """What was typed into rows, by name of the parameter."""
    return {name: value for name, row in rows.items() if (value := row.value()) is not None}


def shape_of(groups: tuple[FormGroup, ...]) -> list[object]:
    """What has to be the same for the rows to stay; a default may change, as `parameter_defaults` do to nested ones."""
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
    """Shows every parameter as it is now; what is being typed stays."""
    for name, row in rows.items():
        field = fields[name]
        typed = row.input.text()
        same = typed is not None and row.value() == given.get(name)
        shown = typed if same or row.input.widget.hasFocus() else None
        if shown is None and name in given:
            shown = value_text(given[name])
        row.show_field(field, lines.get((field.fallback.file, field.fallback.path)), shown)


def _words(text: str) -> QLabel:
    label = PlainLabel(text)
    label.setWordWrap(True)
    return label


def _heading(text: str, size: int = 16) -> QLabel:
    label = PlainLabel(text)
    font = QFont(label.font())
    font.setPixelSize(size)
    font.setBold(True)
    label.setFont(font)
    return label
