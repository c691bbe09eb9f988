"""The visible lines, computed once for every paint."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRect, QRectF
from PySide6.QtGui import QTextBlock, QTextLine

_PLACE_WIDTH = 2.5


class VisibleLine(NamedTuple):
    """A line of the document and its position, in pixels of the viewport.

    A wrapped line has several rows.
    """

    block: QTextBlock
    rect: QRectF

    @property
    def text_end(self) -> float:
        """The right edge of the last character."""
        layout = self.block.layout()
        if not layout.lineCount():
            return self.rect.left()
        return self.rect.left() + layout.lineAt(layout.lineCount() - 1).naturalTextRect().right()

    @property
    def is_wrapped(self) -> bool:
        """Whether the line has several rows."""
        return self.block.layout().lineCount() > 1

    def row(self, at: int) -> QRectF:
        """Return the rectangle of a row of the line, over the whole width; -1 is the last one."""
        if not self.is_wrapped:
            return self.rect
        layout = self.block.layout()
        row = layout.lineAt(at % layout.lineCount())
        top = self.rect.top() - _first_y(self.block) + row.y()
        return QRectF(self.rect.left(), top, self.rect.width(), row.height())

    def has_text_at(self, point: QPointF) -> bool:
        """Return whether a point of the viewport is in a row of the line, and not behind its text."""
        layout = self.block.layout()
        place = point - self.rect.topLeft() + QPointF(0, _first_y(self.block))
        rows = (layout.lineAt(at) for at in range(layout.lineCount()))
        return any(
            row.y() <= place.y() < row.y() + row.height() and place.x() <= row.naturalTextRect().right() for row in rows
        )

    def rects(self, start: int, end: int) -> Iterator[QRectF]:
        """Yield the rectangles of the line between two document positions; a thin one for an empty range."""
        is_place = start == end
        layout, first = self.block.layout(), self.block.position()
        origin = QPointF(self.rect.left(), self.rect.top() - _first_y(self.block))
        start, end = max(start - first, 0), min(end - first, self.block.length() - 1)
        for index in range(layout.lineCount()):
            line = layout.lineAt(index)
            left, right = max(start, line.textStart()), min(end, line.textStart() + line.textLength())
            if left < right or (is_place and left == right and index == layout.lineForTextPosition(left).lineNumber()):
                x = _x(line, left)
                width = _x(line, right) - x if left < right else _PLACE_WIDTH
                yield QRectF(x, line.y(), width, line.height()).translated(origin)


def place_line(block: QTextBlock, left: float, top: float, width: float) -> VisibleLine:
    """Return the line of a block whose layout starts at a point; the margins of the document are not part of it.

    The block must be laid out, which `QPlainTextEdit.blockBoundingRect` does.
    """
    layout = block.layout()
    last = layout.lineAt(layout.lineCount() - 1)
    first_y = _first_y(block)
    return VisibleLine(block, QRectF(left, top + first_y, width, last.y() + last.height() - first_y))


def lines_within(lines: Sequence[VisibleLine], rect: QRect) -> list[VisibleLine]:
    """Return the lines that a rectangle touches."""
    return [line for line in lines if line.rect.bottom() >= rect.top() and line.rect.top() <= rect.bottom()]


def _first_y(block: QTextBlock) -> float:
    layout = block.layout()
    return layout.lineAt(0).y() if layout.lineCount() else 0.0


def _x(line: QTextLine, column: int) -> float:
    # PySide may return a tuple of the x and the actual column.
    answer = line.cursorToX(column)
    x = answer[0] if isinstance(answer, tuple) else answer
    return float(x) if isinstance(x, int | float) else 0.0
