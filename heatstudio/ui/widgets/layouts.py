"""Declarative row and column layouts."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLayout, QVBoxLayout, QWidget

Part = QWidget | QLayout | tuple[QWidget | QLayout, int] | tuple[QWidget, Qt.AlignmentFlag] | int
"""A widget or layout, alone, with a stretch factor or with an alignment; a number is an empty stretch."""
Edges = tuple[int, int, int, int]
"""The margins: left, top, right, bottom."""
_Box = TypeVar("_Box", QHBoxLayout, QVBoxLayout)
NO_EDGES: Edges = (0, 0, 0, 0)


def in_row(*parts: Part, of: QWidget | None = None, edges: Edges = NO_EDGES, gap: int = -1) -> QHBoxLayout:
    """Return a row of parts, set as the layout of a widget if given; a gap of -1 is the default of the style."""
    return _filled(QHBoxLayout(), parts, of, edges, gap)


def in_column(*parts: Part, of: QWidget | None = None, edges: Edges = NO_EDGES, gap: int = -1) -> QVBoxLayout:
    """Return a column of parts."""
    return _filled(QVBoxLayout(), parts, of, edges, gap)


class Isolated(QWidget):
    """A container without a layout, so that layout requests of its content do not lay out the rest of the window."""

    def __init__(self, content: QWidget) -> None:
        super().__init__()
        self._content = content
        content.setParent(self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._content.setGeometry(self.rect())


@contextmanager
def laid_out_once(parent: QWidget) -> Iterator[None]:
    """Defer a widget's layout until several children are shown; otherwise each child lays out the whole window."""
    layout = parent.layout()
    if layout is not None:
        layout.setEnabled(False)
    try:
        yield
    finally:
        if layout is not None:
            layout.setEnabled(True)


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
