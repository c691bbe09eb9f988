"""One of two texts that stand beside each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QContextMenuEvent,
    QFontMetricsF,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTextCursor,
)
from PySide6.QtWidgets import QMenu

from heatstudio.text.line_diff import LineChange
from heatstudio.ui.documents.positions import Positions
from heatstudio.ui.editor import ChangeKind
from heatstudio.ui.editor.compare.comparison import SideRow
from heatstudio.ui.editor.compare.margin import COLORS, GROUNDS, Margin
from heatstudio.ui.editor.text.code_page import MARGIN, CodePage
from heatstudio.ui.editor.text.indentation import STEP
from heatstudio.ui.editor.text.overlay import paint_guides
from heatstudio.ui.editor.text.text_document import difference, from_qt
from heatstudio.ui.editor.text.visible_lines import VisibleLine
from heatstudio.ui.highlight.highlighter import EAGER_LINES
from heatstudio.ui.widgets.theme import Color, Theme


class SideText(CodePage):
    """A text to read: rows in which only the other side has a line are empty and hatched."""

    row_chosen = Signal(int)
    """A row that was clicked, or on which Enter was pressed."""
    row_changed = Signal(int)
    """The row of the caret."""
    left = Signal()
    """Escape was pressed."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__(theme, name)
        self.row_at: Callable[[int], SideRow] = lambda row: SideRow(row, LineChange.KEPT)
        self.changes: Mapping[int, ChangeKind] = {}
        self.run = range(0)
        self.margin = Margin(self, self)
        self.margin.setAccessibleName(f"Line numbers and changes of the {name.lower()}")
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setTabChangesFocus(True)
        self.cursorPositionChanged.connect(self._follow_caret)
        self.take_edge(self.margin, self.margin.needed_width)
        self._row = 0
        self.set_theme(theme)

    # What is shown

    def show_rows(self, text: str, row_at: Callable[[int], SideRow], lines: int) -> None:
        """Takes the rows of a text of so many lines; what stays equal stays where it is on the screen."""
        self.row_at = row_at
        edits = difference(self.text_document.text(), text)
        if any(edit.text.count("\n") >= EAGER_LINES for edit in edits):
            self.highlighter.expect_load(text.count("\n") + 1)
            self.text_document.load(text)
            self.highlighter.resume()
        else:
            self.text_document.apply(edits)
        self.margin.set_lines(lines)
        self.make_room()
        self.repaint_all()

    def set_changes(self, changes: Mapping[int, ChangeKind]) -> None:
        """Shows outcomes of the update beside lines, which count from 0."""
        self.changes = changes
        self.make_room()
        self.margin.update()

    def set_run(self, run: range) -> None:
        """Shows which rows are the change that is looked at."""
        self.run = run
        self.repaint_all()

    # Where things are

    def caret_row(self) -> int:
        """The row of the caret."""
        return self.textCursor().blockNumber()

    def place_caret(self, row: int, *, centered: bool = False) -> None:
        """Puts the caret at the beginning of a row, and the row into the middle if that is asked for."""
        if row != self.caret_row():
            self.setTextCursor(QTextCursor(self.document().findBlockByNumber(row)))
        if centered:
            self.centerCursor()
            self.horizontalScrollBar().setValue(0)

    # Keys and the mouse

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter goes to the line, Escape back to the editor; copying is ours."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.row_chosen.emit(self.caret_row())
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() is Qt.MouseButton.LeftButton and not self.textCursor().hasSelection():
            self.row_chosen.emit(self.caret_row())

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The menu of Qt itself would copy empty lines that the text does not have."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        copy = menu.addAction("&Copy", QKeySequence(QKeySequence.StandardKey.Copy), self.copy)
        copy.setEnabled(self.textCursor().hasSelection())
        menu.addAction("Select &all", QKeySequence(QKeySequence.StandardKey.SelectAll), self.selectAll)
        menu.popup(event.globalPos())

    def copy(self) -> None:
        """Copies what is selected, without the rows that only the other side has.

        As plain text, which Qt keeps: data made here for the clipboard would outlive Python and end the process badly.
        """
        cursor = self.textCursor()
        if not cursor.hasSelection():
            return
        first = self.document().findBlock(cursor.selectionStart()).blockNumber()
        pieces = from_qt(cursor.selectedText()).split("\n")
        kept = (piece for row, piece in enumerate(pieces, first) if self.row_at(row).line is not None)
        QGuiApplication.clipboard().setText("\n".join(kept))

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """The grounds of rows and pieces lie below the text."""
        lines = self.visible_lines()
        if lines:
            self.highlighter.reach(lines[-1].block.blockNumber())
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), self.theme.color(Color.EDITOR_GROUND))
        for line in lines:
            self._paint_row(painter, line, self.row_at(line.block.blockNumber()))
        step = QFontMetricsF(self.font()).horizontalAdvance(" ") * STEP
        paint_guides(painter, lines, self.theme, step=step, margin=MARGIN, caret_line=-1)
        painter.setBrushOrigin(-self.margin.width(), 0)  # the hatching goes on where that of the margin ends
        for line in lines:
            if self.row_at(line.block.blockNumber()).line is None:
                whole = self._whole(line)
                painter.fillRect(whole, self.theme.color(Color.EDITOR_GROUND))
                painter.fillRect(whole, QBrush(self.theme.color(Color.BORDER), Qt.BrushStyle.BDiagPattern))
        painter.end()
        super().paintEvent(event)

    def _paint_row(self, painter: QPainter, line: VisibleLine, row: SideRow) -> None:
        whole = self._whole(line)
        if row.change is not LineChange.KEPT:
            painter.fillRect(whole, self.theme.color(GROUNDS[row.change]))
        elif line.block.blockNumber() == self._row:
            painter.fillRect(whole, self.theme.color(Color.CURRENT_LINE))
        if row.pieces:
            self._paint_pieces(painter, line, row)

    def _whole(self, line: VisibleLine) -> QRectF:
        return QRectF(0, line.rect.top(), self.viewport().width(), line.rect.height())

    def _paint_pieces(self, painter: QPainter, line: VisibleLine, row: SideRow) -> None:
        """Grounds and underlines of what the other side does not have."""
        first, position = line.block.position(), Positions(from_qt(line.block.text())).position
        painter.setPen(QPen(self.theme.color(COLORS[row.change]), 1))
        for piece in row.pieces:
            for rect in line.rects(first + position(piece.start), first + position(piece.end)):
                painter.fillRect(rect, self.theme.color(Color.MATCH_GROUND))
                painter.drawLine(rect.bottomLeft(), rect.bottomRight())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().height() != event.oldSize().height():
            self.centerCursor()

    def _follow_caret(self) -> None:
        if self._row != self.caret_row():
            self._row = self.caret_row()
            self.repaint_all()
            self.row_changed.emit(self._row)
