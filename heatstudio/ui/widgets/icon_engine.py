"""An engine for monochrome SVG icons in the current color of their meaning."""

from collections.abc import Callable
from functools import cache

from PySide6.QtCore import QByteArray, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QIconEngine, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from heatstudio.assets import icon_path
from heatstudio.ui.widgets.theme import Color, Theme

ColorOfMode = Callable[[QIcon.Mode], QColor]
"""A function that is called at every paint, so that an icon follows the theme without being created again."""


@cache
def _renderer(name: str, color: str) -> QSvgRenderer:
    source = icon_path(name).read_text(encoding="utf-8")
    return QSvgRenderer(QByteArray(source.replace("currentColor", color).encode()))


class MeaningIconEngine(QIconEngine):
    """An icon engine that determines the color when it paints."""

    def __init__(self, name: str, color_of_mode: ColorOfMode) -> None:
        super().__init__()
        self._name = name
        self._color_of_mode = color_of_mode

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, _state: QIcon.State) -> None:
        """Paint the icon in the middle of the rectangle, undistorted."""
        side = min(rect.width(), rect.height())
        square = QRectF(rect.x() + (rect.width() - side) / 2, rect.y() + (rect.height() - side) / 2, side, side)
        _renderer(self._name, self._color_of_mode(mode).name()).render(painter, square)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        """Return the icon as a pixmap of `size` device pixels."""
        if size.isEmpty():  # a button without a size
            return QPixmap()
        pixmap = QPixmap(size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        self.paint(painter, QRect(QPoint(0, 0), size), mode, state)
        painter.end()
        return pixmap

    def clone(self) -> QIconEngine:
        """Return another engine for the same icon."""
        return MeaningIconEngine(self._name, self._color_of_mode)


def paint_icon(painter: QPainter, rect: QRectF, name: str, theme: Theme, color: Color) -> None:
    """Paint an icon in a color of the theme."""
    engine = MeaningIconEngine(name, lambda _mode: theme.color(color))
    engine.paint(painter, rect.toRect(), QIcon.Mode.Normal, QIcon.State.Off)
