"""Lines that change, in the colors and with the signs of a diff."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtGui import QFont, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QPlainTextEdit

from heatstudio.ui.appearance import Appearance
from heatstudio.ui.panel import make_readable
from heatstudio.ui.problems.mini_diff import DiffLine, LineKind
from heatstudio.ui.theme import Color

_LINE_LOOK = {
    LineKind.ADDED: (Color.ADDED_GROUND, Color.ADDED),
    LineKind.REMOVED: (Color.ERROR_GROUND, Color.DELETED),
    LineKind.KEPT: (Color.EDITOR_GROUND, Color.MUTED),
}


class DiffView(QPlainTextEdit):
    """Read-only text; every line begins with its sign and its number."""

    def __init__(self, appearance: Appearance, name: str) -> None:
        super().__init__()
        self._appearance = appearance
        self.setAccessibleName(name)
        make_readable(self)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setFont(appearance.fixed_font())

    def show_lines(self, lines: Iterable[DiffLine]) -> None:
        """Shows lines in the place of those that were there."""
        self.clear()
        self.add_lines(lines)

    def add_heading(self, words: str) -> int:
        """Adds a line that says what the next ones belong to; gives its number."""
        cursor = self._end()
        self._write(cursor, words, Color.PANEL_GROUND, Color.TEXT, strong=True)
        return cursor.blockNumber()

    def add_lines(self, lines: Iterable[DiffLine]) -> None:
        """Adds lines; a gap in the numbers is shown as one."""
        cursor, last = self._end(), None
        for line in lines:
            if last is not None and line.kind is LineKind.KEPT and line.number > last + 1:
                self._write(cursor, "     ⋯", Color.EDITOR_GROUND, Color.MUTED)
            ground, color = _LINE_LOOK[line.kind]
            self._write(cursor, f"{line.kind} {line.number:>4}  {line.text}", ground, color)
            last = line.number if line.kind is not LineKind.ADDED else last

    def show_line(self, number: int) -> None:
        """Brings a line to the top."""
        cursor = QTextCursor(self.document().findBlockByNumber(number))
        self.setTextCursor(cursor)
        self.verticalScrollBar().setValue(number)

    def _end(self) -> QTextCursor:
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        return cursor

    def _write(self, cursor: QTextCursor, words: str, ground: Color, color: Color, *, strong: bool = False) -> None:
        look = QTextCharFormat()
        look.setForeground(self._appearance.theme.color(color))
        look.setFontWeight(QFont.Weight.DemiBold if strong else QFont.Weight.Normal)
        block = cursor.blockFormat()
        block.setBackground(self._appearance.theme.color(ground))
        if not cursor.atStart():
            cursor.insertBlock()
        cursor.setBlockFormat(block)
        cursor.insertText(words, look)
