"""Comparison of the screen with a fresh paint of all windows."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRect
from PySide6.QtGui import QGuiApplication, QImage, QPainter, QRegion
from PySide6.QtWidgets import QAbstractItemView, QApplication, QGraphicsView, QMenu, QProgressBar, QWidget

_PASSES = 5
_PENDING = (QEvent.Type.LayoutRequest, QEvent.Type.UpdateLater, QEvent.Type.UpdateRequest)
"""Requests of a layout, of the paint of a widget that is shown, and of a paint."""


class Difference(NamedTuple):
    """The two pictures of a screen that was not up to date, and the rectangle that differs, in pixels."""

    screen: QImage
    fresh: QImage
    rect: QRect
    widget: str
    """The innermost widget that contains the rectangle."""

    def save(self, folder: Path) -> None:
        """Write both pictures into a folder."""
        folder.mkdir(exist_ok=True)
        self.screen.save(str(folder / "screen.png"))
        self.fresh.save(str(folder / "fresh.png"))


def find_difference() -> Difference | None:
    """Return how the screen differs from the picture after every window was painted again; None if it does not.

    Pending layouts and paints come first; no other event is handled between the two pictures.
    """
    windows = shown_windows()
    widgets = [widget for window in windows for widget in (window, *window.findChildren(QWidget))]
    for widget in widgets:
        if isinstance(widget, QAbstractItemView):
            widget.indexAt(QPoint(0, 0))  # lays out the rows of a changed model, which Qt does in the next iteration
        elif isinstance(widget, QGraphicsView):
            QCoreApplication.sendPostedEvents(widget.scene(), QEvent.Type.MetaCall)  # the same for changed items
    _paint_pending()
    screen = _grab()
    for widget in widgets:
        widget.update()  # each of them, as the update of a window leaves out its opaque children
    _paint_pending()
    fresh = _grab()
    if screen == fresh:
        return None
    compared = _compared(windows)
    for picture in (screen, fresh):
        _clear_outside(picture, compared)
    if screen == fresh:
        return None
    rect = _rect_of_difference(screen, fresh)
    return Difference(screen, fresh, rect, _widget_around(windows, rect, screen.devicePixelRatio()))


def _paint_pending() -> None:
    """Carry out pending layouts and paints, and those that follow from them."""
    for _ in range(_PASSES):
        for kind in _PENDING:
            QCoreApplication.sendPostedEvents(None, kind)


def shown_windows() -> list[QWidget]:
    """Return all windows, menus and popups that are not hidden."""
    return [window for window in QApplication.topLevelWidgets() if window.isVisible()]


def are_on_screen() -> bool:
    """Return whether the window manager has shown all windows."""
    return all(window.isExposed() for window in QGuiApplication.topLevelWindows() if window.isVisible())


def _grab() -> QImage:
    return QGuiApplication.primaryScreen().grabWindow(0).toImage()


def _compared(windows: list[QWidget]) -> QRegion:
    """Return the region of the windows without their frames, which are not ours, and without progress bars.

    While a menu is open, it is that of menus: Qt moves the focus to the menu bar and back without telling a widget.
    """
    is_menu_open = isinstance(QApplication.activePopupWidget(), QMenu)
    inside = QRegion()
    for window in windows:
        if isinstance(window, QMenu) or not is_menu_open:
            inside += QRegion(window.geometry())
    for window in windows:
        inside -= QRegion(window.frameGeometry()) - QRegion(window.geometry())
        for bar in window.findChildren(QProgressBar):
            if bar.isVisible():
                inside -= QRegion(QRect(bar.mapToGlobal(QPoint(0, 0)), bar.size()))
    return inside


def _clear_outside(picture: QImage, region: QRegion) -> None:
    size = picture.deviceIndependentSize().toSize()
    painter = QPainter(picture)
    painter.setClipRegion(QRegion(QRect(QPoint(0, 0), size)) - region)
    painter.fillRect(QRect(QPoint(0, 0), size), 0)
    painter.end()


def _rect_of_difference(one: QImage, other: QImage) -> QRect:
    rows = [y for y in range(one.height()) if one.copy(0, y, one.width(), 1) != other.copy(0, y, one.width(), 1)]
    columns = [x for x in range(one.width()) if one.copy(x, 0, 1, one.height()) != other.copy(x, 0, 1, one.height())]
    return QRect(QPoint(columns[0], rows[0]), QPoint(columns[-1], rows[-1]))


def _widget_around(windows: list[QWidget], rect: QRect, scale: float) -> str:
    center = rect.center() / scale
    found = QApplication.widgetAt(center)
    while found is not None and not QRect(found.mapToGlobal(QPoint(0, 0)) * scale, found.size() * scale).contains(rect):
        found = found.parentWidget()
    return describe(found) if found is not None else f"one of {', '.join(map(describe, windows))}"


def describe(widget: QWidget) -> str:
    """Return the type and the name of a widget."""
    return f"{type(widget).__name__} {widget.accessibleName() or widget.objectName() or widget.windowTitle()!r}"
