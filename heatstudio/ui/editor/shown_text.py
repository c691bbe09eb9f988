"""The text as it is seen. Everything it knows of Heat is handed to it as marks and spans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import (
    QFont,
    QFontDatabase,
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
    QTextBlock,
    QTextCursor,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget

from heatstudio.ui.editor.brackets import matching_bracket
from heatstudio.ui.editor.change_kind import ChangeKind
from heatstudio.ui.editor.folding import Folding
from heatstudio.ui.editor.gutter import Gutter
from heatstudio.ui.editor.highlighter import Highlighter
from heatstudio.ui.editor.indentation import STEP, indent_of
from heatstudio.ui.editor.marks import MarkList
from heatstudio.ui.editor.page_painter import paint_above, paint_below
from heatstudio.ui.editor.positions import DIRECT
from heatstudio.ui.editor.text_document import TextDocument
from heatstudio.ui.editor.tick_bar import TickBar, bar_style, make_ticks
from heatstudio.ui.editor.visible_lines import VisibleLine, lines_within, place_line
from heatstudio.ui.theme import Color, Theme

_TEXT_SIZE: Final = 13
_SMALLEST, _LARGEST = 6, 48
_MARGIN: Final = 4


class ShownText(QPlainTextEdit):
    """Text with its gutter, its folds and what is painted around it; positions are Qt's, in UTF-16 units."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._use_own_viewport()
        self.theme = theme
        self.marks = MarkList()
        self.changes: Mapping[int, ChangeKind] = {}
        self.matches: Sequence[tuple[int, int]] = ()
        self.fields: Sequence[tuple[int, int]] = ()
        self.shows_messages = True
        self.shows_blanks = False
        self.text_document = TextDocument(self.document())
        self.highlighter = Highlighter(self.document(), theme)
        self.folding = Folding(self)
        self.gutter = Gutter(self, self)
        self.brackets: Sequence[tuple[int, int]] = ()
        self._caret_look: tuple[int, int, tuple[int, int] | None] | None = None
        self._ticks = TickBar(theme, self)
        self._size = _TEXT_SIZE
        self._lines = 1
        self._set_up()

    def _use_own_viewport(self) -> None:
        """To be asked for Qt's own one costs a tenth of the start: PySide looks through all kinds of widgets for it."""
        viewport = QWidget(self)
        viewport.setBackgroundRole(QPalette.ColorRole.Base)
        viewport.setAutoFillBackground(True)
        viewport.setCursor(Qt.CursorShape.IBeamCursor)
        self.setViewport(viewport)
        self.document().documentLayout().setPaintDevice(viewport)

    def _set_up(self) -> None:
        self.setAccessibleName("Template text")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setVerticalScrollBar(self._ticks)
        corner = QWidget()
        corner.setAutoFillBackground(True)
        self.setCornerWidget(corner)
        self.document().setDocumentMargin(_MARGIN)
        self.setTabChangesFocus(False)
        self.setMouseTracking(True)
        self.blockCountChanged.connect(self._make_room)
        self.blockCountChanged.connect(self._refresh_ticks)
        self.updateRequest.connect(self._follow_scroll)
        self.cursorPositionChanged.connect(self._follow_caret)
        self.text_document.changed.connect(self.marks.shift)
        self.text_document.changed.connect(self._shift_changes)
        self.folding.changed.connect(self.gutter.update)
        self.gutter.fold_clicked.connect(lambda line: self.folding.toggle(self.document().findBlockByNumber(line)))
        self.gutter.line_clicked.connect(self._select_line)
        self._use_size(_TEXT_SIZE)
        self.set_theme(self.theme)

    # What is shown

    def load(self, text: str) -> None:
        """Takes another text; what could be undone is forgotten."""
        self.marks.place((), DIRECT)
        self.folding.clear()
        self.changes, self.matches, self.fields = {}, (), ()
        self.highlighter.expect_load(text.count("\n") + 1)
        self.text_document.load(text)
        self.moveCursor(QTextCursor.MoveOperation.Start)
        self.highlighter.resume()
        self._refresh_ticks()

    def set_theme(self, theme: Theme) -> None:
        """Takes the colors of a theme."""
        self.theme = theme
        self.setPalette(reading_palette(self.palette(), theme))
        self._ticks.set_theme(theme)
        self.horizontalScrollBar().setStyleSheet(bar_style(theme))
        self.highlighter.set_theme(theme)
        self.repaint_all()

    def show_marks_changed(self) -> None:
        """To be called after `marks` were placed anew."""
        self._refresh_ticks()
        self.repaint_all()

    def set_changes(self, changes: Mapping[int, ChangeKind]) -> None:
        """Shows outcomes of an update beside lines, which count from 0."""
        self.changes = changes
        self._make_room()
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
        """Whether messages stand behind their lines."""
        self.shows_messages = shown
        self.viewport().update()

    def set_shows_blanks(self, *, shown: bool) -> None:
        """Whether blanks and tabs are drawn."""
        self.shows_blanks = shown
        self.viewport().update()

    def zoom(self, steps: int) -> None:
        """Larger or smaller by so many pixels; 0 gives the first size back."""
        self._use_size(max(_SMALLEST, min(_LARGEST, self._size + steps)) if steps else _TEXT_SIZE)

    def repaint_all(self) -> None:
        """Paints text and gutter anew."""
        self.viewport().update()
        self.gutter.update()

    def _use_size(self, size: int) -> None:
        self._size = size
        font = code_font()
        font.setPixelSize(size)
        self.setFont(font)
        self.gutter.setFont(font)
        self.setTabStopDistance(QFontMetricsF(font).horizontalAdvance(" ") * STEP)
        self._make_room()

    # Where things are

    def caret_line(self) -> int:
        """The line of the caret, from 0."""
        return self.textCursor().blockNumber()

    def visible_lines(self) -> list[VisibleLine]:
        """The lines on the screen, from top to bottom."""
        lines: list[VisibleLine] = []
        offset, height, width = self.contentOffset(), self.viewport().height(), self.viewport().width()
        block: QTextBlock = self.firstVisibleBlock()
        top = offset.y()
        while block.isValid() and top <= height:
            if block.isVisible():
                height_of_block = self.blockBoundingRect(block).height()
                lines.append(place_line(block, offset.x(), top, width))
                top += height_of_block
            block = block.next()
        return lines

    def position_at(self, point: QPointF) -> int | None:
        """The document position under a point of the viewport; None where there is no character."""
        for line in self.visible_lines():
            if line.rect.top() <= point.y() < line.rect.bottom() and point.x() <= line.text_end:
                return self.cursorForPosition(point.toPoint()).position()
        return None

    def select(self, start: int, end: int) -> None:
        """Selects between two document positions and brings them to the middle if they were not seen."""
        cursor = self.textCursor()
        cursor.setPosition(end)
        cursor.setPosition(start, QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)
        lines = self.visible_lines()
        line = cursor.blockNumber()
        if not lines or not lines[0].block.blockNumber() < line < lines[-1].block.blockNumber() - 1:
            self.centerCursor()
        self._scroll_left()

    def scroll_to(self, line: int, left: int) -> None:
        """Shows a line at the top, and what stands so many pixels from the left at the left."""
        block = self.document().findBlockByNumber(line)
        self.verticalScrollBar().setValue(block.firstLineNumber() if block.isValid() else 0)
        self.horizontalScrollBar().setValue(left)

    def _scroll_left(self) -> None:
        """Back to the beginning of the lines when the caret is seen from there too, or nothing is seen yet."""
        bar = self.horizontalScrollBar()
        if not self.isVisible() or self.cursorRect().right() + bar.value() < self.viewport().width():
            bar.setValue(0)

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's hook: grounds below the text, the text, then underlines and messages over it."""
        lines = self.visible_lines()
        if lines:
            self.highlighter.reach(lines[-1].block.blockNumber())
        painter = QPainter(self.viewport())
        paint_below(painter, self, lines)
        painter.end()
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_above(painter, self, lines_within(lines, event.rect()))
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt's hook."""
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        width = self.gutter.needed_width(self.blockCount())
        if self.viewportMargins().left() != width:
            self.setViewportMargins(width, 0, 0, 0)
        inside = self.contentsRect()
        self.gutter.setGeometry(QRect(inside.left(), inside.top(), width, inside.height()))

    def _follow_scroll(self, rect: QRect, dy: int) -> None:
        if dy:
            self.gutter.scroll(0, dy)
            self.viewport().update()
        else:
            self.gutter.update(0, rect.y(), self.gutter.width(), rect.height())

    def _follow_caret(self) -> None:
        """Qt repaints the line that is typed in; the page is painted anew only when more looks different."""
        cursor = self.textCursor()
        pair = matching_bracket(cursor.block(), cursor.positionInBlock())
        self.brackets = [(at, at + 1) for at in pair] if pair else ()
        look = (cursor.blockNumber(), indent_of(cursor.block().text()), pair)
        if look != self._caret_look:
            self._caret_look = look
            self.repaint_all()

    def _shift_changes(self, position: int, _removed: int, _added: int) -> None:
        """Outcomes stay with their lines until new ones come."""
        by = self.blockCount() - self._lines
        self._lines = self.blockCount()
        if by and self.changes:
            block = self.document().findBlock(position)
            first = block.blockNumber() + (1 if position > block.position() else 0)
            self.changes = {line + by if line >= first else line: change for line, change in self.changes.items()}

    def _refresh_ticks(self) -> None:
        self._ticks.set_ticks(make_ticks(self.document(), self.marks, self.matches))

    def _select_line(self, line: int) -> None:
        cursor = QTextCursor(self.document().findBlockByNumber(line))
        cursor.movePosition(QTextCursor.MoveOperation.NextBlock, QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)
        self.setFocus()


def reading_palette(palette: QPalette, theme: Theme) -> QPalette:
    """A palette with the colors that a theme gives to the text of a template."""
    palette = QPalette(palette)
    for role, color in (
        (QPalette.ColorRole.Window, Color.EDITOR_GROUND),
        (QPalette.ColorRole.Base, Color.EDITOR_GROUND),
        (QPalette.ColorRole.Text, Color.TEXT),
        (QPalette.ColorRole.Highlight, Color.SELECTION),
    ):
        palette.setColor(role, theme.color(color))
    # Selected text keeps the colors of its words.
    palette.setBrush(QPalette.ColorRole.HighlightedText, Qt.BrushStyle.NoBrush)
    return palette


def code_font() -> QFont:
    """The face for code: JetBrains Mono where it is installed, else the system's, without ligatures."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    if "JetBrains Mono" in QFontDatabase.families():
        font = QFont("JetBrains Mono")
        font.setFeature(QFont.Tag("liga"), 0)
        font.setFeature(QFont.Tag("calt"), 0)
    font.setStyleHint(QFont.StyleHint.Monospace)
    return font
