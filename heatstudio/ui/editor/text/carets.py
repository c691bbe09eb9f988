"""Many carets: the carets of an editor beside its own, and what keys and commands do at each of them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import Final, NamedTuple

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QPainter, QPalette, QTextBlock, QTextCursor
from PySide6.QtWidgets import QTextEdit

from heatstudio.text.words import counted, occurrences, word_around
from heatstudio.ui.documents.qt_text import QtPositions, from_qt
from heatstudio.ui.editor.text.code_page import CodePage, VisibleLine
from heatstudio.ui.editor.text.line_commands import selected_blocks
from heatstudio.ui.editor.text.text_document import selecting
from heatstudio.ui.editor.text.typing_keys import press_key
from heatstudio.ui.widgets.text_keys import is_text_key

Act = Callable[[QTextCursor], object]
"""An action at a caret, which moves the cursor that it is given."""
_Key, _Move = Qt.Key, QTextCursor.MoveOperation
_SHIFT, _CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
_MOVES: Final[Mapping[tuple[int, bool], QTextCursor.MoveOperation]] = {
    (_Key.Key_Left, False): _Move.Left,
    (_Key.Key_Right, False): _Move.Right,
    (_Key.Key_Up, False): _Move.Up,
    (_Key.Key_Down, False): _Move.Down,
    (_Key.Key_End, False): _Move.EndOfLine,
    (_Key.Key_Left, True): _Move.PreviousWord,
    (_Key.Key_Right, True): _Move.NextWord,
    (_Key.Key_Home, True): _Move.Start,
    (_Key.Key_End, True): _Move.End,
}
"""The movement of a key, without and with Ctrl; `press_key` handles Home."""
_OF_PRESS_KEY: Final = (_Key.Key_Return, _Key.Key_Enter, _Key.Key_Tab, _Key.Key_Backtab, _Key.Key_Home)
_WIDTH: Final = 1
"""The width of a caret in pixels."""
_MOST: Final = 1_000
"""The maximum number of carets; Qt moves each of them at each change."""


class Caret(NamedTuple):
    """A caret with the anchor of its selection, in Qt's units."""

    anchor: int
    position: int

    @property
    def start(self) -> int:
        """The start of the selection."""
        return min(self)

    @property
    def end(self) -> int:
        """The end of the selection."""
        return max(self)


def joined(carets: Iterable[Caret]) -> list[Caret]:
    """Return carets in text order; selections that overlap, and carets at their edges, become one caret."""
    result: list[Caret] = []
    for caret in sorted(carets, key=lambda one: (one.start, one.end)):
        last = result[-1] if result else None
        is_empty = last is not None and (caret.anchor == caret.position or last.anchor == last.position)
        if last is None or caret.start > last.end or (caret.start == last.end and not is_empty):
            result.append(caret)
        else:
            ends = (last.start, max(last.end, caret.end))
            is_backward = caret.position < caret.anchor or last.position < last.anchor
            result[-1] = Caret(*(reversed(ends) if is_backward else ends))
    return result


