"""The interface of the editor for the window: text in code points, markers and fixes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from heatstudio.text import Position, Span, TextEdit
from heatstudio.ui.documents.qt_text import QtPositions
from heatstudio.ui.documents.settings import ViewState
from heatstudio.ui.editor.bars import Breadcrumbs, LineBar
from heatstudio.ui.editor.editor import TextEditor
from heatstudio.ui.editor.search.search import SearchMemory
from heatstudio.ui.editor.text import line_commands
from heatstudio.ui.editor.text.indentation import comment_toggled, indented, unindented
from heatstudio.ui.editor.text.marks import PositionedMarker
from heatstudio.ui.editor.text.text_document import difference
from heatstudio.ui.widgets import Appearance, in_column

if TYPE_CHECKING:  # completion, hover and search import the engine
    from heatstudio.ui.editor.completion.completion import TypingHelp
    from heatstudio.ui.editor.search.search_bar import SearchBar

_MOST_COMPARED = 20_000
"""Maximum number of lines of a text that is compared line by line when its file changes."""
CHANGING = frozenset(("toggle-comment", "indent", "unindent", "move-up", "move-down", "duplicate", "delete-line"))
"""The commands that change the text directly."""
_NO_COMMENTS = "JSON has no comments. Nothing was changed."


class EditorPane(QWidget):
    """The editor of one open text; all offsets are code points, and lines are counted from 0."""

    message_requested = Signal(str)
    """A sentence for the status bar."""

    def __init__(
        self, appearance: Appearance, *, searched: SearchMemory | None = None, shared: EditorPane | None = None
    ) -> None:
        """Create the editor of a text of its own, or another view of the text of an editor that lives longer."""
        super().__init__()
        self.is_shared = shared is not None
        """Whether the text belongs to another editor."""
        self._searched = searched or SearchMemory()
        self.editor: TextEditor = TextEditor(appearance, self, shared=shared.editor if shared is not None else None)
        self.decorations = self.editor.decorations
        self.setFocusProxy(self.editor)
        self.breadcrumbs = Breadcrumbs(appearance)
        self._layout = in_column(self.breadcrumbs, self.editor, of=self, gap=0)
        self._text = self.editor.text_document
        self.breadcrumbs.chosen.connect(self.go_to)
        if shared is not None:
            self.decorations.copy(shared.decorations)

    @cached_property
    def commands(self) -> Mapping[str, Callable[[], object]]:
        """The handlers of the commands for the text, created on first use."""
        editor, marks = self.editor, self.decorations.marks
        return {
            **text_commands(editor, self.message_requested.emit),
            "find": lambda: self.search_bar.open_bar(replacing=False),
            "replace": lambda: self.search_bar.open_bar(replacing=True),
            "find-next": lambda: self.search_bar.go_to_match(1),
            "find-previous": lambda: self.search_bar.go_to_match(-1),
            "go-to-line": lambda: self.line_bar.open_bar(editor.caret_line(), editor.blockCount()),
            "next-problem": lambda: self._select_mark(marks.after(editor.textCursor().selectionStart())),
            "previous-problem": lambda: self._select_mark(marks.before(editor.textCursor().selectionStart())),
            "complete": lambda: self.help.completion.begin(explicit=True),
            "hover": self.help.explain_caret,
        }

    def run(self, name: str) -> None:
        """Run a command, unless it would change a read-only text."""
        if name not in CHANGING or not self._text.is_read_only:
            self.commands[name]()

    def switch(self, name: str, on: bool) -> None:
        """Switch a display option on or off."""
        if name == "wrap":
            self.editor.set_wraps(on)
        elif name == "sticky-lines":
            self.editor.sticky_lines.switch(on)
        else:
            self.decorations.switch(name, on)

    @cached_property
    def help(self) -> TypingHelp:
        """Completion, hover and snippets, created on first use."""
        from heatstudio.ui.editor.completion.completion import TypingHelp

        return TypingHelp(self.editor)

    @cached_property
    def search_bar(self) -> SearchBar:
        """Find and replace, created on first use."""
        from heatstudio.ui.editor.search.search_bar import SearchBar

        bar = SearchBar(self.editor, self._searched)
        self._layout.insertWidget(1, bar)
        return bar

    @cached_property
    def line_bar(self) -> LineBar:
        """The Go to Line bar, created on first use."""
        bar = LineBar()
        bar.place_chosen.connect(self.go_to_line)
        bar.left.connect(self.editor.setFocus)
        self._layout.insertWidget(1, bar)
        return bar

    # Text

    def text(self) -> str:
        """Return the text with LF line endings; cached until it changes."""
        return self._text.text()

    def set_text(self, text: str) -> None:
        """Load another text: the undo history is cleared and the text counts as unmodified."""
        self.editor.load(text)

    def replace_text(self, text: str) -> None:
        """Replace the text, as after a change on disk, in one undo step that touches only the differences.

        Cursor, folds and marks stay with their lines, unless the text is too long for a comparison by lines.
        """
        from heatstudio.text.line_diff import line_edits

        is_long = self.editor.blockCount() > _MOST_COMPARED
        self.apply_edits(difference(self.text(), text) if is_long else line_edits(self.text(), text))

    def apply_edits(self, edits: Iterable[TextEdit]) -> None:
        """Apply edits to the current text in one undo step; the cursor stays with its word, and in sight if it was.

        Raise OverlappingEditsError if two of them touch the same characters.
        """
        was_visible = self.editor.viewport().rect().intersects(self.editor.cursorRect())
        self._text.apply(edits)
        if was_visible:
            self.editor.ensureCursorVisible()

    def set_read_only(self, *, read_only: bool) -> None:
        """Allow or forbid changes of the text; a read-only text can still be selected by keyboard."""
        if read_only is self.editor.isReadOnly():
            return
        self.editor.setReadOnly(read_only)
        self.editor.setTextInteractionFlags(
            self.editor.textInteractionFlags() | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._text.is_read_only = read_only

    def insert_snippet(self, edit: TextEdit) -> None:
        """Apply an edit whose text is a snippet, in one undo step, and go to its first tab stop."""
        if self._text.is_read_only:
            return
        from heatstudio.text.snippet import parse_snippet

        self.help.snippets.insert(edit.span, parse_snippet(edit.text))
        self.editor.setFocus()

    # Cursor

    def caret_offset(self) -> int:
        """Return the offset of the cursor."""
        return self._text.positions().offset(self.editor.textCursor().position())

    def caret_place(self) -> Position:
        """Return the line and column of the cursor, computed without the other lines."""
        cursor = self.editor.textCursor()
        in_line = QtPositions(cursor.block().text()).offset(cursor.positionInBlock())
        return Position(cursor.blockNumber(), in_line)

    def caret_line(self) -> Span:
        """Return the span of the cursor's line, without its end."""
        block, offset = self.editor.textCursor().block(), self._text.positions().offset
        return Span(offset(block.position()), offset(block.position() + block.length() - 1))

    def selection(self) -> Span:
        """Return the selection; empty at the cursor if nothing is selected."""
        cursor, offset = self.editor.textCursor(), self._text.positions().offset
        return Span(offset(cursor.selectionStart()), offset(cursor.selectionEnd()))

    def go_to(self, span: Span) -> None:
        """Select a span, scroll to it and take the focus."""
        self.show_span(span)
        self.editor.setFocus()

    def show_span(self, span: Span) -> None:
        """Select a span and scroll to it; the focus does not move."""
        cursor = self._text.cursor(span.start, span.end)
        self.editor.select(cursor.selectionStart(), cursor.selectionEnd())

    def go_to_line(self, line: int, column: int = -1) -> None:
        """Go to a column of a line, by default to the end of its indentation; both are clamped to the text."""
        document = self.editor.document()
        block = document.findBlockByNumber(max(0, min(line, document.blockCount() - 1)))
        text = block.text()
        start = block.position() + min(len(text) - len(text.lstrip(" ")) if column < 0 else column, block.length() - 1)
        self.editor.select(start, start)
        self.editor.setFocus()

    def place(self) -> ViewState:
        """Return the view state: the cursor and the scroll position."""
        bar = self.editor.horizontalScrollBar()
        return ViewState(self.caret_offset(), self.editor.firstVisibleBlock().blockNumber(), bar.value())

    def go_back(self, place: ViewState) -> None:
        """Restore a view state, as far as its text still exists."""
        self.editor.setTextCursor(self._text.cursor(place.caret, place.caret))
        self.editor.scroll_to(place.line, place.left)

    def _select_mark(self, one: PositionedMarker | None) -> None:
        if one is not None:
            self.editor.select(one.start, one.end)


