"""Icons painted among text, in a color of the theme."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QIcon, QPainter

from heatstudio.ui.widgets.icon_engine import MeaningIconEngine
from heatstudio.ui.widgets.theme import Color, Theme


def paint_icon(painter: QPainter, rect: QRectF, name: str, theme: Theme, color: Color) -> None:
    """Paints the icon of that name into a rectangle."""
    engine = MeaningIconEngine(name, lambda _mode: theme.color(color))
    engine.paint(painter, QRect(rect.toRect()), QIcon.Mode.Normal, QIcon.State.Off)
