"""The effect of single keys in YAML, such as Enter, Tab, brackets and quotes, and of keys that delete words."""

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QTextCursor

from heatstudio.text.yaml_lexer import TokenRole, lex_line
from heatstudio.ui.documents.qt_text import QtPositions
from heatstudio.ui.editor.text import brackets
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


def press_key(event: QKeyEvent, cursor: QTextCursor) -> bool:
    """Handle a key at a cursor, which moves, as one undo step; return whether the key was handled."""
    key, modifiers = event.key(), event.modifiers()
    if key in _WORD_KEYS and modifiers in _WORD_MODIFIERS:
        _delete_word(cursor, _WORD_KEYS[key])
        return True
    if modifiers & _COMMAND:
        return False
    if key in _ENTER:
        _break_line(cursor)
    elif key == Qt.Key.Key_Tab and not modifiers & _SHIFT:
        _indent(cursor)
    elif key == Qt.Key.Key_Backtab or (key == Qt.Key.Key_Tab and modifiers & _SHIFT):
        rewrite_lines(cursor, unindented)
    elif key == Qt.Key.Key_Home:
        smart_home(cursor, QTextCursor.MoveMode.KeepAnchor if modifiers & _SHIFT else QTextCursor.MoveMode.MoveAnchor)
    elif key == Qt.Key.Key_Backspace:
        return _delete_back(cursor)
    else:
        return _type(cursor, event.text())
    return True


def _around(cursor: QTextCursor) -> tuple[str, str]:
    """Return the text of the line before and behind a cursor."""
    text = cursor.block().text()
    column = QtPositions(text).offset(cursor.positionInBlock())
    return text[:column], text[column:]


def _break_line(cursor: QTextCursor) -> None:
    before, after = _around(cursor)
    cursor.beginEditBlock()
    cursor.removeSelectedText()
    state = state_above(cursor.block())
    indent = indent_after(before, state)
    stripped = after.lstrip(" \t")
    if stripped[:1] in ("}", "]") and before.rstrip()[-1:] not in ("{", "[", ","):
        indent = _indent_of_opener(cursor, len(after) - len(stripped), indent)
    if not before.strip() and not stripped and not state.is_text(before):
        cursor.movePosition(QTextCursor.MoveOperation.StartOfBlock, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()  # a line of only blanks becomes empty
    if stripped:
        for _ in range(len(after) - len(stripped)):
            cursor.deleteChar()
    cursor.insertText("\n" + " " * indent)
    closer = brackets.PAIRS.get(before[-1:])
    if closer and stripped.startswith(closer):
        place = cursor.position()
        cursor.insertText("\n" + " " * indent_of(before))
        cursor.setPosition(place)
    cursor.endEditBlock()


def _indent_of_opener(cursor: QTextCursor, blanks: int, otherwise: int) -> int:
    """Return the indentation of the line that opens the bracket which is a number of blanks behind the cursor."""
    pair = brackets.matching_bracket(cursor.block(), cursor.positionInBlock() + blanks)
    return otherwise if pair is None else indent_of(cursor.document().findBlock(pair[1]).text())


def _indent(cursor: QTextCursor) -> None:
    before, _ = _around(cursor)
    if cursor.hasSelection() and cursor.document().findBlock(cursor.anchor()) != cursor.block():
        rewrite_lines(cursor, indented)
        return
    cursor.insertText(" " * (STEP - len(before) % STEP))


def _delete_back(cursor: QTextCursor) -> bool:
    before, after = _around(cursor)
    if cursor.hasSelection():
        return False
    if brackets.is_empty_pair(before, after):
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


def _delete_word(cursor: QTextCursor, operation: QTextCursor.MoveOperation) -> None:
    """Delete the selection, or the text up to the start of a word."""
    if not cursor.hasSelection():
        cursor.movePosition(operation, QTextCursor.MoveMode.KeepAnchor)
    cursor.removeSelectedText()


def _type(cursor: QTextCursor, typed: str) -> bool:
    if len(typed) != 1 or typed not in "{}[]\"'":
        return False
    before, after = _around(cursor)
    if cursor.hasSelection():
        return _surround(cursor, typed)
    if brackets.is_typed_over(typed, before, after):
        cursor.movePosition(QTextCursor.MoveOperation.Right)
        return True
    closing = brackets.closing_for(typed, before, after)
    if closing is None or _is_text(cursor, before):
        return False
    cursor.beginEditBlock()
    cursor.insertText(typed + closing)
    cursor.endEditBlock()
    cursor.movePosition(QTextCursor.MoveOperation.Left)
    return True


def _surround(cursor: QTextCursor, typed: str) -> bool:
    closing = brackets.PAIRS.get(typed, typed if typed in brackets.QUOTES else None)
    if closing is None or "\u2029" in cursor.selectedText():
        return False
    start, end = cursor.selectionStart(), cursor.selectionEnd()
    cursor.beginEditBlock()
    cursor.setPosition(end)
    cursor.insertText(closing)
    cursor.setPosition(start)
    cursor.insertText(typed)
    cursor.endEditBlock()
    selecting(cursor, start + 1, end + 1)
    return True


def _is_text(cursor: QTextCursor, before: str) -> bool:
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
