"""The effect of single keys in YAML, such as Enter, Tab, brackets and quotes, and of keys that delete words."""

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit

from heatstudio.text.yaml_lexer import TokenRole, lex_line
from heatstudio.ui.documents.positions import QtPositions
from heatstudio.ui.editor.text.brackets import (
    PAIRS,
    QUOTES,
    closing_for,
    is_empty_pair,
    is_typed_over,
    matching_bracket,
)
from heatstudio.ui.editor.text.indentation import STEP, indent_after, indent_of, indented, unindented
from heatstudio.ui.editor.text.line_commands import rewrite_lines, smart_home
from heatstudio.ui.editor.text.text_document import selecting
from heatstudio.ui.highlight.highlighter import state_above

_SHIFT = Qt.KeyboardModifier.ShiftModifier
_COMMAND = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
_ENTER: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_WORD_KEYS: Final[Mapping[int, QTextCursor.MoveOperation]] = {
    Qt.Key.Key_Backspace: QTextCursor.MoveOperation.PreviousWord,
    Qt.Key.Key_Delete: QTextCursor.MoveOperation.NextWord,
}
_WORD_MODIFIERS: Final = (Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier)
"""The modifiers of the keys that delete words: Ctrl, and Alt as on macOS and in terminals."""


class TypingKeys:
    """A handler of the keys of an editor; each key is one undo step."""

    def __init__(self, editor: QPlainTextEdit) -> None:
        self._editor = editor

    def press(self, event: QKeyEvent) -> bool:
        """Handle a key; return whether it was handled."""
        key, modifiers = event.key(), event.modifiers()
        if self._editor.isReadOnly():
            return False
        if key in _WORD_KEYS and modifiers in _WORD_MODIFIERS:
            self._delete_word(_WORD_KEYS[key])
            return True
        if modifiers & _COMMAND:
            return False
        if key in _ENTER:
            self._break_line()
        elif key == Qt.Key.Key_Tab and not modifiers & _SHIFT:
            self._indent()
        elif key == Qt.Key.Key_Backtab or (key == Qt.Key.Key_Tab and modifiers & _SHIFT):
            rewrite_lines(self._editor.textCursor(), unindented)
        elif key == Qt.Key.Key_Home:
            mode = QTextCursor.MoveMode.KeepAnchor if modifiers & _SHIFT else QTextCursor.MoveMode.MoveAnchor
            self._editor.setTextCursor(smart_home(self._editor.textCursor(), mode))
        elif key == Qt.Key.Key_Backspace:
            return self._delete_back()
        else:
            return self._type(event.text())
        return True

    def _around(self) -> tuple[QTextCursor, str, str]:
        cursor = self._editor.textCursor()
        text = cursor.block().text()
        column = QtPositions(text).offset(cursor.positionInBlock())
        return cursor, text[:column], text[column:]

    def _break_line(self) -> None:
        cursor, before, after = self._around()
        cursor.beginEditBlock()
        cursor.removeSelectedText()
        state = state_above(cursor.block())
        indent = indent_after(before, state)
        stripped = after.lstrip(" \t")
        if stripped[:1] in ("}", "]") and before.rstrip()[-1:] not in ("{", "[", ","):
            indent = self._indent_of_opener(cursor, len(after) - len(stripped), indent)
        if not before.strip() and not stripped and not state.is_text(before):
            cursor.movePosition(QTextCursor.MoveOperation.StartOfBlock, QTextCursor.MoveMode.KeepAnchor)
            cursor.removeSelectedText()  # a line of only blanks becomes empty
        if stripped:
            for _ in range(len(after) - len(stripped)):
                cursor.deleteChar()
        cursor.insertText("\n" + " " * indent)
        closer = PAIRS.get(before[-1:])
        if closer and stripped.startswith(closer):
            place = cursor.position()
            cursor.insertText("\n" + " " * indent_of(before))
            cursor.setPosition(place)
        cursor.endEditBlock()
        self._editor.setTextCursor(cursor)
        self._editor.ensureCursorVisible()

    def _indent_of_opener(self, cursor: QTextCursor, blanks: int, otherwise: int) -> int:
        """Return the indentation of the line that opens the bracket which is a number of blanks behind the cursor."""
        pair = matching_bracket(cursor.block(), cursor.positionInBlock() + blanks)
        return otherwise if pair is None else indent_of(cursor.document().findBlock(pair[1]).text())

    def _indent(self) -> None:
        cursor, before, _ = self._around()
        if cursor.hasSelection() and cursor.document().findBlock(cursor.anchor()) != cursor.block():
            rewrite_lines(cursor, indented)
            return
        cursor.insertText(" " * (STEP - len(before) % STEP))
        self._editor.setTextCursor(cursor)

    def _delete_back(self) -> bool:
        cursor, before, after = self._around()
        if cursor.hasSelection():
            return False
        if is_empty_pair(before, after):
            cursor.beginEditBlock()
            cursor.deleteChar()
            cursor.deletePreviousChar()
            cursor.endEditBlock()
            return True
        if before and not before.strip(" "):
            keep = (len(before) - 1) // STEP * STEP
            cursor.movePosition(QTextCursor.MoveOperation.Left, QTextCursor.MoveMode.KeepAnchor, len(before) - keep)
            cursor.removeSelectedText()
            return True
        return False

    def _delete_word(self, operation: QTextCursor.MoveOperation) -> None:
        """Delete the selection, or the text up to the start of a word."""
        cursor = self._editor.textCursor()
        if not cursor.hasSelection():
            cursor.movePosition(operation, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        self._editor.ensureCursorVisible()

    def _type(self, typed: str) -> bool:
        if len(typed) != 1 or typed not in "{}[]\"'":
            return False
        cursor, before, after = self._around()
        if cursor.hasSelection():
            return self._surround(cursor, typed)
        if is_typed_over(typed, before, after):
            cursor.movePosition(QTextCursor.MoveOperation.Right)
            self._editor.setTextCursor(cursor)
            return True
        closing = closing_for(typed, before, after)
        if closing is None or self._is_text(cursor, before):
            return False
        cursor.beginEditBlock()
        cursor.insertText(typed + closing)
        cursor.endEditBlock()
        cursor.movePosition(QTextCursor.MoveOperation.Left)
        self._editor.setTextCursor(cursor)
        return True

    def _surround(self, cursor: QTextCursor, typed: str) -> bool:
        closing = PAIRS.get(typed, typed if typed in QUOTES else None)
        if closing is None or "\u2029" in cursor.selectedText():
            return False
        start, end = cursor.selectionStart(), cursor.selectionEnd()
        cursor.beginEditBlock()
        cursor.setPosition(end)
        cursor.insertText(closing)
        cursor.setPosition(start)
        cursor.insertText(typed)
        cursor.endEditBlock()
        self._editor.setTextCursor(selecting(cursor, start + 1, end + 1))
        return True

    def _is_text(self, cursor: QTextCursor, before: str) -> bool:
        """Return whether the cursor is in a comment, a string or a block scalar, where nothing closes automatically."""
        state = state_above(cursor.block())
        if state.is_text(before, len(before)):
            return True
        runs, _ = lex_line(before + "x", state.encode())
        if not runs:
            return False
        last = runs[-1]
        is_quoted = last.role is TokenRole.STRING and before[last.start : last.start + 1] in ('"', "'")
        return is_quoted or last.role is TokenRole.COMMENT
