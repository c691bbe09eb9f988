"""Grounds: rectangles of one color."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QColor, QPainter


def fill_background(painter: QPainter, rect: QRect | QRectF, color: QColor) -> None:
    """Fills a rectangle; `fillRect` would make PySide learn about gradients first, which takes milliseconds."""
    painter.setBackground(color)
    painter.eraseRect(rect)
