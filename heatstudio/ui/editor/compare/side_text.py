"""One text of a side-by-side comparison."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from PySide6 import QtGui
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtWidgets import QMenu

from heatstudio.text import LineChange
from heatstudio.ui.documents.qt_text import QtPositions, from_qt
from heatstudio.ui.editor.compare.comparison import SideRow
from heatstudio.ui.editor.text.code_page import MARGIN, CodePage, Edge, VisibleLine, lines_within
from heatstudio.ui.editor.text.folds import refresh_layout, set_visible
from heatstudio.ui.editor.text.indentation import STEP
from heatstudio.ui.editor.text.overlay import paint_guides
from heatstudio.ui.editor.text.text_document import difference
from heatstudio.ui.highlight.highlighter import EAGER_LINES
from heatstudio.ui.widgets import Appearance, Color, make_readable, paint_icon
from heatstudio.ui.widgets.outcome import ShownOutcome

_ICON: Final = 14.0
_ICON_COLUMN: Final = 20
_SIGN_COLUMN: Final = 18
_PADDING: Final = 6
_BAR: Final = 3
GROUNDS = {
    LineChange.CHANGED: Color.WARNING_GROUND,
    LineChange.ADDED: Color.ADDED_GROUND,
    LineChange.DELETED: Color.ERROR_GROUND,
    LineChange.MOVED: Color.MOVED_GROUND,
}
"""The background colors of lines that differ."""
COLORS = {
    LineChange.CHANGED: Color.UPDATED,
    LineChange.ADDED: Color.ADDED,
    LineChange.DELETED: Color.DELETED,
    LineChange.MOVED: Color.MOVED,
}
"""The colors of their signs."""
_WORDS = {
    LineChange.KEPT: "",
    LineChange.CHANGED: "This line was changed",
    LineChange.ADDED: "This line was added",
    LineChange.DELETED: "This line was deleted",
    LineChange.MOVED: "This line was moved",
}


class Margin(Edge):
    """The gutter of a compared text, painted from its rows."""

    fold_clicked = Signal(int)
    """The first row of the fold that is clicked."""

    def __init__(self, page: CodePage, name: str) -> None:
        super().__init__(page, name)
        self.row_at: Callable[[int], SideRow] = lambda row: SideRow(row, LineChange.KEPT)
        """A function that returns the content of a row."""
        self.changes: Mapping[int, ShownOutcome] = {}
        """The outcomes of the update, by line from 0."""
        self.run = range(0)
        """The rows of the current change."""
        self.folds: Mapping[int, range] = {}
        """The folded rows, by the first one, which stands for them."""

    def needed_width(self) -> int:
        """Return the required width in pixels."""
        return round(self._number_right() + _SIGN_COLUMN)

    def _number_right(self) -> float:
        return _BAR + (_ICON_COLUMN if self.changes else 0) + _PADDING + self.numbers_width()

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        painter = QtGui.QPainter(self)
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        painter.fillRect(event.rect(), self._page.theme.color(Color.EDITOR_GROUND))
        for line in lines_within(self._page.visible_lines(), event.rect()):
            self._paint_line(painter, line, line.block.blockNumber())
        painter.end()

    def _paint_line(self, painter: QtGui.QPainter, line: VisibleLine, number: int) -> None:
        theme, row = self._page.theme, self.row_at(number)
        whole = QRectF(0, line.rect.top(), self.width(), line.rect.height())
        is_current = number == self._page.caret_line()
        if number in self.folds:
            painter.fillRect(whole, theme.color(Color.SELECTION if is_current else Color.HOVER_GROUND))
            paint_icon(painter, self._icon_rect(line), "chevron-right", theme, Color.MUTED)
            return
        if row.line is None:
            painter.setBrushOrigin(whole.topLeft())
            painter.fillRect(whole, QtGui.QBrush(theme.color(Color.BORDER), Qt.BrushStyle.BDiagPattern))
        elif row.change is not LineChange.KEPT:
            painter.fillRect(whole, theme.color(GROUNDS[row.change]))
        elif is_current:
            painter.fillRect(whole, theme.color(Color.CURRENT_LINE))
        if number in self.run:
            painter.fillRect(QRectF(0, line.rect.top(), _BAR, line.rect.height()), theme.color(Color.ACCENT))
        if row.line is None:
            return
        painter.setFont(self.font())
        painter.setPen(theme.color(Color.TEXT if is_current else Color.MUTED))
        number_rect = QRectF(0, line.rect.top(), self._number_right(), line.rect.height())
        vertical = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(number_rect, Qt.AlignmentFlag.AlignRight | vertical, str(row.line + 1))
        if row.change is not LineChange.KEPT:
            font = QtGui.QFont(self.font())
            font.setBold(True)
            painter.setFont(font)
            painter.setPen(theme.color(COLORS[row.change]))
            sign_rect = QRectF(self._number_right(), line.rect.top(), _SIGN_COLUMN, line.rect.height())
            painter.drawText(sign_rect, Qt.AlignmentFlag.AlignHCenter | vertical, row.change.value)
        change = None if row.is_old else self.changes.get(row.line)
        if change is not None:
            icon, color = change.icon
            paint_icon(painter, self._icon_rect(line), icon, theme, color)

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        """Open the fold that is clicked."""
        line = self.line_at(event.position().y())
        if line is not None and event.button() is Qt.MouseButton.LeftButton and line.block.blockNumber() in self.folds:
            self.fold_clicked.emit(line.block.blockNumber())

    def _icon_rect(self, line: VisibleLine) -> QRectF:
        return QRectF(_BAR + 3, round(line.rect.center().y() - _ICON / 2), _ICON, _ICON)

    def explain(self, line: VisibleLine) -> str:
        """Return the meaning of the signs of a line."""
        return self.description_of(line.block.blockNumber())

    def description_of(self, number: int) -> str:
        """Return the meaning of the signs of a row, one sentence per line."""
        row = self.row_at(number)
        if number in self.folds:
            return f"{fold_words(self.folds[number])}; Enter shows them"
        if row.line is None:
            return "This line is only in the other version"
        change = None if row.is_old else self.changes.get(row.line)
        moved = f" {row.moved}" if row.moved else ""
        return "\n".join(filter(None, (_WORDS[row.change] + moved, f"Preview: {change.word}" if change else "")))


def fold_words(rows: range) -> str:
    """Return the number of folded rows in words."""
    return f"{len(rows)} unchanged lines"


class SideText(CodePage):
    """A read-only text; rows with a line on the other side only are empty and hatched."""

    row_chosen = Signal(int)
    """The row that is double-clicked, or on which Enter is pressed."""
    row_changed = Signal(int)
    """The row of the cursor."""
    left = Signal()
    """Emitted when Escape is pressed."""
    step_requested = Signal(int)
    """Emitted to go to the next change (1) or the previous one (-1)."""
    unfold_requested = Signal(int)
    """The first row of a fold to open."""
    fold_requested = Signal(str)
    """The command to fold or unfold all unchanged rows."""
    hovered = Signal(int)
    """The row under the mouse; -1 when it leaves."""

    def __init__(self, appearance: Appearance, name: str) -> None:
        super().__init__(appearance, name)
        self.margin = Margin(self, f"Line numbers and changes of the {name.lower()}")
        make_readable(self)
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self.cursorPositionChanged.connect(self._follow_caret)
        self.margin.fold_clicked.connect(self.unfold_requested)
        self.take_edge(self.margin, self.margin.needed_width)
        self._row = 0
        self.setMouseTracking(True)

    # Content

    def show_rows(self, text: str, row_at: Callable[[int], SideRow], lines: int) -> None:
        """Show the rows of a text, whose line numbers go up to `lines`; unchanged rows keep their screen position."""
        self.margin.row_at = row_at
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

    def set_folds(self, folds: Mapping[int, range]) -> None:
        """Hide unchanged rows; the first row of each fold stands for all of them."""
        self.margin.folds = folds
        hidden = {row for rows in folds.values() for row in rows[1:]}
        block = self.document().firstBlock()
        while block.isValid():
            if block.isVisible() is (block.blockNumber() in hidden):
                set_visible(block, visible=not block.isVisible())
            block = block.next()
        refresh_layout(self.document())
        self.repaint_all()

    def set_changes(self, changes: Mapping[int, ShownOutcome]) -> None:
        """Show outcomes of the update next to lines, which are counted from 0."""
        self.margin.changes = changes
        self.make_room()
        self.margin.update()

    def set_run(self, run: range) -> None:
        """Mark the rows of the current change."""
        self.margin.run = run
        self.repaint_all()

    # Geometry

    def place_caret(self, row: int, *, centered: bool = False) -> None:
        """Move the cursor to the start of a row, and center the row if requested."""
        if row != self.caret_line():
            self.setTextCursor(QtGui.QTextCursor(self.document().findBlockByNumber(row)))
        if centered:
            self.centerCursor()
            self.horizontalScrollBar().setValue(0)

    # Keyboard and mouse

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        """Handle Enter (go to the line, or open its fold), F8, Escape (return to the editor) and copying."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            is_fold = self.caret_line() in self.margin.folds
            (self.unfold_requested if is_fold else self.row_chosen).emit(self.caret_line())
        elif event.key() == Qt.Key.Key_F8:
            self.step_requested.emit(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.matches(QtGui.QKeySequence.StandardKey.Copy):
            self.copy()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Take F8 from the window, where it goes to a problem, and report the row under the mouse."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QtGui.QKeyEvent):
            if event.key() == Qt.Key.Key_F8:
                event.accept()
                return True
        elif event.type() is QEvent.Type.Leave:
            self.hovered.emit(-1)
        return super().event(event)

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self.hovered.emit(self.cursorForPosition(event.position().toPoint()).blockNumber())

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        """Open a fold that is clicked."""
        super().mouseReleaseEvent(event)
        if event.button() is Qt.MouseButton.LeftButton and self.caret_line() in self.margin.folds:
            self.unfold_requested.emit(self.caret_line())

    def mouseDoubleClickEvent(self, event: QtGui.QMouseEvent) -> None:
        """Go to the line; a single click only shows it on the other side."""
        super().mouseDoubleClickEvent(event)
        if event.button() is Qt.MouseButton.LeftButton and self.caret_line() not in self.margin.folds:
            self.row_chosen.emit(self.caret_line())

    def contextMenuEvent(self, event: QtGui.QContextMenuEvent) -> None:
        """Show a menu instead of Qt's, which would copy the empty rows of the other side."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        copy = menu.addAction("&Copy", QtGui.QKeySequence(QtGui.QKeySequence.StandardKey.Copy), self.copy)
        copy.setEnabled(self.textCursor().hasSelection())
        menu.addAction("Select &all", QtGui.QKeySequence(QtGui.QKeySequence.StandardKey.SelectAll), self.selectAll)
        menu.addAction("&Fold All", partial(self.fold_requested.emit, "fold-all"))
        menu.addAction("&Unfold All", partial(self.fold_requested.emit, "unfold-all"))
        menu.popup(event.globalPos())

    def copy(self) -> None:
        """Copy the selection without the rows that only the other side has.

        The clipboard gets plain text, which Qt owns: a data object created here would outlive Python and crash.
        """
        cursor = self.textCursor()
        if not cursor.hasSelection():
            return
        first = self.document().findBlock(cursor.selectionStart()).blockNumber()
        pieces = from_qt(cursor.selectedText()).split("\n")
        kept = (piece for row, piece in enumerate(pieces, first) if self.margin.row_at(row).line is not None)
        QtGui.QGuiApplication.clipboard().setText("\n".join(kept))

    # Painting

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        """Paint the backgrounds of rows and differing parts, then the text."""
        lines = self.highlighted_lines()
        painter = QtGui.QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), self.theme.color(Color.EDITOR_GROUND))
        for line in lines:
            self._paint_row(painter, line, self.margin.row_at(line.block.blockNumber()))
        step = QtGui.QFontMetricsF(self.font()).horizontalAdvance(" ") * STEP
        paint_guides(painter, lines, self.theme, step=step, margin=MARGIN, caret_line=-1)
        left = self.contentOffset().x() - self.margin.width()  # continue the hatching of the margin
        for line in lines:
            if self.margin.row_at(line.block.blockNumber()).line is None:
                whole = self._whole(line)
                painter.setBrushOrigin(QPointF(left, whole.top()))  # the hatching scrolls with its row
                painter.fillRect(whole, self.theme.color(Color.EDITOR_GROUND))
                painter.fillRect(whole, QtGui.QBrush(self.theme.color(Color.BORDER), Qt.BrushStyle.BDiagPattern))
        painter.end()
        super().paintEvent(event)
        painter = QtGui.QPainter(self.viewport())
        for line in lines:
            if line.block.blockNumber() in self.margin.folds:
                self._paint_fold(painter, line)
        painter.end()

    def _paint_fold(self, painter: QtGui.QPainter, line: VisibleLine) -> None:
        """Paint what stands for folded rows over the text of the first one."""
        is_current = line.block.blockNumber() == self._row
        whole = self._whole(line)
        painter.fillRect(whole, self.theme.color(Color.SELECTION if is_current else Color.HOVER_GROUND))
        painter.setPen(self.theme.color(Color.TEXT if is_current else Color.MUTED))
        words = f"… {fold_words(self.margin.folds[line.block.blockNumber()])}"
        painter.drawText(whole.adjusted(MARGIN, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, words)

    def _paint_row(self, painter: QtGui.QPainter, line: VisibleLine, row: SideRow) -> None:
        whole = self._whole(line)
        if row.change is not LineChange.KEPT:
            painter.fillRect(whole, self.theme.color(GROUNDS[row.change]))
        elif line.block.blockNumber() == self._row:
            painter.fillRect(whole, self.theme.color(Color.CURRENT_LINE))
        if row.pieces:
            self._paint_pieces(painter, line, row)

    def _whole(self, line: VisibleLine) -> QRectF:
        return QRectF(0, line.rect.top(), self.viewport().width(), line.rect.height())

    def _paint_pieces(self, painter: QtGui.QPainter, line: VisibleLine, row: SideRow) -> None:
        """Paint backgrounds and underlines of the parts that differ from the other side."""
        first, position = line.block.position(), QtPositions(from_qt(line.block.text())).position
        painter.setPen(QtGui.QPen(self.theme.color(COLORS[row.change]), 1))
        for piece in row.pieces:
            for rect in line.rects(first + position(piece.start), first + position(piece.end)):
                painter.fillRect(rect, self.theme.color(Color.MATCH_GROUND))
                painter.drawLine(rect.bottomLeft(), rect.bottomRight())

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        """Keep the row of the cursor visible, unless the user has scrolled away from it."""
        rows = event.oldSize().height() // self.fontMetrics().lineSpacing()
        was_visible = 0 <= self.caret_line() - self.firstVisibleBlock().blockNumber() <= rows
        super().resizeEvent(event)
        if was_visible and event.size().height() != event.oldSize().height():
            self.centerCursor()

    def _follow_caret(self) -> None:
        if self._row != self.caret_line():
            self._row = self.caret_line()
            self.repaint_all()
            self.row_changed.emit(self._row)
