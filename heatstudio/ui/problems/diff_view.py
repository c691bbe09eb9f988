"""Changed lines in the colors and with the signs of a diff."""

from collections.abc import Iterable

from PySide6.QtGui import QFont, QTextBlock, QTextCharFormat, QTextCursor, QTextFormat
from PySide6.QtWidgets import QPlainTextEdit

from heatstudio.ui.highlight.highlighter import Code, Highlighter
from heatstudio.ui.problems.mini_diff import DiffLine, LineKind
from heatstudio.ui.widgets import Appearance, Color, show_code

_LINE_COLORS = {
    LineKind.ADDED: (Color.ADDED_GROUND, Color.ADDED),
    LineKind.REMOVED: (Color.ERROR_GROUND, Color.DELETED),
    LineKind.KEPT: (Color.EDITOR_GROUND, Color.MUTED),
}
_COLUMN = int(QTextFormat.Property.UserProperty.value)
"""The property of a line for the column where the text of the file starts."""
_STATE = _COLUMN + 1
"""The property of a line for the highlighting state at the end of the line above in the file."""


class DiffView(QPlainTextEdit):
    """A read-only diff; every line has its sign and number, and then highlighted code."""

    def __init__(self, appearance: Appearance, name: str) -> None:
        super().__init__()
        self._appearance = appearance
        show_code(self, appearance, name)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._highlighter = Highlighter(self.document(), appearance.theme, is_part=True, find_code=_code_at)

    def clear(self) -> None:
        """Remove all lines; the first new lines are highlighted immediately, the others soon."""
        super().clear()
        self._highlighter.set_theme(self._appearance.theme)
        self._highlighter.expect_growth()

    def add_heading(self, words: str) -> int:
        """Add a heading for the following lines; return its number."""
        cursor = self._end()
        self._write(cursor, Color.PANEL_GROUND, words, Color.TEXT, strong=True)
        return cursor.blockNumber()

    def add_lines(self, lines: Iterable[DiffLine]) -> None:
        """Add lines; gaps in their numbers are shown as an ellipsis."""
        cursor, last = self._end(), None
        cursor.beginEditBlock()
        for line in lines:
            if last is not None and line.kind is LineKind.KEPT and line.number > last + 1:
                self._write(cursor, Color.EDITOR_GROUND, "     ⋯", Color.MUTED)
            ground, color = _LINE_COLORS[line.kind]
            self._write(cursor, ground, f"{line.kind} {line.number:>4}  ", color, line=line)
            last = line.number if line.kind is not LineKind.ADDED else last
        cursor.endEditBlock()

    def height_of_lines(self) -> int:
        """Return the height in pixels that shows all lines."""
        document = self.document()
        blocks = (document.findBlockByNumber(number) for number in range(document.blockCount()))
        return round(sum(self.blockBoundingRect(block).height() for block in blocks) + 2 * document.documentMargin())

    def show_line(self, number: int) -> None:
        """Scroll a line to the top."""
        cursor = QTextCursor(self.document().findBlockByNumber(number))
        self.setTextCursor(cursor)
        self.verticalScrollBar().setValue(number)

    def _end(self) -> QTextCursor:
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        return cursor

    def _write(
        self,
        cursor: QTextCursor,
        ground: Color,
        head: str,
        color: Color,
        *,
        line: DiffLine | None = None,
        strong: bool = False,
    ) -> None:
        """Write a line: a prefix and the text of the file."""
        style = QTextCharFormat()
        style.setForeground(self._appearance.theme.color(color))
        style.setFontWeight(QFont.Weight.DemiBold if strong else QFont.Weight.Normal)
        block = cursor.blockFormat()
        block.setBackground(self._appearance.theme.color(ground))
        block.setProperty(_COLUMN, 0 if line is None else len(head))
        block.setProperty(_STATE, 0 if line is None else line.state)
        if not cursor.atStart():
            cursor.insertBlock()
        cursor.setBlockFormat(block)
        cursor.insertText(head, style)
        if line is not None and line.text:
            style.setForeground(self._appearance.theme.color(Color.TEXT))
            cursor.insertText(line.text, style)


def _code_at(block: QTextBlock) -> Code | None:
    style = block.blockFormat()
    column = style.intProperty(_COLUMN)
    return Code(column, style.intProperty(_STATE)) if column else None
