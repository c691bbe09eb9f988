"""The confirmation of a stack action."""

from collections.abc import Callable

from msgspec import Struct
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QPushButton, QWidget

from heatstudio.assets import resource_path
from heatstudio.bundled_data import read_data
from heatstudio.cloud.changes import StackAction
from heatstudio.ui.widgets.layouts import in_column
from heatstudio.ui.widgets.panel import EDGE, GAP
from heatstudio.ui.widgets.plain_text import PlainLabel
from heatstudio.ui.widgets.text_keys import LineEdit

_WIDTH = 460


class ActionWords(Struct, frozen=True, forbid_unknown_fields=True):
    """The texts of an action."""

    doing: str
    button: str
    sentence: str
    """A format string with the fields `stack`, `cloud` and `resources`."""


_WORDS = read_data(resource_path("stack_actions.json"), dict[str, ActionWords])


def action_words(action: StackAction | None) -> ActionWords:
    """Return the texts of an action; None is the deletion."""
    return _WORDS[action or "delete"]


class ActionDialog(QDialog):
    """A dialog that describes an action; its button is disabled until a required stack name is typed."""

    def __init__(self, parent: QWidget, words: ActionWords, sentence: str, name: str, go: Callable[[], object]) -> None:
        super().__init__(parent)
        self._name, self._go = name, go
        self.setWindowTitle(words.button)
        self.setAccessibleName(words.button)
        self.setModal(True)
        self.setMinimumWidth(_WIDTH)
        self.typed = LineEdit("Type the stack name to confirm", parent=self)
        self.typed.textChanged.connect(self._allow)
        self.button = QPushButton(words.button)
        self.button.setAutoDefault(False)  # Return must not send anything
        form = QFormLayout()
        if name:
            form.addRow(PlainLabel(f"Type {name} to confirm:"), self.typed)
        self.typed.setVisible(bool(name))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, parent=self)
        buttons.addButton(self.button, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.button(QDialogButtonBox.StandardButton.Cancel).setDefault(True)
        buttons.accepted.connect(self._confirm)
        buttons.rejected.connect(self.reject)
        label = PlainLabel(sentence, wraps=True)
        in_column(label, form, 1, buttons, of=self, edges=(EDGE, EDGE, EDGE, EDGE), gap=GAP)
        self._allow()

    def _allow(self) -> None:
        self.button.setEnabled(self.typed.text().strip() == self._name)

    def _confirm(self) -> None:
        if self.button.isEnabled():
            self.accept()
            self._go()
