"""Declarative layouts of widgets in rows and columns."""

from typing import TypeVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLayout, QVBoxLayout, QWidget

Part = QWidget | QLayout | tuple[QWidget | QLayout, int] | tuple[QWidget, Qt.AlignmentFlag] | int
"""A child of a layout, alone, with its stretch or with its alignment; a number is an empty stretch."""
Edges = tuple[int, int, int, int]
"""The margins: left, top, right and bottom."""
_Box = TypeVar("_Box", QHBoxLayout, QVBoxLayout)
NO_EDGES: Edges = (0, 0, 0, 0)


def resize_within_screen(window: QWidget, width: int, height: int) -> None:
    """Give a window its size, or as much of it as leaves some of the screen to be seen."""
    window.resize(QSize(width, height).boundedTo(QGuiApplication.primaryScreen().availableSize() * 0.9))


def in_row(*parts: Part, of: QWidget | None = None, edges: Edges = NO_EDGES, gap: int = -1) -> QHBoxLayout:
    """Parts next to each other, alone or as what a widget consists of; the style knows the usual gap."""
    return _filled(QHBoxLayout(), parts, of, edges, gap)


def in_column(*parts: Part, of: QWidget | None = None, edges: Edges = NO_EDGES, gap: int = -1) -> QVBoxLayout:
    """Return parts below each other."""
    return _filled(QVBoxLayout(), parts, of, edges, gap)


def _filled(layout: _Box, parts: tuple[Part, ...], of: QWidget | None, edges: Edges, gap: int) -> _Box:
    if of is not None:
        of.setLayout(layout)
    layout.setContentsMargins(*edges)
    layout.setSpacing(gap)
    for part in parts:
        match part:
            case int():
                layout.addStretch(part)
            case QWidget() as widget:
                layout.addWidget(widget)
            case (QWidget() as widget, Qt.AlignmentFlag() as place):
                layout.addWidget(widget, 0, place)
            case (QWidget() as widget, int() as share):
                layout.addWidget(widget, share)
            case (QLayout() as inner, int() as share):
                layout.addLayout(inner, share)
            case QLayout() as inner:
                layout.addLayout(inner)
    return layout
