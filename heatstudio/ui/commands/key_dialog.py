"""The dialog that changes the key of a command."""

import re

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QKeySequenceEdit, QPushButton, QWidget

from heatstudio.ui.commands.actions import Actions, native_key
from heatstudio.ui.commands.commands import COMMANDS, TEXT_KEYS
from heatstudio.ui.widgets.announcer import AnnouncingLabel
from heatstudio.ui.widgets.layouts import in_column
from heatstudio.ui.widgets.panel import EDGE, GAP
from heatstudio.ui.widgets.plain_text import PlainLabel

_WIDTH = 420
_OF_DIALOG = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape, Qt.Key.Key_Tab, Qt.Key.Key_Backtab)
_NEEDS_MODIFIER = "The text uses this key. Press one with Ctrl or Alt, or a function key."
_FOR_COMMANDS = re.compile(r"(Shift\+)?((Ctrl|Alt|Meta)\+|(F\d+|Del|Ins)$)")
_FREE = "This key is free."


class KeyDialog(QDialog):
    """A dialog that waits for the key of a command, and names the command that has it already."""

    def __init__(self, name: str, actions: Actions, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._name, self._actions = name, actions
        title = COMMANDS[name].title
        self.setWindowTitle(f"Key for {title}")
        self.setAccessibleName(self.windowTitle())
        self.resize(_WIDTH, 0)
        self.edit = QKeySequenceEdit(maximumSequenceLength=1)
        self.edit.setAccessibleName(f"New key for {title}")
        self.edit.setKeySequence(QKeySequence(next(iter(actions.keys_of(name)), "")))
        self.edit.installEventFilter(self)
        self.edit.keySequenceChanged.connect(self._judge)
        self.said = AnnouncingLabel("Use of the key", wraps=True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, parent=self)
        self.assign = buttons.addButton("Assign", QDialogButtonBox.ButtonRole.AcceptRole)
        self.remove = QPushButton("No Key", autoDefault=False)
        self.reset = QPushButton("Use Default", autoDefault=False)
        for button, slot in ((self.remove, self._remove), (self.reset, self._reset)):
            buttons.addButton(button, QDialogButtonBox.ButtonRole.ResetRole)
            button.clicked.connect(slot)
        self.remove.setEnabled(bool(actions.keys_of(name)))
        self.reset.setEnabled(actions.is_changed(name))
        buttons.accepted.connect(self._assign)
        buttons.rejected.connect(self.reject)
        words = PlainLabel("Press the new key. Enter assigns it, Escape cancels.", wraps=True)
        in_column(words, self.edit, self.said, 1, buttons, of=self, edges=(EDGE, EDGE, EDGE, EDGE), gap=GAP)
        self.edit.setFocus()
        self._judge()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave Enter, Escape and Tab to the dialog."""
        if not isinstance(event, QKeyEvent) or event.type() is not QEvent.Type.KeyPress:
            return super().eventFilter(watched, event)
        if event.key() not in _OF_DIALOG or event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier:
            return super().eventFilter(watched, event)
        if event.key() == Qt.Key.Key_Escape:
            self.reject()
        elif event.key() in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            self.focusNextPrevChild(event.key() == Qt.Key.Key_Tab)
        else:
            self.assign.click()
        return True

    def _judge(self) -> None:
        """Say whether the key can be assigned, and from which command."""
        key = self.edit.keySequence()
        fixed, owners = fixed_use(key.toString()), self._owners()
        self.assign.setEnabled(not key.isEmpty() and not fixed)
        taken = f"{native_key(key.toString())} belongs to {', '.join(owners)}. Assign removes it there."
        self.said.setText("" if key.isEmpty() else fixed or (taken if owners else _FREE))

    def _owners(self) -> list[str]:
        key = self.edit.keySequence().toString()
        return [COMMANDS[one].title for one in COMMANDS if one != self._name and key in self._actions.keys_of(one)]

    def _assign(self) -> None:
        self._actions.set_keys(self._name, (self.edit.keySequence().toString(),))
        self.accept()

    def _remove(self) -> None:
        self._actions.set_keys(self._name, ())
        self.accept()

    def _reset(self) -> None:
        self._actions.set_keys(self._name, None)
        self.accept()


def fixed_use(key: str) -> str:
    """Return why a key, in Qt's portable form, cannot be the key of a command; empty if it can."""
    for one in TEXT_KEYS:
        if {key, key.replace("Shift+", "")} & {QKeySequence(fixed).toString() for fixed in one.shortcuts}:
            return f"{native_key(key)} is a fixed key of the text: {one.title}."
    return "" if not key or _FOR_COMMANDS.match(key) else _NEEDS_MODIFIER
