"""The underlines of what is wrong in a text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import ceil
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPixmap

from heatstudio.text import Severity
from heatstudio.ui.editor.marks import COLOR_OF_SEVERITY, PlacedMark
from heatstudio.ui.editor.visible_lines import VisibleLine
from heatstudio.ui.theme import Theme

_PEN: Final = 1.2
_HALF_WAVE: Final = {Severity.ERROR: 2.0, Severity.WARNING: 3.0}
_HEIGHT: Final = 2.5
_ROOM: Final = 1.0
"""What the pen needs above and below a wave."""
_WAVES: Final = 8
"""Whole waves in a tile: then it is a whole number of pixels wide at every scale that desktops offer."""


def paint_squiggles(painter: QPainter, line: VisibleLine, marks: Sequence[PlacedMark], theme: Theme) -> None:
    """Underlines of one line: waves for errors, teeth for warnings, dashes and dots for the lighter ones."""
    first = line.block.position()
    for one in reversed(marks):
        start = min(one.start, first + max(line.block.length() - 2, 0))
        end = max(min(one.end, first + line.block.length() - 1), start + 1)
        for rect in line.rects(start, end):
            _underline(painter, rect, one.mark.severity, theme.color(COLOR_OF_SEVERITY[one.mark.severity]))


def _underline(painter: QPainter, rect: QRectF, severity: Severity, color: QColor) -> None:
    bottom = rect.bottom() - 1.5
    if severity in _HALF_WAVE:
        tile = _tile(_HALF_WAVE[severity], color.rgba(), painter.device().devicePixelRatioF())
        top = bottom - _HEIGHT - _ROOM
        painter.drawTiledPixmap(QRectF(rect.left(), top, rect.width(), _HEIGHT + 2 * _ROOM), tile, QPointF())
        return
    style = Qt.PenStyle.DashLine if severity is Severity.INFORMATION else Qt.PenStyle.DotLine
    painter.setPen(QPen(color, _PEN, style))
    painter.drawLine(QPointF(rect.left(), bottom), QPointF(rect.right(), bottom))


@lru_cache(maxsize=32)
def _tile(half: float, rgba: int, scale: float) -> QPixmap:
    """A few waves; a long line of them, point by point, takes longer to paint than all its text."""
    width, height = 2 * half * _WAVES, _HEIGHT + 2 * _ROOM
    tile = QPixmap(round(width * scale), ceil(height * scale))
    tile.setDevicePixelRatio(scale)
    tile.fill(Qt.GlobalColor.transparent)
    path = QPainterPath(QPointF(-half, _ROOM))
    for at in range(2 * _WAVES + 2):
        path.lineTo(at * half, _ROOM + (_HEIGHT if at % 2 == 0 else 0))
    painter = QPainter(tile)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor.fromRgba(rgba), _PEN))
    painter.drawPath(path)
    painter.end()
    return tile