class Carets(QObject):
    """The carets of an editor: its own, which stays visible, and others, until it moves alone or Escape is pressed."""

    changed = Signal()

    def __init__(self, editor: CodePage) -> None:
        super().__init__(editor)
        self._editor = editor
        self._others: list[QTextCursor] = []
        self.is_acting = False
        """Whether the carets are moving one after another."""
        self._word = ""
        """The word that Add Next Occurrence selected; its occurrences are whole words."""
        self.count = 1
        """The number of carets."""
        self._is_on = True
        self._blink = QTimer(self)
        self._blink.timeout.connect(self._blink_now)
        editor.cursorPositionChanged.connect(self._follow_move)

    @property
    def are_many(self) -> bool:
        """Whether there is more than one caret."""
        return bool(self._others)

    def value(self) -> tuple[Caret, ...]:
        """Return all carets; the last one is that of the editor."""
        return tuple(map(_caret_of, (*self._others, self._editor.textCursor())))

    def place(self, carets: Sequence[Caret]) -> None:
        """Replace all carets by those of a value."""
        cursors = [selecting(self._editor.textCursor(), *caret) for caret in carets]
        self._take(cursors[-1], cursors[:-1])

    def clear(self) -> None:
        """Keep only the editor's own caret."""
        if self._others:
            self._others = []
            self._show(were_many=True)

    def each(self, act: Act, *, by_line: bool = False, from_end: bool = False, joins: bool = False) -> None:
        """Run an action at each caret in text order, as one undo step and one change of the text.

        With `by_line`, carets in the same lines act once; with `joins`, the last undo step continues.
        """
        main, document = self._editor.textCursor(), self._editor.document()
        cursors = self._in_order(main)
        acting = _one_a_line(cursors) if by_line else cursors
        revision = document.revision()
        with self._acting(), self._editor.text_document.one_change() if self._others else nullcontext():
            for cursor in reversed(acting) if from_end else acting:
                if joins or document.revision() != revision:
                    cursor.joinPreviousEditBlock()
                else:
                    cursor.beginEditBlock()
                act(cursor)
                cursor.endEditBlock()
        self._take(main, self._others)

    def press(self, event: QKeyEvent, *, joins: bool) -> bool:
        """Handle a key of the text at each caret; return whether it was handled."""
        is_move = event.key() in (key for key, _ in _MOVES)
        if self._editor.isReadOnly() and not (is_move and self._others):
            return False
        if not self._others:
            cursor = self._editor.textCursor()
            if not press_key(event, cursor):
                return False
            self._editor.setTextCursor(cursor)
            self._editor.ensureCursorVisible()
            return True
        act = _act_of(event)
        if act is None:  # Qt handles the key, and if that moves its caret, the others leave
            return False
        self.each(lambda cursor: press_key(event, cursor) or act(cursor), joins=joins)
        return True

    # More carets

    def toggle(self, position: int) -> None:
        """Add a caret at a position, or remove the one that is there."""
        carets = list(self.value())
        there = [one for one in carets if one.start <= position <= one.end]
        kept = [one for one in carets if one not in there]
        if not there:
            self.place([*kept, Caret(position, position)])
        elif kept:
            self.place(kept)

    def add_vertically(self, *, down: bool) -> None:
        """Add carets above the first line with carets, or below the last one; one becomes that of the editor."""
        cursors = [*self._others, self._editor.textCursor()]
        line = (max if down else min)(map(QTextCursor.blockNumber, cursors))
        added = [QTextCursor(cursor) for cursor in cursors if cursor.blockNumber() == line]
        for cursor in added:
            cursor.movePosition(_Move.Down if down else _Move.Up)
        self._take(added[-1], [*cursors, *added[:-1]])

    def add_next_occurrence(self) -> None:
        """Select the word at each caret or, if something is selected, its next occurrence too."""
        cursor = self._editor.textCursor()
        if not cursor.hasSelection():
            self._select_word()
            return
        starts, carets = self._occurrences(), self.value()
        taken = {caret.start for caret in carets}
        free = [start for start in starts if start not in taken]
        if free:
            start = next((one for one in free if one > carets[-1].start), free[0])
            self.place([*carets, Caret(start, start + carets[-1].end - carets[-1].start)])

    def select_occurrences(self, tell: Callable[[str], object]) -> None:
        """Select all occurrences of the selection, or of the word at the caret; `tell` reports too many."""
        if not self._editor.textCursor().hasSelection():
            self._select_word()
        main, starts = self.value()[-1], self._occurrences()
        if len(starts) > _MOST:
            tell(f"{len(starts):,} occurrences are too many for cursors. Use Replace (Ctrl+H).")
        elif starts:
            length = main.end - main.start
            self.place([*(Caret(start, start + length) for start in starts if start != main.start), main])

    def select_column(self, origin: tuple[QTextBlock, float], end: tuple[QTextBlock, float]) -> None:
        """Select the rectangle between two places, each a line and a horizontal position in the layout."""
        (first, from_x), (last, to_x) = origin, end
        carets: list[Caret] = []
        block, is_down = first, first.blockNumber() <= last.blockNumber()
        while block.isValid() and len(carets) < _MOST:
            if block.isVisible():
                self._editor.blockBoundingRect(block)  # lays out the line
                row, start = block.layout().lineAt(0), block.position()
                carets.append(Caret(start + row.xToCursor(from_x), start + row.xToCursor(to_x)))
            if block == last:
                break
            block = block.next() if is_down else block.previous()
        wide = [caret for caret in carets if caret.anchor != caret.position]
        self.place(wide or carets)  # lines that are too short have no caret

    def _select_word(self) -> None:
        """Select the word at each caret."""
        for cursor in (main := self._editor.textCursor(), *self._others):
            line, first = cursor.block().text(), cursor.block().position()
            positions = QtPositions(line)
            span = word_around(line, positions.offset(cursor.positionInBlock()))
            if span is not None and not cursor.hasSelection():
                selecting(cursor, *(first + positions.position(offset) for offset in span))
        self._take(main, self._others)
        self._word = from_qt(main.selectedText())

    def _occurrences(self) -> list[int]:
        """Return the positions of all occurrences of the selection; none without a selection."""
        text, wanted = self._editor.text_document, from_qt(self._editor.textCursor().selectedText())
        position = text.positions().position
        return [position(start) for start in occurrences(text.text(), wanted, whole=wanted == self._word)]

    # Clipboard

    def selected_text(self) -> str:
        """Return the selections in text order, one a line; empty without selections."""
        return "\n".join(from_qt(cursor.selectedText()) for cursor in self._in_order() if cursor.hasSelection())

    def line_text(self) -> str:
        """Return the lines of all carets with their ends, each line once."""
        return "".join(f"{from_qt(cursor.block().text())}\n" for cursor in _one_a_line(self._in_order()))

    def insert_each(self, text: str, insert: Callable[[QTextCursor, str], object]) -> None:
        """Insert a text at each caret, or one of its lines if there are as many lines as carets."""
        lines, count = text.removesuffix("\n").split("\n"), len(self._others) + 1
        texts = iter(lines if len(lines) == count > 1 else [text] * count)
        self.each(lambda cursor: insert(cursor, next(texts)))

    # Painting

    def paint(self, painter: QPainter, lines: Sequence[VisibleLine]) -> None:
        """Paint many carets as Qt paints one, which would not blink together with the others."""
        if not self._others or not lines:
            return
        first, last = lines[0].block.position(), lines[-1].block.position() + lines[-1].block.length()
        seen = [caret.position for caret in self.value() if first <= caret.position < last]
        if self._is_on and self._editor.hasFocus():
            color = self._editor.palette().color(QPalette.ColorRole.Text)
            for line in lines:
                for at in filter(line.block.contains, seen):
                    for rect in line.rects(at, at):
                        rect.setWidth(_WIDTH)
                        painter.fillRect(rect, color)

    def _blink_now(self) -> None:
        self._is_on = not self._is_on
        self._editor.viewport().update()

    # State

    def _in_order(self, main: QTextCursor | None = None) -> list[QTextCursor]:
        """Return the cursors of all carets in text order; `main` is that of the editor."""
        return sorted((main or self._editor.textCursor(), *self._others), key=QTextCursor.selectionStart)

    def _take(self, main: QTextCursor, others: Sequence[QTextCursor]) -> None:
        """Use cursors as carets; those that meet become one."""
        carets = [_caret_of(cursor) for cursor in (*others, main)]
        kept = joined(carets)
        if len(kept) < len(carets):
            own = next(caret for caret in kept if caret.start <= carets[-1].position <= caret.end)
            selecting(main, *own)
            others = [selecting(QTextCursor(main), *caret) for caret in kept if caret is not own]
        were_many, self._others = bool(self._others), list(others)
        with self._acting():
            self._editor.setTextCursor(main)
            self._editor.ensureCursorVisible()
        self._show(were_many=were_many)

    def _show(self, *, were_many: bool) -> None:
        """Show the carets, and tell a screen reader how many there are."""
        if were_many or self._others:
            selections = []
            for cursor in self._others:
                if cursor.hasSelection():
                    selection = QTextEdit.ExtraSelection()
                    selection.cursor = cursor
                    selection.format.setBackground(self._editor.palette().brush(QPalette.ColorRole.Highlight))
                    selections.append(selection)
            self._editor.setExtraSelections(selections)
            self._editor.setCursorWidth(0 if self._others else _WIDTH)
            self._is_on = True
            flash = QGuiApplication.styleHints().cursorFlashTime() // 2
            if self._others and flash > 0:
                self._blink.start(flash)
            else:
                self._blink.stop()
            self._editor.viewport().update()
        if self.count != len(self._others) + 1:
            self.count = len(self._others) + 1
            from heatstudio.ui.widgets.announcer import announce

            announce(self._editor, counted(self.count, "cursor"))
        self.changed.emit()

    @contextmanager
    def _acting(self) -> Iterator[None]:
        before, self.is_acting = self.is_acting, True
        try:
            yield
        finally:
            self.is_acting = before

    def _follow_move(self) -> None:
        if not self.is_acting:
            self.clear()


