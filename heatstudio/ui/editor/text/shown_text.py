"""The text widget; it receives all information about Heat as markers and spans."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QPointF, QTimer
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from heatstudio.ui.documents.positions import DIRECT
from heatstudio.ui.editor.text.brackets import matching_bracket
from heatstudio.ui.editor.text.change_kind import ChangeKind
from heatstudio.ui.editor.text.gutter import Gutter
from heatstudio.ui.editor.text.indentation import indent_of
from heatstudio.ui.editor.text.page_painter import PaintedPage
from heatstudio.ui.editor.text.scroll_bar_markers import ScrollBarMarkers, make_ticks
from heatstudio.ui.editor.text.text_document import selecting
from heatstudio.ui.widgets.theme import Theme

_ROWS_REST = 50
"""Milliseconds without another change of the rows, until the scroll bar shows them."""


class ShownText(PaintedPage):
    """Text with its gutter, its folds and its scroll bar."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "Template text", parent)
        self.gutter = Gutter(self, self.marks, self.folding)
        self._caret_look: tuple[int, int, tuple[int, int] | None] | None = None
        self._ticks = ScrollBarMarkers(theme, self)
        self._set_up()

    def _set_up(self) -> None:
        self.setVerticalScrollBar(self._ticks)
        self.theme_changed.connect(self._ticks.set_theme)
        self.setTabChangesFocus(False)
        self.setMouseTracking(True)
        self.blockCountChanged.connect(self.make_room)
        self.blockCountChanged.connect(self._refresh_ticks)
        # Rows that are wrapped or folded move the places in the scroll bar; there are many signals while Qt lays out.
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

    # What is shown

    def load(self, text: str) -> None:
        """Takes another text; what could be undone is forgotten."""
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
        """Must be called after `marks` were placed again."""
        self._refresh_ticks()
        self.repaint_all()

    def set_changes(self, changes: Mapping[int, ChangeKind]) -> None:
        """Shows outcomes of an update next to lines, which count from 0."""
        self.changes = changes
        self.gutter.update()

    def set_matches(self, matches: Sequence[tuple[int, int]]) -> None:
        """Grounds behind pieces of text, by document positions; shown in the scroll bar too."""
        self.matches = matches
        self._refresh_ticks()
        self.viewport().update()

    def set_fields(self, fields: Sequence[tuple[int, int]]) -> None:
        """The places of an inserted snippet that wait for their text."""
        self.fields = fields
        self.viewport().update()

    def set_shows_messages(self, *, shown: bool) -> None:
        """Whether messages are shown after their lines."""
        self.shows_messages = shown
        self.viewport().update()

    def set_shows_blanks(self, *, shown: bool) -> None:
        """Whether blanks and tabs are drawn."""
        self.shows_blanks = shown
        self.viewport().update()

    def set_wraps(self, *, wraps: bool) -> None:
        """Whether long lines are wrapped at the edge of the window; the first line that is seen stays at the top."""
        top = self.firstVisibleBlock().blockNumber()
        mode = QPlainTextEdit.LineWrapMode
        self.setLineWrapMode(mode.WidgetWidth if wraps else mode.NoWrap)
        self.scroll_to(top, 0)
        self._rows_rest.start()

    # Where things are

    def position_at(self, point: QPointF) -> int | None:
        """The document position under a point of the viewport; None where there is no character."""
        has_text = any(line.has_text_at(point) for line in self.visible_lines())
        return self.cursorForPosition(point.toPoint()).position() if has_text else None

    def select(self, start: int, end: int) -> None:
        """Selects between two document positions and brings them to the middle if they were not seen."""
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
        """Back to the beginning of the lines when the cursor is seen from there too, or nothing is seen yet."""
        bar = self.horizontalScrollBar()
        if not self.isVisible() or self.cursorRect().right() + bar.value() < self.viewport().width():
            bar.setValue(0)

    def _follow_caret(self) -> None:
        """Qt repaints the edited line; the whole page is repainted only when more looks different."""
        cursor = self.textCursor()
        pair = matching_bracket(cursor.block(), cursor.positionInBlock())
        self.brackets = [(at, at + 1) for at in pair] if pair else ()
        look = (cursor.blockNumber(), indent_of(cursor.block().text()), pair)
        if look != self._caret_look:
            self._caret_look = look
            self.repaint_all()

    def _follow_change(self) -> None:
        """Problems and outcomes stay with their lines until new ones come."""
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
