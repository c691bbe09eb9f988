"""Plain text in widgets whose text Qt may take for HTML, as names and messages can look like HTML."""

import re
from html import escape

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QWidget

from heatstudio.text.invisible import visible
from heatstudio.ui.widgets.appearance import scaled


class PlainLabel(QLabel):
    """A label that never interprets its text as HTML."""

    def __init__(self, text: str = "", parent: QWidget | None = None, *, wraps: bool = False) -> None:
        super().__init__(parent, textFormat=Qt.TextFormat.PlainText, wordWrap=wraps)
        self._pixels = 0
        """The size that was set, unless it is that of other texts."""
        self.setText(text)

    def setText(self, text: str) -> None:
        super().setText(in_lines(text))

    def set_name(self, name: str) -> None:
        """Show a name that may wrap between its words."""
        super().setText(re.sub("_|::|(?<=[a-z])(?=[A-Z])", "\\g<0>\u200b", visible(name)))

    def set_bold(self, pixels: int | None = None) -> None:
        """Make the text bold, and set its size in pixels if one is given."""
        font = self.font()
        font.setBold(True)
        self.setFont(font)
        if pixels is not None:
            self.set_size(pixels)

    def set_size(self, pixels: int) -> None:
        """Set the size of the text in pixels, which grows with the texts of the window."""
        self._pixels = pixels
        font = self.font()
        font.setPixelSize(scaled(pixels))
        self.setFont(font)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange and self._pixels:
            self.set_size(self._pixels)

    def set_color(self, color: QColor) -> None:
        """Set the color of the text."""
        palette = self.palette()
        palette.setColor(palette.ColorRole.WindowText, color)
        self.setPalette(palette)


class ElidedLabel(PlainLabel):
    """A label of one elided line; the tool tip has the full text."""

    def __init__(self, least: int = 0) -> None:
        super().__init__()
        self._least = least

    def minimumSizeHint(self) -> QSize:
        whole = super().minimumSizeHint()
        return QSize(min(self._least, whole.width()), whole.height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        is_whole = self.fontMetrics().horizontalAdvance(self.text()) <= self.width()
        self.setToolTip(plain("" if is_whole else self.text()))
        paint_elided(self)


def paint_elided(label: QLabel) -> None:
    """Paint one line that ends with an ellipsis if it is too long."""
    shown = label.fontMetrics().elidedText(label.text(), Qt.TextElideMode.ElideRight, label.width())
    painter = QPainter(label)
    painter.setPen(label.palette().color(label.foregroundRole()))
    painter.drawText(label.rect(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)
    painter.end()


def in_lines(text: str) -> str:
    """Return a text of several lines with escapes instead of its invisible characters."""
    return "\n".join(map(visible, text.split("\n")))


def plain(text: str) -> str:
    """Return a text in the form that a tool tip or message box shows verbatim, line breaks included."""
    text = in_lines(text)
    is_safe = "<" not in text and "&lt;" not in text
    return text if is_safe else f'<span style="white-space: pre-wrap">{escape(text)}</span>'
