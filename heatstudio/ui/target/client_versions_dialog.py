"""The dialog with the API versions of the user's cloud, which property groups depend on."""

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QFormLayout, QWidget

from heatstudio.stack.groups.api_version import read_api_version
from heatstudio.ui.widgets.announcer import AnnouncingLabel
from heatstudio.ui.widgets.dialogs import close_button
from heatstudio.ui.widgets.layouts import in_column
from heatstudio.ui.widgets.panel import EDGE, GAP
from heatstudio.ui.widgets.plain_text import PlainLabel
from heatstudio.ui.widgets.text_keys import LineEdit

_WIDTH = 460
_WORDS = (
    "The API versions of your cloud determine which properties Heat accepts. "
    "An empty field means the default; changes apply immediately."
)


class ClientVersionsDialog(QDialog):
    """A field for each client plug-in, in a non-modal dialog."""

    changed = Signal(dict)
    """The explicit versions by client plug-in."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Cloud API versions")
        self.setAccessibleName("Cloud API versions")
        self.setMinimumWidth(_WIDTH)
        self._chosen: dict[str, str] = {}
        self.fields: dict[str, LineEdit] = {}
        self._form = QFormLayout()
        self.complaint = AnnouncingLabel("Error", wraps=True)
        words = PlainLabel(_WORDS, wraps=True)
        rows = (words, self._form, self.complaint, 1, close_button(self))
        in_column(*rows, of=self, edges=(EDGE, EDGE, EDGE, EDGE), gap=GAP)

    def choose(self, chosen: Mapping[str, str], defaults: Mapping[str, str]) -> None:
        """Show the dialog with the chosen versions; an empty default is unknown."""
        self._chosen = dict(chosen)
        for name in sorted(defaults.keys() - self.fields.keys()):
            self.fields[name] = field = LineEdit(f"API version of {name}")
            field.editingFinished.connect(partial(self._take, name))
            self._form.addRow(name, field)
        self.offer(defaults)
        for name, field in self.fields.items():
            field.setText(self._chosen.get(name, ""))
        self.complaint.setText("")
        self.show()
        self.raise_()
        for field in list(self.fields.values())[:1]:
            field.setFocus()

    def offer(self, defaults: Mapping[str, str]) -> None:
        """Show the default versions in empty fields, as after another release is chosen."""
        for name, field in self.fields.items():
            field.setPlaceholderText(f"default {defaults.get(name) or 'not known'}")

    def _take(self, name: str) -> None:
        written = self.fields[name].text().strip()
        version = read_api_version(written)
        is_wrong = bool(written) and version is None
        self.complaint.setText(f"“{written}” is not an API version. Example: 2.79." if is_wrong else "")
        if not is_wrong:
            self._choose(name, version)
        self.fields[name].setText(self._chosen.get(name, ""))

    def _choose(self, name: str, version: str | None) -> None:
        chosen = {other: one for other, one in self._chosen.items() if other != name}
        if version is not None:
            chosen[name] = version
        if chosen != self._chosen:
            self._chosen = chosen
            self.changed.emit(dict(chosen))