def text_commands(editor: TextEditor, tell: Callable[[str], object]) -> dict[str, Callable[[], object]]:
    """Return the handlers of the commands for carets, lines and folds; `tell` reports why a command did nothing."""
    cursor, folding, carets = editor.textCursor, editor.folding, editor.carets
    return {
        "add-next-occurrence": carets.add_next_occurrence,
        "select-occurrences": lambda: carets.select_occurrences(tell),
        "cursor-above": lambda: carets.add_vertically(down=False),
        "cursor-below": lambda: carets.add_vertically(down=True),
        "toggle-comment": lambda: _toggle_comment(editor, tell),
        "indent": lambda: carets.each(lambda one: line_commands.rewrite_lines(one, indented), by_line=True),
        "unindent": lambda: carets.each(lambda one: line_commands.rewrite_lines(one, unindented), by_line=True),
        "move-up": lambda: _move_lines(editor, down=False),
        "move-down": lambda: _move_lines(editor, down=True),
        "duplicate": lambda: carets.each(line_commands.duplicate_lines, by_line=True),
        "delete-line": lambda: carets.each(line_commands.delete_lines, by_line=True),
        "fold": lambda: folding.fold(cursor().block()),
        "unfold": lambda: folding.unfold(cursor().block()),
        "fold-all": folding.fold_all,
        "unfold-all": folding.unfold_all,
    }


def _toggle_comment(editor: TextEditor, tell: Callable[[str], object]) -> None:
    if editor.text_document.is_json():
        tell(_NO_COMMENTS)
    else:
        editor.carets.each(lambda cursor: line_commands.rewrite_lines(cursor, comment_toggled), by_line=True)


def _move_lines(editor: TextEditor, *, down: bool) -> None:
    """Move the selected lines; a folded neighbor stays folded."""
    folding, cursor = editor.folding, editor.textCursor()
    neighbor = line_commands.neighbor_of(cursor, down=down)
    line = line_commands.selected_blocks(cursor)[0].blockNumber()
    was_folded = neighbor.isValid() and folding.is_folded(neighbor)
    editor.carets.each(partial(line_commands.move_lines, down=down), by_line=True, from_end=down)
    if was_folded:
        below = line_commands.neighbor_of(editor.textCursor(), down=True)
        folding.fold(editor.document().findBlockByNumber(line) if down else below)
