"""Completion while typing: when it appears, what the keys do, how it is inserted, and the tab stops of its text."""

import re
from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QTextCursor
from shiboken6 import isValid

from heatstudio.analysis.assist.suggestion import Completion
from heatstudio.analysis.example_values import is_placeholder
from heatstudio.text import Span, TextEdit
from heatstudio.text.snippet import Snippet, indent_snippet, parse_snippet
from heatstudio.ui.documents.qt_text import QtPositions, to_qt
from heatstudio.ui.editor.completion.completion_popup import Candidate, CompletionPopup, CompletionProvider, fitting
from heatstudio.ui.editor.editor import TextEditor
from heatstudio.ui.editor.hover import HoverController
from heatstudio.ui.editor.text.code_page import is_leaving
from heatstudio.ui.editor.text.indentation import indent_of
from heatstudio.ui.editor.text.text_document import selecting

PAUSE = 25
"""Milliseconds without a key before suggestions are requested, so that typing never waits for them."""
_TEXT_PER_PAUSE = 4000
"""Characters for each additional millisecond: in long texts, suggestions take longer."""
_TRIGGERS = (": ", "- ", "[", "{", ", ")
_WORD = re.compile(r"[\w$:.-]+")
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_MOVES = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 9, Qt.Key.Key_PageUp: -9}


class SnippetSession:
    """The tab stops of the last inserted snippet, while they are filled in."""

    def __init__(self, editor: TextEditor) -> None:
        self._editor = editor
        self._fields: list[tuple[int, int]] = []
        self._current = 0
        self._taken = -1
        """The end of the last suggestion that was accepted in a field."""
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
            self._taken = fields[0].position()
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
        is_enter = key in _ENTER and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if key != Qt.Key.Key_Tab and not is_back and not (is_enter and self._is_field_done()):
            return False
        self._current = max(self._current - 1, 0) if is_back else self._current + 1
        self._enter_field()
        return True

    def _is_field_done(self) -> bool:
        """Return whether a line break would delete the current field, or would tear it from what belongs to it."""
        cursor, (start, end) = self._editor.textCursor(), self._fields[self._current]
        if cursor.hasSelection():
            return (cursor.selectionStart(), cursor.selectionEnd()) == (start, end)
        is_torn = cursor.block().text()[cursor.positionInBlock() :].strip() != ""
        return cursor.position() == end and (is_torn or end == self._taken)

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


