"""Decorations that are painted under and over the text, without changing it."""

from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from heatstudio.text import Severity, counted
from heatstudio.text.invisible import invisible
from heatstudio.ui.documents.qt_text import QtPositions, from_qt
from heatstudio.ui.editor.text.code_page import VisibleLine
from heatstudio.ui.editor.text.indentation import STEP, indent_of
from heatstudio.ui.editor.text.marks import PositionedMarker, worst_of
from heatstudio.ui.highlight.highlighter import SIGN_WIDTH
from heatstudio.ui.widgets.appearance import scaled
from heatstudio.ui.widgets.code_text import without_marks
from heatstudio.ui.widgets.theme import SEVERITY_ICONS, Color, Theme, paint_icon

_GAP_CHARACTERS: Final = 4
_LONGEST_MESSAGE: Final = 500
_LONGEST_HINTS: Final = 80
"""The approximate maximum number of characters for the hints at the end of a line."""
_SHOWN_AT_LINE_END: Final = Severity.INFORMATION
_ICON: Final = 12
"""The size of the icon of a message at the usual size of all texts."""


def paint_guides(
    painter: QPainter, lines: Sequence[VisibleLine], theme: Theme, *, step: float, margin: float, caret_line: int
) -> None:
    """Paint a thin line at every level of indentation; the level of the cursor's line is stronger."""
    depths = _depths(lines)
    numbers = [line.block.blockNumber() for line in lines]
    active = (depths[numbers.index(caret_line)] - 1) // STEP if caret_line in numbers else -1
    levels = [(depth + STEP - 1) // STEP for depth in depths]
    wrapped = {index for index, line in enumerate(lines) if line.is_wrapped}
    for level in range(max(levels, default=0)):
        painter.setPen(QPen(theme.color(Color.BORDER if level == active else Color.INDENT_GUIDE), 1))
        x = round(lines[0].rect.left() + margin + level * step) + 0.5
        for first, last in _runs_deeper_than(levels, level, wrapped):
            painter.drawLine(QPointF(x, lines[first].rect.top()), QPointF(x, lines[last].row(0).bottom()))


def _runs_deeper_than(levels: Sequence[int], level: int, wrapped: Container[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and last index of every run of lines that are deeper than a level.

    A wrapped line ends a run, as its other rows have text at the left edge.
    """
    first = None
    for index, own in enumerate([*levels, 0]):
        if own > level and first is None:
            first = index
        elif own <= level and first is not None:
            yield first, index - 1
            first = None
        if first is not None and index in wrapped:
            yield first, index
            first = None


def _depths(lines: Sequence[VisibleLine]) -> list[int]:
    """Return the indentation of every line; an empty line has that of the next nonempty one."""
    depths: list[int] = []
    below = 0
    for line in reversed(lines):
        text = line.block.text()
        if text.strip():
            below = indent_of(text)
        depths.append(below)
    return depths[::-1]


def paint_blanks(painter: QPainter, lines: Iterable[VisibleLine], theme: Theme) -> None:
    """Paint a dot for every blank and an arrow for every tab."""
    painter.setPen(QPen(theme.color(Color.DISABLED), 1.5))
    for line in lines:
        text, first = line.block.text(), line.block.position()
        position = QtPositions(text).position
        for at, character in enumerate(text):
            if character not in " \t":
                continue
            for rect in line.rects(first + position(at), first + position(at) + 1):
                middle = rect.center()
                if character == " ":
                    painter.drawPoint(middle)
                else:
                    left, right = QPointF(rect.left() + 2, middle.y()), QPointF(rect.right() - 2, middle.y())
                    painter.drawPolyline([left, right, right - QPointF(3, 3)])


def paint_invisible(painter: QPainter, lines: Iterable[VisibleLine], theme: Theme) -> None:
    """Paint a box with the code point for every character that is not seen, in the space that the highlighter adds."""
    font = QFont(painter.font())
    font.setPixelSize(9)
    for line in lines:
        text, first = from_qt(line.block.text()), line.block.position()
        for at in invisible(text):
            position = QtPositions(text).position
            for rect in line.rects(first + position(at), first + position(at + 1)):
                left = min(rect.left(), rect.right() - SIGN_WIDTH)  # a joiner's space is before it
                box = QRectF(left, rect.top(), rect.right() - left, rect.height()).adjusted(1.5, 2.5, -1.5, -2.5)
                painter.setFont(font)
                painter.setBrush(theme.color(Color.EDITOR_GROUND))
                painter.setPen(QPen(theme.color(Color.WARNING), 1))
                painter.drawRoundedRect(box, 2, 2)
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, f"{ord(text[at]):04X}")


def paint_grounds(
    painter: QPainter,
    lines: Iterable[VisibleLine],
    spans: Sequence[tuple[int, int]],
    ground: QColor,
    edge: QColor | None,
) -> None:
    """Paint a background behind spans of text, given by document positions."""
    painter.setBrush(ground)
    painter.setPen(QPen(edge, 1) if edge else Qt.PenStyle.NoPen)
    for line in lines:
        first, last = line.block.position(), line.block.position() + line.block.length()
        for start, end in spans:
            if start < last and (end > first or start == first):
                for rect in line.rects(start, end):
                    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2)


def line_end_message(marks: Iterable[PositionedMarker], *, with_advice: bool) -> tuple[Severity, str] | None:
    """Return the most severe message of a line, with the number of the others; None without messages."""
    marks = [one for one in marks if with_advice or not one.mark.is_advice]
    worst = worst_of(marks)
    if worst is None or worst.mark.severity > _SHOWN_AT_LINE_END:
        return None
    message = " ".join(without_marks(worst.mark.short or worst.mark.message).split())[:_LONGEST_MESSAGE]
    others = sum(not one.mark.related for one in marks) - 1
    return worst.mark.severity, f"{message} (+{others})" if others else message


def paint_line_end(
    painter: QPainter, line: VisibleLine, message: tuple[Severity, str], theme: Theme, *, left: float, font: QFont
) -> float:
    """Paint the message of a line from `left` on, elided at the right edge; return where it ends."""
    severity, text = message
    metrics = QFontMetricsF(font)
    left += metrics.horizontalAdvance(" ") * _GAP_CHARACTERS
    size = scaled(_ICON)
    room = line.rect.width() - left - size - 18
    if room < metrics.averageCharWidth() * 6:
        return line.rect.width()
    text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
    color = theme.color(SEVERITY_ICONS[severity][1])
    ground = QColor(color)
    ground.setAlphaF(0.10)
    row = line.row(-1)
    pill = QRectF(left, row.top() + 0.5, metrics.horizontalAdvance(text) + size + 16, row.height() - 1)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ground)
    painter.drawRoundedRect(pill, 3, 3)
    middle = pill.center().y()
    icon = QRectF(pill.left() + 5, round(middle - size / 2), size, size)
    paint_icon(painter, icon, SEVERITY_ICONS[severity][0], theme, SEVERITY_ICONS[severity][1])
    painter.setPen(color)
    painter.setFont(font)
    painter.drawText(pill.adjusted(size + 9, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, text)
    return pill.right()


def paint_hints(
    painter: QPainter, line: VisibleLine, hints: Sequence[PositionedMarker], theme: Theme, *, left: float, font: QFont
) -> None:
    """Paint the hints of a line in the space after `left`, less prominent than a message."""
    metrics = QFontMetricsF(font)
    left += metrics.horizontalAdvance(" ") * _GAP_CHARACTERS
    width = min(line.rect.width() - left, metrics.averageCharWidth() * _LONGEST_HINTS)
    if width >= metrics.averageCharWidth() * 6:
        text = " \N{MIDDLE DOT} ".join(dict.fromkeys(one.mark.message for one in hints))
        row = line.row(-1)
        painter.setPen(theme.color(Color.MUTED))
        painter.setFont(font)
        text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)
        painter.drawText(QRectF(left, row.top(), width, row.height()), Qt.AlignmentFlag.AlignVCenter, text)


def paint_fold(painter: QPainter, line: VisibleLine, hidden: int, theme: Theme, font: QFont) -> float:
    """Paint the sign of a fold behind its header line; return where it ends."""
    text = f"\u22ef {counted(hidden, 'line')}"
    metrics = QFontMetricsF(font)
    width, row = metrics.horizontalAdvance(text) + 12, line.row(-1)
    pill = QRectF(round(line.text_end) + 8.5, row.top() + 1.5, width, row.height() - 3)
    painter.setPen(QPen(theme.color(Color.BORDER), 1))
    painter.setBrush(theme.color(Color.PANEL_GROUND))
    painter.drawRoundedRect(pill, 3, 3)
    painter.setPen(theme.color(Color.MUTED))
    painter.setFont(font)
    painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, text)
    return pill.right()
