"""The keys that texts and fields accept; Qt's other bindings, such as Ctrl+D on X11, delete text that nobody named."""

import sys
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QPaintEvent
from PySide6.QtWidgets import QLineEdit, QWidget

_Key, _Modifier, _Standard = Qt.Key, Qt.KeyboardModifier, QKeySequence.StandardKey
_COMMAND: Final = _Modifier.ControlModifier | _Modifier.AltModifier | _Modifier.MetaModifier
_ALT_GR: Final = {"win32": _Modifier.ControlModifier | _Modifier.AltModifier, "darwin": _Modifier.AltModifier}
"""The modifiers of AltGr, which types other characters, where it is a combination of them."""
_MOVES: Final = {
    *(_Key.Key_Left, _Key.Key_Right, _Key.Key_Up, _Key.Key_Down),
    *(_Key.Key_Home, _Key.Key_End, _Key.Key_PageUp, _Key.Key_PageDown),
}
_PLAIN: Final = {
    *(_Key.Key_Return, _Key.Key_Enter, _Key.Key_Tab, _Key.Key_Backtab),
    *(_Key.Key_Backspace, _Key.Key_Delete, _Key.Key_Escape),
}
_WORDS: Final = (_Standard.DeleteStartOfWord, _Standard.DeleteEndOfWord)
_EDITS: Final = (_Standard.Cut, _Standard.Copy, _Standard.Paste, _Standard.SelectAll, _Standard.Undo, _Standard.Redo)
_ONE_MODIFIER: Final = (_Modifier.ControlModifier, _Modifier.ShiftModifier)


def is_text_key(event: QKeyEvent) -> bool:
    """Return whether a key types, moves the cursor, deletes a character or a word, or edits as in every program."""
    key, modifiers = event.key(), event.modifiers()
    if key in _MOVES or any(map(event.matches, _WORDS)):
        return True
    if any(map(event.matches, _EDITS)):  # also F14 to F20 on X11, Alt+Backspace on Windows, Ctrl+Y on macOS
        return (key < _Key.Key_Escape and not modifiers & _Modifier.MetaModifier) or modifiers in _ONE_MODIFIER
    if modifiers & _COMMAND and modifiers & _COMMAND != _ALT_GR.get(sys.platform):
        return False
    return key in _PLAIN or key < _Key.Key_Escape or (event.text() != "" and event.text().isprintable())


def guard_keys(field: QObject) -> None:
    """Leave keys that are not common in fields to the shortcuts of the window."""
    field.installEventFilter(_KeyGuard(field))


class LineEdit(QLineEdit):
    """A line edit with an accessible name and guarded keys."""

    def __init__(self, name: str, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setAccessibleName(name)
        guard_keys(self)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint again after a scroll: Qt scrolls to the cursor in one paint, and to the end of the text in the next."""
        before = self.cursorRect()
        super().paintEvent(event)
        if self.cursorRect() != before:
            self.update()


class _KeyGuard(QObject):
    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.type() is QEvent.Type.KeyRelease or is_text_key(event):
            return False
        event.ignore()
        return True
