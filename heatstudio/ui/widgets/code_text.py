"""Sentences with code in backticks, which is shown in the code font without the backticks."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QTextCharFormat, QTextLayout, QTextOption

from heatstudio.ui.widgets.plain_text import in_lines


def without_marks(text: str) -> str:
    """Return a sentence without the backticks around code, and with visible characters only."""
    text = in_lines(text)
    return text.replace("`", "") if text.count("`") % 2 == 0 else text


class CodeText:
    """The layout of a sentence in one line, or wrapped to a width in pixels."""

    def __init__(
        self, text: str, font: QFont, code: QFont, width: float, *, wraps: bool = False, marked: Sequence[int] = ()
    ) -> None:
        """Lay out a sentence; the characters `marked` of the displayed text are bold, or underlined in bold text."""
        text = in_lines(text)
        shown = without_marks(text)
        self._formats = [*(_formats(text, code) if shown != text else []), *_marks(shown, marked, font)]
        self._font, self._wraps = font, wraps
        self._layout = self._lay_out(shown, width)

    @property
    def width(self) -> float:
        """The width of the longest line, in pixels."""
        lines = (self._layout.lineAt(at) for at in range(self._layout.lineCount()))
        return max((line.naturalTextWidth() for line in lines), default=0.0)

    @property
    def height(self) -> float:
        """The height of all lines, in pixels."""
        return self._layout.boundingRect().height()

    def draw(self, painter: QPainter, room: QRectF, alignment: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft) -> None:
        """Draw the sentence vertically centered; a line that is too long ends with an ellipsis."""
        layout, width = self._layout, self.width
        if width > room.width() + 1:
            metrics, text = QFontMetricsF(self._font), layout.text()
            share = metrics.horizontalAdvance(text) * room.width() / width
            layout = self._lay_out(metrics.elidedText(text, Qt.TextElideMode.ElideRight, share), room.width())
        spare = max(room.width() - width, 0.0) if alignment is Qt.AlignmentFlag.AlignRight else 0.0
        layout.draw(painter, QPointF(room.left() + spare, room.top() + max((room.height() - self.height) / 2, 0.0)))

    def _lay_out(self, text: str, width: float) -> QTextLayout:
        layout, height = QTextLayout(text, self._font), 0.0
        mode = QTextOption.WrapMode.WordWrap if self._wraps else QTextOption.WrapMode.NoWrap
        option = QTextOption()
        option.setWrapMode(mode)
        option.setTextDirection(Qt.LayoutDirection.LeftToRight)  # also if it begins with a name in another script
        layout.setTextOption(option)
        layout.setFormats(self._formats)
        layout.beginLayout()
        while (line := layout.createLine()).isValid():
            line.setLineWidth(width)
            line.setPosition(QPointF(0, height))
            height += line.height()
        layout.endLayout()
        return layout


def _marks(shown: str, marked: Sequence[int], font: QFont) -> list[QTextLayout.FormatRange]:
    """Return the formats of marked characters."""
    face = QTextCharFormat()
    if font.bold():
        face.setFontUnderline(True)
    else:
        face.setFontWeight(QFont.Weight.Bold)
    return [_range(_units(shown[:place]), _units(shown[place]), face) for place in marked]


def _units(text: str) -> int:
    """Return the length of a text in UTF-16 units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _range(start: int, length: int, face: QTextCharFormat) -> QTextLayout.FormatRange:
    made = QTextLayout.FormatRange()
    made.start, made.length, made.format = start, length, face
    return made


def _formats(text: str, code: QFont) -> list[QTextLayout.FormatRange]:
    """Return the formats of the code in the displayed text, in UTF-16 units."""
    face = QTextCharFormat()
    face.setFont(code)
    formats, at = list[QTextLayout.FormatRange](), 0
    for number, part in enumerate(text.split("`")):
        length = _units(part)
        if number % 2:
            formats.append(_range(at, length, face))
        at += length
    return formats
