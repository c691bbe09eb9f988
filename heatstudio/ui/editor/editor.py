"""The editable text, with its gutter, folds and decorations: keys, mouse, and dropped files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from PySide6 import QtGui
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QTimer, Signal
from PySide6.QtWidgets import QPlainTextEdit, QWidget
from shiboken6 import isValid

from heatstudio.text.words import word_around
from heatstudio.ui.documents.qt_text import QtPositions, from_qt, to_qt
from heatstudio.ui.editor.text.carets import Carets
from heatstudio.ui.editor.text.code_page import CodePage, lines_within
from heatstudio.ui.editor.text.decorations import Decorations
from heatstudio.ui.editor.text.folds import Folding
from heatstudio.ui.editor.text.gutter import Gutter, ScrollBarMarkers, StickyLines
from heatstudio.ui.editor.text.indentation import fitted
from heatstudio.ui.editor.text.line_commands import delete_lines
from heatstudio.ui.editor.text.text_document import selecting
from heatstudio.ui.editor.text.undo_steps import UndoPlaces, UndoSteps
from heatstudio.ui.highlight.highlighter import state_above
from heatstudio.ui.widgets import Appearance
from heatstudio.ui.widgets.dragged_type import local_files, type_in
from heatstudio.ui.widgets.text_keys import is_text_key

_WHOLE_LINES: Final = "application/x-heatstudio-lines"
"""The clipboard format that marks lines copied without a selection, which are pasted above a line."""
KeyFilter = Callable[[QtGui.QKeyEvent], bool]
"""A function that may handle a key before the editor; it returns whether it did."""


class TextEditor(CodePage):
    """An editor for YAML and JSON; the interface of its pane uses code points."""

    type_dragged = Signal(str, int)
    """The name of a resource type dragged over the text, and the document position; an empty name ends the drag."""
    type_dropped = Signal(str)
    """The name of a resource type dropped on the text; the cursor is at its position."""
    typed = Signal(str)
    """The typed characters, after they are in the text."""

    menu_requested = Signal(QPoint)
    """The screen position of a menu for the cursor or the selection."""
    definition_requested = Signal(int)
    """The offset of a Ctrl+click."""

    def __init__(
        self, appearance: Appearance, parent: QWidget | None = None, *, shared: TextEditor | None = None
    ) -> None:
        super().__init__(appearance, "Template text", parent, shared=shared)
        self.folding: Folding = Folding(self.document()) if shared is None else shared.folding
        self.folding.add_view(self)
        self.decorations = Decorations(self, self.folding)
        self.gutter = Gutter(self, self.decorations, self.folding)
        self.sticky_lines = StickyLines(self, self.gutter, self.decorations)
        self._scroll_bar = ScrollBarMarkers(self, self.decorations)
        self.setVerticalScrollBar(self._scroll_bar)
        self.setTabChangesFocus(False)
        self.setMouseTracking(True)
        self.blockCountChanged.connect(self.make_room)
        self.take_edge(self.gutter, self.gutter.needed_width)
        self.key_filters: list[KeyFilter] = []
        self.undo_steps: UndoSteps = UndoSteps(self.document()) if shared is None else shared.undo_steps
        self.carets = Carets(self)
        self._places = UndoPlaces(self, self.carets, self.undo_steps)
        self._column: tuple[QtGui.QTextBlock, float] | None = None
        """Where the selection of a column began, while the mouse is pressed."""
        self._dragged_over: int | None = None
        keys = QtGui.QKeySequence.StandardKey
        self._edits = {keys.Undo: self.undo, keys.Redo: self.redo, keys.Cut: self.cut, keys.Copy: self.copy}
        """What Qt would do without the carets."""

    # Content

    def load(self, text: str) -> None:
        """Replace the text, and clear the undo history and its places."""
        self.decorations.clear()
        self.folding.clear()
        self.highlighter.expect_load(text.count("\n") + 1)
        self.text_document.load(text)
        self.moveCursor(QtGui.QTextCursor.MoveOperation.Start)
        if self.isVisible():
            self.highlighter.resume()
        self._places.clear()

    def focusInEvent(self, event: QtGui.QFocusEvent) -> None:
        self.undo_steps.view = self
        super().focusInEvent(event)

    def showEvent(self, event: QtGui.QShowEvent) -> None:
        super().showEvent(event)
        self.highlighter.resume()
        self._share_width()

    def hideEvent(self, event: QtGui.QHideEvent) -> None:
        super().hideEvent(event)
        self.highlighter.pause()
        QTimer.singleShot(0, self, self._share_width)  # unless it is hidden because it is deleted

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        """Paint backgrounds, the text, and then underlines and messages over it."""
        lines = self.highlighted_lines()
        painter = QtGui.QPainter(self.viewport())
        self.decorations.paint_below(painter, lines)
        painter.end()
        super().paintEvent(event)
        painter = QtGui.QPainter(self.viewport())
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        touched = lines_within(lines, event.rect())
        self.decorations.paint_above(painter, touched)
        self.carets.paint(painter, touched)
        painter.end()

    # Geometry

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        super().resizeEvent(event)
        self._scroll_bar.refresh_later()
        self._share_width()

    def _share_width(self) -> None:
        """Give all editors of the text the width of the narrowest one while lines wrap: Qt wraps a text only once."""
        editors = (view for view in self.folding.views if isinstance(view, TextEditor) and isValid(view))
        views = [view for view in editors if view.isVisible()]
        widths = [view.viewport().width() + view.unused for view in views]
        is_wrapped = self.lineWrapMode() is QPlainTextEdit.LineWrapMode.WidgetWidth
        for view, width in zip(views, widths, strict=True):
            view.unused = width - min(widths) if is_wrapped else 0
            view.make_room()

    def set_wraps(self, wraps: bool) -> None:
        """Switch the wrapping of long lines on or off; the first visible line stays at the top."""
        top = self.firstVisibleBlock().blockNumber()
        mode = QPlainTextEdit.LineWrapMode
        self.setLineWrapMode(mode.WidgetWidth if wraps else mode.NoWrap)
        self._share_width()
        self.scroll_to(top, 0)
        self._scroll_bar.refresh_later()

    def position_at(self, point: QPointF) -> int | None:
        """Return the document position at a point of the viewport; None if there is no character."""
        has_text = any(line.has_text_at(point) for line in self.visible_lines())
        return self.cursorForPosition(point.toPoint()).position() if has_text else None

    def select(self, start: int, end: int) -> None:
        """Select between two document positions; show the line in the center and from its start, as far as needed."""
        cursor = selecting(self.textCursor(), end, start)
        self.setTextCursor(cursor)
        lines = self.visible_lines()
        line = cursor.blockNumber()
        if not lines or not lines[0].block.blockNumber() < line < lines[-1].block.blockNumber() - 1:
            self.centerCursor()
        bar = self.horizontalScrollBar()
        if not self.isVisible() or self.cursorRect().right() + bar.value() < self.viewport().width():
            bar.setValue(0)

    def reveal(self, first: QtGui.QTextBlock, last: QtGui.QTextBlock) -> None:
        """Scroll so that lines are visible; of too many lines, the first ones."""
        bar, rows = self.verticalScrollBar(), self.verticalScrollBar().pageStep()
        top = min(max(bar.value(), last.firstLineNumber() + 2 - rows), first.firstLineNumber())
        bar.setValue(top)

    def scroll_to(self, line: int, left: int) -> None:
        """Scroll to a line at the top and to a horizontal offset in pixels."""
        block = self.document().findBlockByNumber(line)
        self.verticalScrollBar().setValue(block.firstLineNumber() if block.isValid() else 0)
        self.horizontalScrollBar().setValue(left)

    # Keyboard and mouse

    def event(self, event: QEvent) -> bool:
        """Leave to the window's shortcuts what is not a key of the text, such as Ctrl+K."""
        if (
            event.type() is QEvent.Type.ShortcutOverride
            and isinstance(event, QtGui.QKeyEvent)
            and not is_text_key(event)
        ):
            event.ignore()
            return False
        return super().event(event)

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        """Offer a key to the filters, then to the YAML keys, then to Qt, if it is a key of the text."""
        if any(key_filter(event) for key_filter in self.key_filters):
            event.accept()
            return
        if event.key() == Qt.Key.Key_Escape and self.carets.are_many:
            self.carets.clear()
            event.accept()
            return
        edit = next((act for key, act in self._edits.items() if event.matches(key)), None)
        with self._noting(event.text()) as joins:
            if self.carets.press(event, joins=joins):
                event.accept()
            elif edit is not None:
                edit()
            elif is_text_key(event):
                super().keyPressEvent(event)
            else:
                event.ignore()

    def undo(self) -> None:
        """Undo a step, and return to its place."""
        self._places.undo()

    def redo(self) -> None:
        """Redo a step, and return to its place."""
        self._places.redo()

    def cut(self) -> None:
        """Cut the selections or, without any, the lines of the carets."""
        text = self.carets.selected_text()
        self.copy()
        if not self.isReadOnly():
            self.carets.each(QtGui.QTextCursor.removeSelectedText if text else delete_lines, by_line=not text)

    def copy(self) -> None:
        """Copy the selections or, without any, the lines of the carets."""
        clipboard, text = QtGui.QGuiApplication.clipboard(), self.carets.selected_text()
        clipboard.setText(text or self.carets.line_text())
        if not text:  # Qt owns the data object: one created here would outlive Python and crash
            clipboard.mimeData().setData(_WHOLE_LINES, b"1")

    def inputMethodEvent(self, event: QtGui.QInputMethodEvent) -> None:
        typed = event.commitString()
        with self._noting(typed) as joins:
            if typed and self.carets.are_many and not self.isReadOnly():
                self.carets.each(lambda cursor: cursor.insertText(typed), joins=joins)
                event = QtGui.QInputMethodEvent(event.preeditString(), event.attributes())
            super().inputMethodEvent(event)

    @contextmanager
    def _noting(self, typed: str) -> Iterator[bool]:
        """Separate undo steps at a key, and report the typed text if it changed the document.

        Yield whether the key continues the last undo step.
        """
        revision = self.document().revision()
        yield self.undo_steps.before_key(typed, self.textCursor().position())
        self.undo_steps.after_key(typed, self.textCursor().position())
        if self.document().revision() != revision:
            self.typed.emit(typed)

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        """Add a caret on Alt+click, select a column with Shift+Alt, request the definition of a word on Ctrl+click."""
        is_left, modifiers = event.button() is Qt.MouseButton.LeftButton, event.modifiers()
        if event.button() is Qt.MouseButton.MiddleButton:
            self._column = self._place_at(event.position())
        elif is_left and modifiers == Qt.KeyboardModifier.AltModifier:
            self.carets.toggle(self.cursorForPosition(event.position().toPoint()).position())
        elif is_left and modifiers == Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.ShiftModifier:
            cursor = self.textCursor()
            cursor.setPosition(cursor.anchor())
            left = self.cursorRect(cursor).left() - self.contentOffset().x()
            self._column = (cursor.block(), left)
            self.carets.select_column(self._column, self._place_at(event.position()))
        else:
            super().mousePressEvent(event)
            if is_left:
                self.carets.clear()
        if is_left and modifiers == Qt.KeyboardModifier.ControlModifier:
            position = self.position_at(event.position())
            if position is not None:
                self.definition_requested.emit(self.text_document.positions().offset(position))

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        """Select a column with the middle button or Shift+Alt."""
        place = self._place_at(event.position())
        if self._column is None:
            super().mouseMoveEvent(event)
        else:
            self.carets.select_column(self._column, place)

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        column, self._column = self._column, None
        if column is None or not self.carets.are_many:  # a click with the middle button pastes
            super().mouseReleaseEvent(event)

    def _place_at(self, point: QPointF) -> tuple[QtGui.QTextBlock, float]:
        """Return the line at a point of the viewport, and the horizontal position in its layout."""
        return self.cursorForPosition(point.toPoint()).block(), point.x() - self.contentOffset().x()

    def contextMenuEvent(self, event: QtGui.QContextMenuEvent) -> None:
        """Request the menu at the cursor, which moves to the mouse unless the selection is there."""
        event.accept()
        if event.reason() is not QtGui.QContextMenuEvent.Reason.Mouse:
            self.menu_requested.emit(self.viewport().mapToGlobal(self.cursorRect().bottomLeft()))
            return
        clicked, cursor = self.cursorForPosition(event.pos()), self.textCursor()
        if not cursor.selectionStart() <= clicked.position() <= cursor.selectionEnd():
            self.setTextCursor(clicked)
        self.menu_requested.emit(event.globalPos())

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Paste at each caret; with one caret, the indentation is adjusted in a separate undo step."""
        text = source.text().replace("\r\n", "\n")
        paste = self._paste_lines if source.hasFormat(_WHOLE_LINES) else self._paste
        if self.carets.are_many:
            self.carets.insert_each(text, paste)
        elif text:
            cursor = self.textCursor()
            paste(cursor, text)
            self.setTextCursor(cursor)
            self.ensureCursorVisible()

    def _paste(self, cursor: QtGui.QTextCursor, text: str) -> None:
        """Insert a text, and then adjust the indentation of its lines."""
        start, line = cursor.selectionStart(), self.document().findBlock(cursor.selectionStart())
        before = from_qt(line.text()[: start - line.position()])
        is_text = state_above(line).is_text(line.text(), len(before))
        cursor.insertText(to_qt(text))
        if self.text_document.is_json():
            return
        behind, pasted = QtGui.QTextCursor(cursor), QtGui.QTextCursor(cursor)
        behind.movePosition(QtGui.QTextCursor.MoveOperation.EndOfBlock, QtGui.QTextCursor.MoveMode.KeepAnchor)
        pasted.setPosition(start, QtGui.QTextCursor.MoveMode.KeepAnchor)
        better = fitted(from_qt(pasted.selectedText()), before, behind.selectedText(), is_text=is_text)
        if better is not None:
            pasted.insertText(to_qt(better))

    def _paste_lines(self, cursor: QtGui.QTextCursor, text: str) -> None:
        """Insert whole lines above the line of a cursor, or replace its selection."""
        if cursor.hasSelection():
            self._paste(cursor, text)
        else:
            QtGui.QTextCursor(cursor.block()).insertText(to_qt(text.removesuffix("\n") + "\n"))

    def mouseDoubleClickEvent(self, event: QtGui.QMouseEvent) -> None:
        """Select a word; names with hyphens and type names are words."""
        super().mouseDoubleClickEvent(event)
        cursor = self.cursorForPosition(event.position().toPoint())
        positions = QtPositions(cursor.block().text())
        word = word_around(cursor.block().text(), positions.offset(cursor.positionInBlock()))
        if event.button() is Qt.MouseButton.LeftButton and word is not None:
            start = cursor.block().position()
            first, last = map(positions.position, word)
            self.setTextCursor(selecting(cursor, start + first, start + last))

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Leave dropped files to the window, which opens them."""
        return not local_files(source) and super().canInsertFromMimeData(source)

    def dragMoveEvent(self, event: QtGui.QDragMoveEvent) -> None:
        super().dragMoveEvent(event)
        name, position = type_in(event.mimeData()), self._position_of(event)
        if name and position != self._dragged_over:
            self._dragged_over = position
            self.type_dragged.emit(name, position)

    def dragLeaveEvent(self, event: QtGui.QDragLeaveEvent) -> None:
        super().dragLeaveEvent(event)
        self._dragged_over = None
        self.type_dragged.emit("", 0)

    def dropEvent(self, event: QtGui.QDropEvent) -> None:
        """Report a dropped type instead of pasting its text."""
        if name := type_in(event.mimeData()):
            self.dragLeaveEvent(QtGui.QDragLeaveEvent())  # removes the drop indicators
            event.acceptProposedAction()
            position = self._position_of(event)
            self.select(position, position)
            self.type_dropped.emit(name)
        else:
            super().dropEvent(event)

    def _position_of(self, event: QtGui.QDropEvent) -> int:
        return self.cursorForPosition(event.position().toPoint()).position()
