"""The base class of popups: as large as their content, next to a rectangle of the screen."""

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QCursor, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QLayout, QWidget

_GAP = 2


class Popup(QFrame):
    """A frame that always has the size of its content, and keeps its place when that changes."""

    def __init__(self, parent: QWidget, kind: Qt.WindowType) -> None:
        super().__init__(parent, kind)
        self._anchor = QRect()
        self._hover_end = HoverEnd(self)

    def fill(self, layout: QLayout) -> None:
        """Set the content."""
        layout.setSizeConstraint(QLayout.SizeConstraint.SetFixedSize)
        self.setLayout(layout)

    def show_beside(self, anchor: QRect) -> None:
        """Show the popup below a rectangle in global coordinates, or above it if there is more space."""
        self._anchor = anchor
        layout = self.layout()
        if layout is not None:
            layout.activate()  # the size of this content, which the place depends on
        self._place()
        self._hover_end.expect()
        self.show()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        """Move to the anchor, within the screen."""
        screen = QGuiApplication.screenAt(self._anchor.center()) or QGuiApplication.primaryScreen()
        room, size = screen.availableGeometry(), self.size()
        last = QPoint(room.right() + 1 - size.width(), room.bottom() + 1 - size.height())
        above, below = self._anchor.top() - _GAP - size.height(), self._anchor.bottom() + _GAP
        top = above if below > last.y() and above >= room.top() else min(below, last.y())
        self.move(max(room.left(), min(self._anchor.left(), last.x())), max(room.top(), top))


class HoverEnd(QObject):
    """An event filter that paints a widget again when the mouse leaves it; Qt sends no hover event under a popup."""

    def expect(self) -> None:
        """Wait for the mouse to leave the widget under it, before a popup is shown."""
        under_mouse = QApplication.widgetAt(QCursor.pos())
        if under_mouse is not None:
            under_mouse.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Leave and isinstance(watched, QWidget):
            watched.removeEventFilter(self)
            watched.update()
        return False
