"""A snippet session: Tab goes to the next tab stop, Shift+Tab back, Esc ends it."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QTextCursor

from heatstudio.text.snippet import Snippet
from heatstudio.ui.documents.positions import QtPositions
from heatstudio.ui.documents.qt_text import to_qt
from heatstudio.ui.editor.editor import TextEditor
from heatstudio.ui.editor.text.text_document import selecting


class SnippetSession:
    """The tab stops of the last inserted snippet, while they are filled in."""

    def __init__(self, editor: TextEditor) -> None:
        self._editor = editor
        self._fields: list[tuple[int, int]] = []
        self._current = 0
        editor.text_document.changed.connect(self._follow_change)
        editor.cursorPositionChanged.connect(self._leave_when_outside)

    @property
    def is_active(self) -> bool:
        """Whether there are tab stops to fill in."""
        return bool(self._fields)

    def insert(self, cursor: QTextCursor, snippet: Snippet) -> None:
        """Replace the selection of a cursor with a snippet in one undo step, and go to its first tab stop."""
        self.leave()
        start = cursor.selectionStart()
        cursor.beginEditBlock()
        cursor.insertText(to_qt(snippet.text))
        cursor.endEditBlock()
        position = QtPositions(snippet.text).position
        fields = [(start + position(field.start), start + position(field.end)) for field in snippet.fields]
        if len(fields) == 1:
            self._editor.setTextCursor(selecting(cursor, *fields[0]))
            return
        self._fields, self._current = fields, 0
        self._enter_field()

    def leave(self) -> None:
        """End the session; the text stays."""
        if self._fields:
            self._fields = []
            self._editor.decorations.set_fields(())

    def press(self, event: QKeyEvent) -> bool:
        """Handle a key of the session; return whether it was handled."""
        if not self._fields:
            return False
        key = event.key()
        if key == Qt.Key.Key_Escape:
            self.leave()
            return True
        is_back = key == Qt.Key.Key_Backtab or (
            key == Qt.Key.Key_Tab and bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        )
        if key != Qt.Key.Key_Tab and not is_back:
            return False
        self._current = max(self._current - 1, 0) if is_back else self._current + 1
        self._enter_field()
        return True

    def _enter_field(self) -> None:
        fields, current = self._fields, self._current
        self._editor.setTextCursor(selecting(self._editor.textCursor(), *fields[current]))
        if current == len(fields) - 1:
            self.leave()
        else:
            self._show()

    def _show(self) -> None:
        self._editor.decorations.set_fields(self._fields[:-1])

    def _follow_change(self, position: int, removed: int, added: int) -> None:
        """Extend the current field and shift the following ones; a change elsewhere ends the session."""
        if not self._fields:
            return
        start, end = self._fields[self._current]
        if not start <= position <= position + removed <= end:
            self.leave()
            return
        by = added - removed
        for index, (first, last) in enumerate(self._fields):
            if index == self._current:
                self._fields[index] = (first, last + by)
            elif first >= position + removed:
                self._fields[index] = (first + by, last + by)
        self._show()

    def _leave_when_outside(self) -> None:
        if self._fields:
            at = self._editor.textCursor().position()
            if not any(start <= at <= end for start, end in self._fields):
                self.leave()