def _caret_of(cursor: QTextCursor) -> Caret:
    return Caret(cursor.anchor(), cursor.position())


def _one_a_line(cursors: Iterable[QTextCursor]) -> list[QTextCursor]:
    """Return the first of the cursors, which are in text order, in each line."""
    kept: list[QTextCursor] = []
    below = 0
    for cursor in cursors:
        first, last = selected_blocks(cursor)
        if not kept or first.blockNumber() >= below:
            kept.append(cursor)
            below = last.blockNumber() + 1
    return kept


def _act_of(event: QKeyEvent) -> Act | None:
    """Return what to do for a key that `press_key` leaves; None if that has no meaning for many carets."""
    key, modifiers = event.key(), event.modifiers()
    if not is_text_key(event):
        return (lambda _cursor: None) if key in (_Key.Key_Backspace, _Key.Key_Delete) else None
    move = _MOVES.get((key, bool(modifiers & _CONTROL)))
    if move is not None:
        return partial(_move, move, keeps=bool(modifiers & _SHIFT))
    if key == _Key.Key_Backspace:
        return QTextCursor.deletePreviousChar
    if key == _Key.Key_Delete and not modifiers & _SHIFT:
        return QTextCursor.deleteChar
    if modifiers & _CONTROL and not modifiers & Qt.KeyboardModifier.AltModifier:  # both are AltGr on Windows
        return None
    if key in _OF_PRESS_KEY or (event.text() and event.text().isprintable()):
        return lambda cursor: cursor.insertText(event.text())
    return None


def _move(move: QTextCursor.MoveOperation, cursor: QTextCursor, *, keeps: bool) -> None:
    """Move a cursor as Qt does: Left and Right first go to the edges of a selection."""
    if cursor.hasSelection() and not keeps and move in (_Move.Left, _Move.Right):
        cursor.setPosition(cursor.selectionStart() if move is _Move.Left else cursor.selectionEnd())
    else:
        cursor.movePosition(move, QTextCursor.MoveMode.KeepAnchor if keeps else QTextCursor.MoveMode.MoveAnchor)
