"""The visible lines, computed once for every painting."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRect, QRectF
from PySide6.QtGui import QTextBlock, QTextLine

_PLACE_WIDTH = 2.5


class VisibleLine(NamedTuple):
    """A line of the document and its position, in pixels of the viewport.

    It takes several rows where it is wrapped.
    """

    block: QTextBlock
    rect: QRectF

    @property
    def text_end(self) -> float:
        """Where the last character ends."""
        layout = self.block.layout()
        if not layout.lineCount():
            return self.rect.left()
        return self.rect.left() + layout.lineAt(layout.lineCount() - 1).naturalTextRect().right()

    @property
    def is_wrapped(self) -> bool:
        """Whether the line takes several rows."""
        return self.block.layout().lineCount() > 1

    def row(self, at: int) -> QRectF:
        """A row of the line, over the whole width; -1 is the last one."""
        if not self.is_wrapped:
            return self.rect
        layout = self.block.layout()
        row = layout.lineAt(at % layout.lineCount())
        top = self.rect.top() - _first_y(self.block) + row.y()
        return QRectF(self.rect.left(), top, self.rect.width(), row.height())

    def has_text_at(self, point: QPointF) -> bool:
        """Whether a row of the line has a character at a point of the viewport, or left of it."""
        layout = self.block.layout()
        place = point - self.rect.topLeft() + QPointF(0, _first_y(self.block))
        rows = (layout.lineAt(at) for at in range(layout.lineCount()))
        return any(
            row.y() <= place.y() < row.y() + row.height() and place.x() <= row.naturalTextRect().right() for row in rows
        )

    def rects(self, start: int, end: int) -> Iterator[QRectF]:
        """The rectangles of the part of this line between two document positions; of one position, a thin one."""
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
    """The line of a block whose layout begins at a point; the margins of the document do not belong to it."""
    layout = block.layout()
    if not layout.lineCount():
        return VisibleLine(block, QRectF(left, top, width, 0))
    last = layout.lineAt(layout.lineCount() - 1)
    first_y = _first_y(block)
    return VisibleLine(block, QRectF(left, top + first_y, width, last.y() + last.height() - first_y))


def lines_within(lines: Sequence[VisibleLine], rect: QRect) -> list[VisibleLine]:
    """The lines that a rectangle touches."""
    return [line for line in lines if line.rect.bottom() >= rect.top() and line.rect.top() <= rect.bottom()]


def _first_y(block: QTextBlock) -> float:
    layout = block.layout()
    return layout.lineAt(0).y() if layout.lineCount() else 0.0


def _x(line: QTextLine, column: int) -> float:
    # Qt answers with the x and the column it really took.
    answer = line.cursorToX(column)
    x = answer[0] if isinstance(answer, tuple) else answer
    return float(x) if isinstance(x, int | float) else 0.0
