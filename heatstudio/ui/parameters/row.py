"""One parameter of the form: its name, what it is for, its value, where that comes from, and what Heat says."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFont, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from heatstudio.analysis.assist.sentences import constraint_words
from heatstudio.stack.parameter_form import FormField, value_of_text
from heatstudio.ui.parameters.input import input_for
from heatstudio.ui.widgets.announcer import announce
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.widgets.code_text import without_marks
from heatstudio.ui.widgets.layouts import in_column, in_row
from heatstudio.ui.widgets.panel import GAP, tool_button
from heatstudio.ui.widgets.plain_text import PlainLabel
from heatstudio.ui.widgets.row_delegate import caption_font
from heatstudio.ui.widgets.theme import Color

_SIGN = QSize(14, 14)
_MOST_NAMES = 5


class ParameterRow(QWidget):
    """Tells when its value changes; shows the verdict at once, before the template is analyzed again."""

    changed = Signal()

    def __init__(self, field: FormField, appearance: Appearance) -> None:
        super().__init__()
        self.field = field
        self._appearance = appearance
        self._line: int | None = None
        self._shown: tuple[FormField, int | None, str | None] | None = None
        self._said: str | None = None
        self._quiet: list[QLabel] = []
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
        """Shows the parameter as it is now; `line` is that of its environment file, from 1."""
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
        """Takes its colors again: Qt forgets some when it dresses a widget that was made before its window."""
        super().showEvent(event)
        self.dress()

    def value(self) -> object:
        """What was typed, as plain data; None if nothing was."""
        text = self.input.text()
        if text is None or self.field.schema is None:
            return None
        return value_of_text(self.field.schema.type, text)

    def clear(self) -> None:
        """Leaves the value to the environment and the default again."""
        self.input.set_text(None)
        self._tell()
        self.input.widget.setFocus()

    def dress(self) -> None:
        """Takes the colors of the theme that holds now."""
        for label in self._quiet:
            _color(label, self._appearance, Color.MUTED)
        self._judge()

    def _tell(self) -> None:
        self._judge()
        self.changed.emit()

    def _judge(self) -> None:
        fault = self.field.verdict(self.value())
        words = without_marks(fault or self._rules())
        color = Color.ERROR if fault else Color.MUTED
        self.verdict.setText(words)
        self.verdict.setVisible(bool(words))
        if fault and fault != self._said and self.input.widget.hasFocus():
            announce(self, words)
        self._said = fault
        _color(self.verdict, self._appearance, color)
        self._sign.setVisible(bool(fault))
        self._sign.setPixmap(self._appearance.icon("severity-error", Color.ERROR).pixmap(_SIGN))
        is_given = self.input.text() is not None
        self._clear.setEnabled(is_given)
        warns = is_given and self.field.schema is not None and self.field.schema.immutable
        origin = self._origin(is_given)
        self.origin.setText(origin)
        self.origin.setVisible(bool(origin))
        about = (self.verdict.text(), self.origin.text())
        self.input.widget.setAccessibleDescription(". ".join(part.rstrip(".") for part in about if part))
        _color(self.origin, self._appearance, Color.WARNING if warns else Color.MUTED)

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
            kind = " (its default)" if fallback.origin.value == "default" else kind
            return f"Value from {Path(fallback.file).name}{line}{kind}.{tail}"
        line = f", line {self._line}" if self._line is not None else ""
        words = {"default": f"Value from the default{line}.", "property": self._setters(), "missing": ""}
        return f"{words.get(fallback.origin.value, '')}{tail}".strip()

    def _setters(self) -> str:
        owners = ", ".join(use.place for use in self.field.uses if use.set_by_property)
        return f"Set by a property of {owners}, which overrides every default."

    def _declarers(self) -> str:
        owners: dict[str, list[str]] = {}
        for use in self.field.uses:
            owners.setdefault(Path(use.file).name, []).append(use.place)
        words = [f"{file} ({_some(names)})" for file, names in owners.items()]
        words += ["this template"] * self.field.is_shared
        setters = [use.place for use in self.field.uses if use.set_by_property and self.field.is_settable]
        but = f" Set by a property of {_some(setters)} there." if setters else ""
        return f"Declared by {', '.join(words)}.{but}"

    def _muted(self, text: str) -> QLabel:
        label = _caption()
        label.setText(text)
        _color(label, self._appearance, Color.MUTED)
        self._quiet.append(label)
        return label

    def _make_head(self) -> QHBoxLayout:
        title = PlainLabel(self.field.title.replace("_", "_\u200b"))  # so that long names may be broken
        title.setAccessibleName(self.field.title)
        title.setMinimumWidth(1)
        title.setWordWrap(True)
        font = QFont(title.font())
        font.setBold(True)
        title.setFont(font)
        title.setBuddy(self.input.widget)
        schema = self.field.schema
        words = [self.field.name.replace("_", "_\u200b")] * (self.field.title != self.field.name)
        words += [schema.type_word] if schema is not None else []
        words += ["hidden"] if schema is not None and schema.hidden else []
        words += ["immutable"] if schema is not None and schema.immutable else []
        kind = self._muted(" · ".join(words))
        kind.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return in_row((title, 3), (kind, 2), gap=GAP)


def _some(names: list[str]) -> str:
    """The names, unless they are too many to be read."""
    more = f" and {len(names) - _MOST_NAMES:,} more" if len(names) > _MOST_NAMES else ""
    return f"{', '.join(names[:_MOST_NAMES])}{more}"


def _caption() -> QLabel:
    label = PlainLabel()
    label.setMinimumWidth(1)  # a long word must not make the form wider than the pane
    label.setWordWrap(True)
    label.setFont(caption_font(label.font()))
    return label


def _color(label: QLabel, appearance: Appearance, color: Color) -> None:
    palette = label.palette()
    palette.setColor(palette.ColorRole.WindowText, appearance.theme.color(color))
    label.setPalette(palette)
