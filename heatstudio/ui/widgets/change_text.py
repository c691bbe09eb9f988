"""Changed values as code in colors: on one line after a name, or as the lines of a comparison."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter

from heatstudio.text.invisible import visible
from heatstudio.text.shortened import shortened
from heatstudio.ui.widgets.code_text import without_marks
from heatstudio.ui.widgets.theme import Color

_ARROW = " → "
_GAP = 8
_MOST_NAME = 0.45
"""The maximum share of the width for a name whose values need the rest."""
_SIGNS = {"-": Color.DELETED, "+": Color.ADDED}
_ALIGNMENT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)


class ChangePainter:
    """Draws changes with the font of texts and the font of code."""

    def __init__(self, painter: QPainter, font: QFont, code: QFont, color_of: Callable[[Color], QColor]) -> None:
        self._painter, self._font, self._code, self._color_of = painter, font, code, color_of

    def draw_change(self, room: QRect, name: str, values: tuple[str, str, str]) -> None:
        """Draw a name with an old and a new value, or with a sentence instead of both.

        Long names lose their beginning, and long values are cut around their difference.
        """
        before, after, words = (visible(without_marks(one)) for one in values)
        small, wide = QFontMetrics(self._font), QFontMetrics(self._code)
        arrow = _ARROW if before else ""
        needed = small.horizontalAdvance(words) if words else wide.horizontalAdvance(before + arrow + after)
        room = QRect(room)
        most = max(room.width() - needed - _GAP, round(room.width() * _MOST_NAME))
        shown = small.elidedText(name, Qt.TextElideMode.ElideLeft, most)
        self._draw(room, shown, self._font, Color.TEXT)
        room.setLeft(room.left() + _GAP)
        letters = room.width() // max(wide.averageCharWidth(), 1) - len(arrow)
        before, after = shortened(before, after, max(letters, 2))
        self._draw(room, words, self._font, Color.MUTED)
        for text, color in ((before, Color.DELETED), (arrow, Color.MUTED), (after, Color.ADDED)):
            self._draw(room, "" if words else text, self._code, color)

    def draw_lines(self, room: QRect, lines: Sequence[str]) -> None:
        """Draw the lines of a comparison, one below the other."""
        height = QFontMetrics(self._code).height()
        top = room.top() + (room.height() - len(lines) * height) // 2
        for at, line in enumerate(lines):
            row = QRect(room.left(), top + at * height, room.width(), height)
            self._draw(row, visible(line), self._code, _SIGNS.get(line[:1], Color.MUTED))

    def _draw(self, room: QRect, text: str, font: QFont, color: Color) -> None:
        """Draw a text at the left, and leave the remaining room."""
        metrics = QFontMetrics(font)
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room.width() + 1)
        self._painter.setFont(font)
        self._painter.setPen(self._color_of(color))
        self._painter.drawText(room, _ALIGNMENT, shown)
        room.setLeft(room.left() + metrics.horizontalAdvance(shown))
