"""Declarative row and column layouts, and rows that flow like words."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

from PySide6.QtCore import QEvent, QMargins, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLayout, QSizePolicy, QVBoxLayout, QWidget

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


class Flow(QWidget):
    """A container that arranges its visible widgets in rows, like words in a paragraph."""

    def __init__(self, name: str, margins: QMargins, gap: int) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self._margins = margins
        self._gap = gap
        self._widgets: list[QWidget] = []
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def add(self, widget: QWidget) -> None:
        """Append a widget."""
        widget.setParent(self)
        self._widgets.append(widget)

    def clear(self) -> None:
        """Delete the widgets."""
        for widget in self._widgets:
            widget.hide()
            widget.deleteLater()
        self._widgets = []

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        bottom = max((place.bottom() + 1 for _, place in self._places(width)), default=self._margins.top())
        return bottom + self._margins.bottom()

    def sizeHint(self) -> QSize:
        return QSize(self.minimumSizeHint().width(), self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        widest = max((widget.minimumSizeHint().width() for widget in self._shown()), default=0)
        return QSize(self._margins.left() + widest + self._margins.right(), self.heightForWidth(self.width()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.refit()

    def event(self, event: QEvent) -> bool:
        """Arrange the widgets again when one is added, hidden or resized."""
        if event.type() is QEvent.Type.LayoutRequest:
            self.refit()
        return super().event(event)

    def refit(self) -> None:
        """Adapt to the current sizes of the widgets; Qt reports their changes only while they are visible."""
        self.updateGeometry()
        for widget, place in self._places(self.width()):
            widget.setGeometry(place)

    def _shown(self) -> Iterator[QWidget]:
        return (widget for widget in self._widgets if not widget.isHidden())

    def _places(self, width: int) -> Iterator[tuple[QWidget, QRect]]:
        """Yield each visible widget with its rectangle at a width."""
        left, bottom = self._margins.left(), self._margins.top()
        at, top = left, bottom
        right = width - self._margins.right()
        for widget in self._shown():
            size = widget.sizeHint()
            size.setWidth(min(size.width(), max(right - left, widget.minimumSizeHint().width())))
            if at > left and at + size.width() > right:
                at, top = left, bottom + self._gap
            yield widget, QRect(QPoint(at, top), size)
            at, bottom = at + size.width() + self._gap, max(bottom, top + size.height())
