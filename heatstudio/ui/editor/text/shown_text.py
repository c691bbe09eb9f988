"""The text widget; it receives all information about Heat as markers and spans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QTimer
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from heatstudio.ui.documents.positions import DIRECT
from heatstudio.ui.editor.text.brackets import matching_bracket
from heatstudio.ui.editor.text.gutter import Gutter
from heatstudio.ui.editor.text.indentation import indent_of
from heatstudio.ui.editor.text.page_painter import PaintedPage
from heatstudio.ui.editor.text.scroll_bar_markers import ScrollBarMarkers, make_ticks
from heatstudio.ui.editor.text.text_document import selecting
from heatstudio.ui.widgets.theme import Theme

if TYPE_CHECKING:  # outcomes import the engine
    from heatstudio.ui.widgets.outcome import ShownOutcome

_ROWS_REST = 50
"""Milliseconds without another change of the rows until the scroll bar is updated."""


class ShownText(PaintedPage):
    """A text with its gutter, its folds and its scroll bar."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "Template text", parent)
        self.gutter = Gutter(self, self.marks, self.folding)
        self._caret_state: tuple[int, int, tuple[int, int] | None] | None = None
        self._ticks = ScrollBarMarkers(theme, self)
        self._set_up()

    def _set_up(self) -> None:
        self.setVerticalScrollBar(self._ticks)
        self.theme_changed.connect(self._ticks.set_theme)
        self.setTabChangesFocus(False)
        self.setMouseTracking(True)
        self.blockCountChanged.connect(self.make_room)
        self.blockCountChanged.connect(self._refresh_ticks)
        # Wrapped or folded rows move the markers in the scroll bar; Qt emits many signals during the layout.
        self._rows_rest = QTimer(self, singleShot=True, interval=_ROWS_REST)
        self._rows_rest.timeout.connect(self._refresh_ticks)
        self.document().documentLayout().documentSizeChanged.connect(lambda _size: self._rows_rest.start())
        self.cursorPositionChanged.connect(self._follow_caret)
        self.text_document.changed.connect(lambda *_: self._follow_change())
        self.folding.changed.connect(self.gutter.update)
        self.gutter.fold_clicked.connect(lambda line: self.folding.toggle(self.document().findBlockByNumber(line)))
        self.gutter.line_clicked.connect(self._select_line)
        self.take_edge(self.gutter, self.gutter.needed_width)
        self.set_theme(self.theme)

    # Content

    def load(self, text: str) -> None:
        """Replace the text, and clear the undo history."""
        for marks in (self.marks, self.inactive, self.hints):
            marks.place((), DIRECT)
        self.folding.clear()
        self.changes, self.matches, self.fields = {}, (), ()
        self.highlighter.expect_load(text.count("\n") + 1)
        self.text_document.load(text)
        self.moveCursor(QTextCursor.MoveOperation.Start)
        if self.isVisible():
            self.highlighter.resume()
        self._refresh_ticks()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.highlighter.resume()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._rows_rest.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.highlighter.pause()

    def show_marks_changed(self) -> None:
        """Repaint the markers; must be called after `marks` are placed."""
        self._refresh_ticks()
        self.repaint_all()

    def set_changes(self, changes: Mapping[int, ShownOutcome]) -> None:
        """Show outcomes of an update next to lines, which are counted from 0."""
        self.changes, self.are_changes_old = changes, False
        self.gutter.update()

    def age_changes(self) -> None:
        """Show that the outcomes belong to an older text, until others are set."""
        self.are_changes_old = True
        self.gutter.update()

    def set_matches(self, matches: Sequence[tuple[int, int]]) -> None:
        """Highlight spans given by document positions, also in the scroll bar."""
        self.matches = matches
        self._refresh_ticks()
        self.viewport().update()

    def set_fields(self, fields: Sequence[tuple[int, int]]) -> None:
        """Highlight the tab stops of an inserted snippet."""
        self.fields = fields
        self.viewport().update()

    def set_shows_messages(self, *, shown: bool) -> None:
        """Show or hide messages at the ends of lines."""
        self.shows_messages = shown
        self.viewport().update()

    def set_shows_blanks(self, *, shown: bool) -> None:
        """Show or hide blanks and tabs."""
        self.shows_blanks = shown
        self.viewport().update()

    def set_wraps(self, *, wraps: bool) -> None:
        """Switch the wrapping of long lines on or off; the first visible line stays at the top."""
        top = self.firstVisibleBlock().blockNumber()
        mode = QPlainTextEdit.LineWrapMode
        self.setLineWrapMode(mode.WidgetWidth if wraps else mode.NoWrap)
        self.scroll_to(top, 0)
        self._rows_rest.start()

    # Geometry

    def position_at(self, point: QPointF) -> int | None:
        """Return the document position at a point of the viewport; None if there is no character."""
        has_text = any(line.has_text_at(point) for line in self.visible_lines())
        return self.cursorForPosition(point.toPoint()).position() if has_text else None

    def select(self, start: int, end: int) -> None:
        """Select between two document positions, and center the line if it was not visible."""
        cursor = selecting(self.textCursor(), end, start)
        self.setTextCursor(cursor)
        lines = self.visible_lines()
        line = cursor.blockNumber()
        if not lines or not lines[0].block.blockNumber() < line < lines[-1].block.blockNumber() - 1:
            self.centerCursor()
        self._scroll_left()

    def scroll_to(self, line: int, left: int) -> None:
        """Scroll to a line at the top and to a horizontal offset in pixels."""
        block = self.document().findBlockByNumber(line)
        self.verticalScrollBar().setValue(block.firstLineNumber() if block.isValid() else 0)
        self.horizontalScrollBar().setValue(left)

    def _scroll_left(self) -> None:
        """Scroll to the starts of lines if the cursor is visible there, or the text is not visible yet."""
        bar = self.horizontalScrollBar()
        if not self.isVisible() or self.cursorRect().right() + bar.value() < self.viewport().width():
            bar.setValue(0)

    def _follow_caret(self) -> None:
        """Repaint the page if the cursor's line, depth or brackets changed; Qt only repaints the edited line."""
        cursor = self.textCursor()
        pair = matching_bracket(cursor.block(), cursor.positionInBlock())
        self.brackets = [(at, at + 1) for at in pair] if pair else ()
        state = (cursor.blockNumber(), indent_of(cursor.block().text()), pair)
        if state != self._caret_state:
            self._caret_state = state
            self.repaint_all()

    def _follow_change(self) -> None:
        """Shift markers and outcomes with their lines, until they are replaced."""
        for piece in self.text_document.pieces:
            for marks in (self.marks, self.inactive, self.hints):
                marks.shift(piece.position, piece.removed, piece.added)
            if piece.more and self.changes:
                lines = (
                    (line + piece.more if line >= piece.line else line, what) for line, what in self.changes.items()
                )
                self.changes = dict(lines)

    def _refresh_ticks(self) -> None:
        self._ticks.set_ticks(make_ticks(self.document(), self.marks, self.matches))

    def _select_line(self, line: int) -> None:
        cursor = QTextCursor(self.document().findBlockByNumber(line))
        cursor.movePosition(QTextCursor.MoveOperation.NextBlock, QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)
        self.setFocus()
