"""The palette of a theme, and the style rules that a palette cannot express."""

import json

from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QColor, QPainter, QPalette

from heatstudio.assets import resource_path
from heatstudio.ui.widgets.theme import Color, Theme

_TEXT_ROLES = (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText)


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
