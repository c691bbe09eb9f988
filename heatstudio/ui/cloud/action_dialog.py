"""The confirmation of a stack action."""

import json
from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QPushButton, QWidget

from heatstudio.cloud.stack_actions import ActionTarget, EntryKind, TargetKind
from heatstudio.text.invisible import visible
from heatstudio.ui.widgets import EDGE, GAP, PlainLabel, in_column, plain
from heatstudio.ui.widgets.choice_box import choice_box
from heatstudio.ui.widgets.text_keys import LineEdit

_WIDTH = 460
_HINTS = {EntryKind.JSON: "data for the resource; may be empty", EntryKind.REASON: "may be empty"}
Confirmed = Callable[[ActionTarget | None, str], object]
"""A function of the chosen object and the entered text."""


class ActionDialog(QDialog):
    """A dialog that describes an action; its button is disabled until all fields are valid."""

    def __init__(
        self,
        parent: QWidget,
        button: str,
        sentence: str,
        go: Confirmed,
        *,
        typed: str = "",
        chooses: TargetKind | None = None,
        choices: Sequence[ActionTarget] = (),
        asks: EntryKind | None = None,
        text: str = "",
    ) -> None:
        """`typed` is the stack name to type; `text` the initial text of the field."""
        super().__init__(parent)
        self._typed_name, self._choices, self._asks, self._go = typed, choices, asks, go
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(button)
        self.setAccessibleName(button)
        self.setModal(True)
        self.setMinimumWidth(_WIDTH)
        self.button = QPushButton(button)
        form = QFormLayout()
        self.choice = choice_box(chooses.capitalize() if chooses is not None else "Object")
        self.choice.addItems([visible(one.label) for one in choices])
        self.text = LineEdit(asks or "Text", text, self)
        self.typed = LineEdit("Type the stack name to confirm", parent=self)
        if chooses is not None:
            form.addRow(f"&{chooses.capitalize()}:", self.choice)
        if asks is not None:
            self.text.setPlaceholderText(_HINTS.get(asks, ""))
            form.addRow(f"{asks}:", self.text)
        if typed:
            form.addRow(PlainLabel(f"Type {typed} to confirm:"), self.typed)
        self.choice.setParent(self)
        for field, is_used in ((self.choice, chooses), (self.text, asks), (self.typed, typed)):
            field.setVisible(bool(is_used))
        for line in (self.text, self.typed):
            line.textChanged.connect(self._allow)
        buttons = confirmation_buttons(self, self.button, self._confirm)
        in_column(PlainLabel(sentence, wraps=True), form, 1, buttons, of=self, edges=(EDGE, EDGE, EDGE, EDGE), gap=GAP)
        self._allow()

    def _allow(self) -> None:
        is_valid = self._asks is not EntryKind.JSON or _is_json(self.text.text())
        self.button.setToolTip(plain("" if is_valid else "The data is not a JSON object."))
        self.button.setEnabled(is_valid and self.typed.text().strip() == self._typed_name)

    def _confirm(self) -> None:
        if self.button.isEnabled():
            self.accept()
            chosen = self._choices[self.choice.currentIndex()] if self._choices else None
            self._go(chosen, self.text.text().strip())


def _is_json(entered: str) -> bool:
    try:
        return not entered.strip() or isinstance(json.loads(entered), dict)
    except (ValueError, RecursionError):
        return False


def confirmation_buttons(dialog: QDialog, button: QPushButton, confirm: Callable[[], object]) -> QDialogButtonBox:
    """Return the buttons of a confirmation; Cancel is the default, as Return must not send anything."""
    button.setAutoDefault(False)
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, parent=dialog)
    buttons.addButton(button, QDialogButtonBox.ButtonRole.AcceptRole)
    buttons.button(QDialogButtonBox.StandardButton.Cancel).setDefault(True)
    buttons.accepted.connect(confirm)
    buttons.rejected.connect(dialog.reject)
    return buttons
