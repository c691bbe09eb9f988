"""A flow layout: widgets in as many rows as the width requires."""

from collections.abc import Iterator

from PySide6.QtCore import QEvent, QMargins, QPoint, QRect, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget


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