class CompletionController(QObject):
    """The completion of an editor, which connects a provider of suggestions with the popup."""

    def __init__(self, editor: TextEditor, snippets: SnippetSession) -> None:
        super().__init__(editor)
        self.provider: CompletionProvider | None = None
        self._popup: CompletionPopup | None = None
        self._editor = editor
        self._snippets = snippets
        self._completions: Sequence[Completion] = ()
        self._length = 0
        self._is_explicit = False
        self._asked_at = -1
        self._number = 0
        """The number of the last request: answers to earlier ones are dropped."""
        self._is_offer = False
        """Whether the list was opened by a field with a text, where Tab goes to the next field."""
        self._type_end = -1
        """The position behind an accepted type, whose properties are offered."""
        snippets.on_field = self._begin_in_field
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._pause.timeout.connect(self._begin_if_still_there)
        editor.installEventFilter(self)
        editor.typed.connect(self._follow_typing)
        editor.cursorPositionChanged.connect(self._hide_when_outside)
        editor.verticalScrollBar().valueChanged.connect(self.hide)

    @property
    def popup(self) -> CompletionPopup:
        """The list of suggestions, created on first use, because each widget slows down theme changes."""
        if self._popup is None:
            self._popup = CompletionPopup(self._editor)
            self._popup.chosen.connect(self.accept)
        return self._popup

    def hide(self) -> None:
        """Hide the popup, and drop pending requests."""
        self._completions = ()
        self._number += 1
        self._is_offer = False
        if self._popup is not None:
            self._popup.hide()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Hide the popup, and drop pending requests, when the text loses the focus or is hidden."""
        if is_leaving(event):
            self._pause.stop()
            self.hide()
        return False

    def begin(self, *, explicit: bool, is_offer: bool = False) -> None:
        """Request suggestions at the cursor, and show the matching ones when they arrive."""
        if self.provider is None or self._editor.isReadOnly():
            return
        self._number += 1
        self._is_offer = is_offer
        text, caret, number = self._editor.text_document.text(), self._caret(), self._number

        def take(completions: Sequence[Completion]) -> None:
            if isValid(self) and number == self._number and self._is_typed_since(text, caret):
                self._is_explicit, self._completions, self._length = explicit, completions, len(text)
                self._show_fitting()

        self.provider(caret, explicit, take)

    def _is_typed_since(self, before: str, start: int) -> bool:
        """Return whether only a word was typed since the text was `before` with the cursor at `start`."""
        text, caret = self._editor.text_document.text(), self._caret()
        typed = text[start:caret]
        is_word = caret == start or _WORD.fullmatch(typed)
        return bool(is_word) and text == f"{before[:start]}{typed}{before[start:]}"

    def press(self, event: QKeyEvent) -> bool:
        """Handle a key of the popup; return whether it was handled."""
        if self._popup is None or not self._popup.isVisible():
            if event.key() == Qt.Key.Key_Escape:
                self.hide()
            return False
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        key = event.key()
        if self._is_offer and key in (Qt.Key.Key_Tab, Qt.Key.Key_Escape):
            self.hide()
            return False
        if key == Qt.Key.Key_Escape:
            self.hide()
        elif key in _MOVES:
            self._is_offer = False
            self.popup.move_choice(_MOVES[Qt.Key(key)])
        elif key in (*_ENTER, Qt.Key.Key_Tab):
            candidate = self.popup.current() or (self.popup.first() if key == Qt.Key.Key_Tab else None)
            if candidate is None or not self._completions:
                self.hide()
                return False
            if self._is_written(candidate):
                self.hide()
                return key == Qt.Key.Key_Tab and not self._snippets.is_active
            self.accept(candidate)
        else:
            return False
        return True

    def _is_written(self, candidate: Candidate) -> bool:
        """Return whether accepting a suggestion would change neither the text nor the cursor position."""
        replaced, snippet = candidate.completion.replace, parse_snippet(candidate.completion.insert_text)
        text, caret = self._editor.text_document.text(), self._caret()
        if len(snippet.fields) > 1 or caret != replaced.end + len(text) - self._length:
            return False
        return snippet.fields[0].start == len(snippet.text) and text[replaced.start : caret] == snippet.text

    def accept(self, candidate: Candidate) -> None:
        """Insert a suggestion in one undo step; continue if its text expects a value."""
        if not self._completions:  # the list is older than the text
            self.hide()
            return
        completion = candidate.completion
        grown, replaced = len(self._editor.text_document.text()) - self._length, completion.replace
        line = self._editor.text_document.cursor(replaced.start, replaced.start).block().text()
        further = [
            TextEdit(Span(edit.span.start + by, edit.span.end + by), edit.text)
            for edit in completion.further_edits
            for by in (grown if edit.span.start > replaced.start else 0,)
        ]
        self.hide()
        self._editor.typed.emit("")
        snippet = parse_snippet(indent_snippet(completion.insert_text, line[: indent_of(line)]))
        if self._editor.carets.are_many and not further:
            text, caret = self._editor.text_document.text(), self._caret()
            before, behind = text[replaced.start : caret], text[caret : replaced.end]
            self._editor.carets.each(partial(_accept_at, completion.insert_text, before, behind))
        else:
            selected = self._editor.text_document.positions().offset(self._editor.textCursor().selectionEnd())
            self._snippets.insert(Span(replaced.start, max(replaced.end + grown, selected)), snippet, further)
        if completion.kind == "type":
            self._type_end = self._caret()
            self.begin(explicit=False)
        elif not self._snippets.is_active and self._before_caret().endswith(_TRIGGERS):
            self.begin(explicit=False)

    def _begin_in_field(self, is_filled: bool) -> None:
        """Suggest values for a field."""
        if self._before_caret().endswith(_TRIGGERS):
            self.begin(explicit=False, is_offer=is_filled)

    def _caret(self) -> int:
        return self._editor.text_document.positions().offset(self._editor.textCursor().position())

    def _before_caret(self) -> str:
        cursor = self._editor.textCursor()
        line = QTextCursor(cursor.block())
        line.setPosition(cursor.position(), QTextCursor.MoveMode.KeepAnchor)
        return line.selectedText()

    def _follow_typing(self, typed: str) -> None:
        self._is_offer = False
        if self._editor.carets.are_many:
            self._completions = ()  # the other carets typed too: ask again
        elif self._completions:
            self._show_fitting()
            if self.popup.isVisible():
                return
        is_word = len(typed) == 1 and (typed.isalnum() or typed in "_$")
        before = self._before_caret()
        is_fresh = typed in ("\r", "\n") and bool(before) and not self._editor.textCursor().block().text().strip()
        if is_word or is_fresh or (typed in (" ", "[", "{") and before.endswith(_TRIGGERS)):
            self._asked_at = self._editor.textCursor().position()
            self._pause.start(PAUSE + len(self._editor.text_document.text()) // _TEXT_PER_PAUSE)
        elif self._editor.carets.are_many:
            self.hide()

    def _begin_if_still_there(self) -> None:
        if self._editor.textCursor().position() == self._asked_at:
            self.begin(explicit=False)

    def _show_fitting(self) -> None:
        text, caret = self._editor.text_document.text(), self._caret()
        candidates = fitting(self._completions, text, caret)
        selected = self._editor.textCursor().selectedText() if self._is_offer else ""
        end = caret + len(selected)
        if not candidates or (self._is_complete(candidates, text, end) and not self._is_explicit):
            self.hide()
            return
        start = min(candidate.completion.replace.start for candidate in candidates)
        has_prefix = any(candidate.match.places for candidate in candidates)
        is_best = has_prefix or candidates[0].completion.best or is_placeholder(selected)
        hint = "" if self._is_offer else "Tab"
        anchor, is_selected = self._anchor(start), is_best or self._is_explicit
        self.popup.show_candidates(candidates, anchor, typed=text[start:caret], select=is_selected, hint=hint)

    def _is_complete(self, candidates: Sequence[Candidate], text: str, caret: int) -> bool:
        """Return whether the only suggestion is written already, or a type was accepted and nothing follows it."""
        first = candidates[0].completion
        is_only = len(candidates) == 1 or (caret == self._type_end and not first.best)
        return is_only and text[first.replace.start : caret] == first.insert_text

    def _anchor(self, offset: int) -> QRect:
        rect = self._editor.cursorRect(self._editor.text_document.cursor(offset, offset))
        place = self._editor.viewport().mapToGlobal(rect.topLeft() - QPoint(32, 0))
        return QRect(place, rect.size())

    def _hide_when_outside(self) -> None:
        if self._completions:
            caret = self._caret()
            grown = len(self._editor.text_document.text()) - self._length
            if not any(one.replace.start <= caret <= one.replace.end + max(grown, 0) for one in self._completions):
                self.hide()


def _accept_at(insert_text: str, before: str, behind: str, cursor: QTextCursor) -> None:
    """Insert a suggestion at one of many carets, and select its first field.

    It replaces the text before and behind the caret if that is the same as at the caret of the suggestions.
    """
    line, first = cursor.block().text(), cursor.block().position()
    place = QtPositions(line)
    caret = place.offset(cursor.positionInBlock())
    start = caret - len(before) if line[:caret].endswith(before) else caret
    end = caret + len(behind) if line.startswith(behind, caret) else caret
    snippet = parse_snippet(indent_snippet(insert_text, line[: indent_of(line)]))
    at, inside = first + place.position(start), QtPositions(snippet.text)
    selecting(cursor, at, first + place.position(end)).insertText(to_qt(snippet.text))
    field = snippet.fields[0]
    selecting(cursor, at + inside.position(field.end), at + inside.position(field.start))


class TypingHelp:
    """The typing assistance of an editor, created on first use, after the text is visible."""

    def __init__(self, editor: TextEditor) -> None:
        self.snippets = SnippetSession(editor)
        self.completion = CompletionController(editor, self.snippets)
        self.hover = HoverController(editor)
        editor.key_filters += [self.hover.press, self.completion.press, self.snippets.press]

    def explain_caret(self) -> None:
        """Show the hover at the cursor instead of suggestions."""
        self.completion.hide()
        self.hover.show_at_caret()
