"""A snippet session: Tab goes to the next tab stop, Shift+Tab back, Esc ends it."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from heatstudio.text import Span, TextEdit
from heatstudio.text.snippet import Snippet
from heatstudio.ui.editor.editor import TextEditor
from heatstudio.ui.editor.text.text_document import selecting


class SnippetSession:
    """The tab stops of the last inserted snippet, while they are filled in."""

    def __init__(self, editor: TextEditor) -> None:
        self._editor = editor
        self._fields: list[tuple[int, int]] = []
        self._current = 0
        self.on_field: Callable[[bool], object] = lambda _is_filled: None
        """What to do in a field, given whether it has a text."""
        editor.text_document.changed.connect(self._follow_change)
        editor.cursorPositionChanged.connect(self._leave_when_outside)

    @property
    def is_active(self) -> bool:
        """Whether there are tab stops to fill in."""
        return bool(self._fields)

    def insert(self, span: Span, snippet: Snippet, further: Sequence[TextEdit] = ()) -> None:
        """Replace a span with a snippet, apply further edits in the same undo step, and go to the first tab stop.

        A text without tab stops in the current field leaves the fields as they are.
        """
        document = self._editor.text_document
        if len(snippet.fields) > 1:
            self.leave()
        document.apply((TextEdit(span, snippet.text), *further))
        above = (edit for edit in further if edit.span.start < span.start)
        start = span.start + sum(len(edit.text) - (edit.span.end - edit.span.start) for edit in above)
        fields = [document.cursor(start + field.start, start + field.end) for field in snippet.fields]
        self._editor.reveal(document.cursor(start, start).block(), fields[-1].block())
        if len(fields) == 1:
            self._editor.setTextCursor(fields[0])
            return
        self._fields = [(field.selectionStart(), field.selectionEnd()) for field in fields]
        self._current = 0
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
        """Select the current field with the cursor at its start, where suggestions replace the whole field."""
        fields, current = self._fields, self._current
        start, end = fields[current]
        self._editor.setTextCursor(selecting(self._editor.textCursor(), end, start))
        if current == len(fields) - 1:
            self.leave()
        else:
            self._show()
            self.on_field(end > start)

    def _show(self) -> None:
        self._editor.decorations.set_fields(self._fields[:-1])

    def _follow_change(self) -> None:
        """Extend the current field and shift the ones behind a change; another line or field ends the session."""
        for piece in self._editor.text_document.pieces if self._fields else ():
            end, by = piece.position + piece.removed, piece.added - piece.removed
            first, last = self._fields[self._current]
            is_inside = first <= piece.position <= end <= last
            is_elsewhere = all(piece.position > last or end < first for first, last in self._fields)
            if not is_elsewhere and (not is_inside or piece.more):
                self.leave()
                return
            for index, (first, last) in enumerate(self._fields):
                if index == self._current and is_inside:
                    self._fields[index] = (first, last + by)
                elif first >= end:
                    self._fields[index] = (first + by, last + by)
        if self._fields:
            self._show()

    def _leave_when_outside(self) -> None:
        if self._fields:
            at = self._editor.textCursor().position()
            if not any(start <= at <= end for start, end in self._fields):
                self.leave()
