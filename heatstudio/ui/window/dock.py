"""Docks that can be folded, alone or by area."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QSize, Qt
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QSizePolicy, QTabBar, QWidget
from shiboken6 import isValid

from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.widgets.layouts import in_row
from heatstudio.ui.widgets.panel import EDGE, Panel, tool_button
from heatstudio.ui.widgets.plain_text import PlainLabel

TITLE_HEIGHT = 28


class DockTitle(QWidget):
    """The title bar of a dock, filled when it is first visible, since most panes are behind tabs."""

    def __init__(self, dock: Dock, appearance: Appearance) -> None:
        super().__init__()
        self._dock = dock
        self._appearance = appearance
        self.setFixedHeight(TITLE_HEIGHT)

    def set_folded(self, folded: bool) -> None:
        """Hide the title bar if a tab shows the title."""
        if not folded and self.layout() is None:
            self._fill()
        self.setFixedHeight(0 if folded else TITLE_HEIGHT)

    def sizeHint(self) -> QSize:
        return QSize(120, self.maximumHeight())

    def _fill(self) -> None:
        name = self._dock.windowTitle()
        label = PlainLabel(name)
        label.set_bold()
        close = tool_button(self._appearance, "close", f"Hide {name}")
        close.clicked.connect(self._dock.fold)
        in_row((label, 1), close, of=self, edges=(EDGE, 0, 4, 0))


class Dock(QDockWidget):
    """A dock whose panel may be set later; its name identifies it in the saved state."""

    def __init__(self, title: str, appearance: Appearance, window: QMainWindow) -> None:
        super().__init__(title, window)
        self.setObjectName(title)
        self.setAccessibleName(title)
        self.setFeatures(
            QDockWidget.DockWidgetFeature.DockWidgetClosable | QDockWidget.DockWidgetFeature.DockWidgetMovable
        )
        self._window = window
        self._make: Callable[[], Panel] | None = None
        self._title = DockTitle(self, appearance)
        self.setTitleBarWidget(self._title)
        self.setWidget(_with_free_size(QWidget()))

    def fill(self, panel: Panel) -> None:
        """Set the panel."""
        panel.set_shown(False)  # until the visibility is known, as hidden content is not built
        self.setWidget(_with_free_size(panel))
        self.visibilityChanged.connect(panel.set_shown)
        panel.set_shown(self.is_seen)

    def fill_when_seen(self, make: Callable[[], Panel]) -> None:
        """Build and set the panel when the dock first becomes visible."""
        self._make = make
        self.visibilityChanged.connect(self._fill_once)
        self._fill_once(self.is_seen)

    def _fill_once(self, is_seen: bool) -> None:
        if is_seen and self._make is not None:
            make, self._make = self._make, None
            self.fill(make())

    @property
    def is_seen(self) -> bool:
        """Whether the dock is neither folded nor behind another tab."""
        return not self.isHidden() and not self.visibleRegion().isEmpty()

    def fit_title(self) -> None:
        """Show the title bar unless the dock is in a tab bar."""
        beside = self._window.tabifiedDockWidgets(self)
        self._title.set_folded(any(not dock.isHidden() for dock in beside))

    def fold(self) -> None:
        """Hide the pane; if it has the focus, move the focus to the text."""
        focus, text = QApplication.focusWidget(), self._window.centralWidget()
        if text is not None and focus is not None and self.isAncestorOf(focus):
            text.setFocus()
        self.hide()

    def unfold(self) -> None:
        """Show the pane in front without changing the focus."""
        self.show()
        self.raise_()

    def reveal(self) -> None:
        """Show and focus the pane; if it has the focus already, fold it."""
        focus = self.focusWidget()
        if self.isVisible() and focus is not None and focus.hasFocus():
            self.fold()
            return
        self.unfold()
        self._fill_once(True)
        content = self.widget()
        if content is not None:
            content.setFocus(Qt.FocusReason.ShortcutFocusReason)


def _with_free_size(content: QWidget) -> QWidget:
    """Let the user make a dock as narrow as they like, regardless of its content."""
    content.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
    content.setMinimumSize(160, 80)
    return content


class Docks(QObject):
    """The docks of the window by area; an area is folded and restored as a whole."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._docks: list[Dock] = []
        self._folded: dict[Qt.DockWidgetArea, list[Dock]] = {}
        self._folded_together: set[Qt.DockWidgetArea] = set()

    @property
    def docks(self) -> tuple[Dock, ...]:
        """All docks, visible or not."""
        return tuple(self._docks)

    def add(self, dock: Dock, area: Qt.DockWidgetArea, beside: Dock | None = None) -> Dock:
        """Add a dock to an area, as a tab of the dock `beside` if given."""
        self._docks.append(dock)
        self._window.addDockWidget(area, dock)
        if beside is not None:
            self._window.tabifyDockWidget(beside, dock)
        return dock

    def follow(self) -> None:
        """Update the title bars now and whenever a dock moves; called when the initial docks are visible."""
        for dock in self._docks:
            dock.visibilityChanged.connect(self._fit_titles)
            dock.dockLocationChanged.connect(self._fit_titles)
        self._fit_titles()

    def fold(self, area: Qt.DockWidgetArea) -> None:
        """Fold an area, or restore the docks folded last."""
        shown = [dock for dock in self._in(area) if not dock.isHidden()]
        if shown:
            self._folded[area] = shown
            for dock in shown:
                dock.fold()
            return
        for dock in self._folded.get(area) or self._in(area):
            dock.show()

    def fold_all(self) -> None:
        """Fold all areas, or restore them."""
        shown = {self._window.dockWidgetArea(dock) for dock in self._docks if not dock.isHidden()}
        for area in shown or self._folded_together:
            self.fold(area)
        self._folded_together = shown

    def _fit_titles(self) -> None:
        """Update tabs and title bars, unless the window is being destroyed."""
        if not isValid(self._window):
            return
        for bar in self._window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
            bar.setElideMode(Qt.TextElideMode.ElideNone)
            bar.setUsesScrollButtons(True)
            titles = [bar.tabText(row).replace("&", "") for row in range(bar.count())]
            bar.setAccessibleName(f"Panes: {', '.join(titles)}")
        for dock in filter(isValid, self._docks):
            dock.fit_title()

    def _in(self, area: Qt.DockWidgetArea) -> list[Dock]:
        return [dock for dock in self._docks if self._window.dockWidgetArea(dock) is area]
