"""Themes: colors by meaning, the palette and style rules made of them, and icons in the color of their meaning."""

import json
from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from PySide6.QtCore import QByteArray, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QIconEngine, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer

from heatstudio.assets import icon_path, resource_path
from heatstudio.text import Severity

_TEXT_ROLES = (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText)
ColorOfMode = Callable[[QIcon.Mode], QColor]
"""A function that is called at every paint, so that an icon follows the theme without being created again."""


class Color(StrEnum):
    """The meaning of a color, which each theme maps to a value."""

    EDITOR_GROUND = "editor-ground"
    PANEL_GROUND = "panel-ground"
    RAISED_GROUND = "raised-ground"
    HOVER_GROUND = "hover-ground"
    CURRENT_LINE = "current-line"
    SELECTION = "selection"
    MATCH_GROUND = "match-ground"
    ERROR_GROUND = "error-ground"
    WARNING_GROUND = "warning-ground"
    ADDED_GROUND = "added-ground"
    MOVED_GROUND = "moved-ground"
    BORDER = "border"
    """The border between panes, and around widgets that are visible without it."""
    EDGE = "edge"
    """The edge of fields, buttons and scroll bar handles, which are invisible without it."""
    INDENT_GUIDE = "indent-guide"
    TEXT = "text"
    MUTED = "muted"
    DISABLED = "disabled"
    ACCENT = "accent"
    ACCENT_TEXT = "accent-text"
    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"
    HINT = "hint"
    ADDED = "added"
    UPDATED = "updated"
    REPLACED = "replaced"
    DELETED = "deleted"
    MOVED = "moved"
    NOT_SUPPORTED = "not-supported"
    UNCHANGED = "unchanged"
    KEY = "key"
    RESOURCE_TYPE = "resource-type"
    FUNCTION = "function"
    STRING = "string"
    REFERENCE = "reference"
    NUMBER = "number"
    COMMENT = "comment"


SEVERITY_ICONS = {severity: (f"severity-{severity.word}", Color(severity.word)) for severity in Severity}
"""The icon and the color of each severity."""


class Theme(NamedTuple):
    """A theme: the color of every meaning as `#RRGGBB`."""

    name: str
    dark: bool
    least_contrast: float
    colors: Mapping[Color, str]

    def value(self, color: Color) -> str:
        """Return the color of a meaning as `#RRGGBB`."""
        return self.colors[color]

    def color(self, color: Color) -> QColor:
        """Return the color of a meaning as QColor."""
        return QColor(self.colors[color])


@cache
def load_theme(name: str) -> Theme:
    """Load a theme of resources/themes by name; raise OSError if there is none."""
    data = json.loads(resource_path("themes", f"{name}.json").read_text(encoding="utf-8"))
    return Theme(**{**data, "colors": {Color(meaning): value for meaning, value in data["colors"].items()}})


def make_palette(theme: Theme) -> QPalette:
    """Return the palette of a theme for all color groups."""
    palette = QPalette()
    for role, color in json.loads(resource_path("palette.json").read_text(encoding="utf-8")).items():
        palette.setColor(QPalette.ColorRole[role], theme.color(Color(color)))
    for role in _TEXT_ROLES:
        palette.setColor(QPalette.ColorGroup.Disabled, role, theme.color(Color.DISABLED))
    return palette


def style_sheet() -> str:
    """Return the style sheet of every theme; it is short, since each rule costs time and changes style metrics."""
    return resource_path("themes", "window.qss").read_text(encoding="utf-8").strip()


def fill_background(painter: QPainter, rect: QRect | QRectF, color: QColor) -> None:
    """Fill a rectangle without `fillRect`, whose first call makes PySide load its gradient types for milliseconds."""
    painter.setBackground(color)
    painter.eraseRect(rect)


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
