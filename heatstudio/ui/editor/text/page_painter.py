"""The painting of the visible page: the decorations under and over the text."""

from collections.abc import Sequence
from functools import lru_cache
from math import ceil
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QGuiApplication,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPixmap,
)
from PySide6.QtWidgets import QWidget

from heatstudio.text import Severity
from heatstudio.ui.editor.text.code_page import CodePage
from heatstudio.ui.editor.text.folds import Folding
from heatstudio.ui.editor.text.indentation import STEP
from heatstudio.ui.editor.text.marks import COLOR_OF_SEVERITY, MarkList, PositionedMarker
from heatstudio.ui.editor.text.overlay import (
    line_end_message,
    marks_of_line,
    paint_blanks,
    paint_fold,
    paint_grounds,
    paint_guides,
    paint_hints,
    paint_invisible,
    paint_line_end,
)
from heatstudio.ui.editor.text.visible_lines import VisibleLine, lines_within
from heatstudio.ui.widgets.palette import fill_background
from heatstudio.ui.widgets.theme import Color, Theme

_PEN: Final = 1.2
_HALF_WAVE: Final = {Severity.ERROR: 2.0, Severity.WARNING: 3.0}
_HEIGHT: Final = 2.5
_ROOM: Final = 1.0
"""The space for the pen above and below a wave."""
_WAVES: Final = 8
"""The waves in a tile, which is then a whole number of pixels wide at every common display scale."""
DIMMED = 0.5
"""The opacity of the background color over inactive text."""


def paint_squiggles(painter: QPainter, line: VisibleLine, marks: Sequence[PositionedMarker], theme: Theme) -> None:
    """Paint the underlines of a line: waves for errors and warnings, dashes and dots for lower severities."""
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
    """Return a tile of waves, as painting a long line of waves takes longer than painting its text."""
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


class PaintedPage(CodePage):
    """A text with painted decorations; positions are Qt's, in UTF-16 units."""

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(theme, name, parent)
        self.marks = MarkList()
        self.inactive = MarkList()
        self.hints = MarkList()
        self.matches: Sequence[tuple[int, int]] = ()
        self.fields: Sequence[tuple[int, int]] = ()
        self.brackets: Sequence[tuple[int, int]] = ()
        self.shows_messages = True
        self.shows_blanks = False
        self.folding = Folding(self)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint backgrounds, the text, and then underlines and messages over it."""
        lines = self.highlighted_lines()
        painter = QPainter(self.viewport())
        self._paint_below(painter, lines)
        painter.end()
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_above(painter, lines_within(lines, event.rect()))
        painter.end()

    def _paint_below(self, painter: QPainter, lines: Sequence[VisibleLine]) -> None:
        """Paint the background, the cursor's line, guides, matches, brackets and tab stops of all visible lines."""
        theme, caret_line = self.theme, self.caret_line()
        # Not the palette's color: a style sheet of the application may set another background.
        fill_background(painter, painter.viewport(), theme.color(Color.EDITOR_GROUND))
        for line in lines:
            if line.block.blockNumber() == caret_line:
                whole = QRectF(0, line.rect.top(), line.rect.width(), line.rect.height())
                fill_background(painter, whole, theme.color(Color.CURRENT_LINE))
        step = QFontMetricsF(self.font()).horizontalAdvance(" ") * STEP
        margin = self.document().documentMargin()
        paint_guides(painter, lines, theme, step=step, margin=margin, caret_line=caret_line)
        if not (self.matches or self.brackets or self.fields) or not lines:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        first = lines[0].block.position()
        last = lines[-1].block.position() + lines[-1].block.length()
        ground, accent = theme.color(Color.MATCH_GROUND), theme.color(Color.ACCENT)
        places = [span for span in self.matches if span[0] == span[1]]
        for spans, color, edge in (
            (self.matches, ground, theme.color(Color.WARNING)),
            (places, accent, None),  # too thin for a background color
            (self.brackets, theme.color(Color.HOVER_GROUND), theme.color(Color.MUTED)),
            (self.fields, theme.color(Color.HOVER_GROUND), accent),
        ):
            visible = [span for span in spans if span[0] <= last and span[1] >= first]
            if visible:
                paint_grounds(painter, lines, visible, color, edge)

    def _paint_above(self, painter: QPainter, lines: Sequence[VisibleLine]) -> None:
        """Paint underlines, the signs of folds, and the messages and hints at the ends of lines."""
        if len(self.inactive):
            veil = self.theme.color(Color.EDITOR_GROUND)
            veil.setAlphaF(DIMMED)
            paint_grounds(painter, lines, [(one.start, one.end) for one in self.inactive.all()], veil, None)
        cursor = self.textCursor()
        current = (cursor.selectionStart(), cursor.selectionEnd())
        if current in self.matches:  # the selection hides the background of the current match
            clear = QColor(Qt.GlobalColor.transparent)
            paint_grounds(painter, lines, [current], clear, self.theme.color(Color.WARNING))
        if self.shows_blanks:
            paint_blanks(painter, lines, self.theme)
        paint_invisible(painter, lines, self.theme)
        font = QFont(QGuiApplication.font())
        font.setPixelSize(max(self.font().pixelSize() - 1, 6))
        for line in lines:
            marks = marks_of_line(self.marks, line)
            hints = marks_of_line(self.hints, line)
            is_folded = self.folding.is_folded(line.block)
            if not marks and not hints and not is_folded:
                continue
            if marks:
                paint_squiggles(painter, line, marks, self.theme)
            end = line.text_end
            if is_folded:
                end = paint_fold(painter, line, self.folding.hidden_lines(line.block), self.theme, font)
            message = line_end_message(marks) if self.shows_messages else None
            if message:
                end = paint_line_end(painter, line, message, self.theme, left=end, font=font)
            if hints:
                paint_hints(painter, line, hints, self.theme, left=end, font=font)
