"""A dock that can be collapsed, and the groups of docks that collapse together."""

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
    """The title of a dock and its collapse button, created when it becomes visible: most docks are behind tabs."""

    def __init__(self, dock: Dock, appearance: Appearance) -> None:
        super().__init__()
        self._dock = dock
        self._appearance = appearance
        self.setFixedHeight(TITLE_HEIGHT)

    def set_folded(self, folded: bool) -> None:
        """Takes no space if a tab shows the name already."""
        if not folded and self.layout() is None:
            self._fill()
        self.setFixedHeight(0 if folded else TITLE_HEIGHT)

    def sizeHint(self) -> QSize:
        return QSize(120, self.maximumHeight())

    def _fill(self) -> None:
        name = self._dock.windowTitle()
        label = PlainLabel(name)
        font = label.font()
        font.setBold(True)
        label.setFont(font)
        close = tool_button(self._appearance, "close", f"Hide {name}")
        close.clicked.connect(self._dock.fold)
        in_row((label, 1), close, of=self, edges=(EDGE, 0, 4, 0))


class Dock(QDockWidget):
    """Contains a panel, which may be created after the first paint; stores its position by its name."""

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
        """Put the panel in."""
        panel.set_shown(False)  # until it is known: what nobody sees is not made
        self.setWidget(_with_free_size(panel))
        self.visibilityChanged.connect(panel.set_shown)
        panel.set_shown(self.is_seen)

    def fill_when_seen(self, make: Callable[[], Panel]) -> None:
        """Create the panel when the dock is first shown."""
        self._make = make
        self.visibilityChanged.connect(self._fill_once)
        self._fill_once(self.is_seen)

    def _fill_once(self, is_seen: bool) -> None:
        if is_seen and self._make is not None:
            make, self._make = self._make, None
            self.fill(make())

    @property
    def is_seen(self) -> bool:
        """Whether it is neither folded away nor behind the tab of another one."""
        return not self.isHidden() and not self.visibleRegion().isEmpty()

    def fit_title(self) -> None:
        """Show the title unless a tab does."""
        beside = self._window.tabifiedDockWidgets(self)
        self._title.set_folded(any(not dock.isHidden() for dock in beside))

    def fold(self) -> None:
        """Fold the pane away; the focus goes to the text, where it would stay in the pane."""
        focus, text = QApplication.focusWidget(), self._window.centralWidget()
        if text is not None and focus is not None and self.isAncestorOf(focus):
            text.setFocus()
        self.hide()

    def unfold(self) -> None:
        """Show the pane; the focus does not move."""
        self.show()
        self.raise_()

    def reveal(self) -> None:
        """Show the pane and gives it the focus; if it has the focus already, folds it away."""
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
    """Let the user make a dock as narrow as he likes, whatever its content would rather have."""
    content.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
    content.setMinimumSize(160, 80)
    return content


class Docks(QObject):
    """The docks of the window by area; collapsed together, they are restored as they were."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._docks: list[Dock] = []
        self._folded: dict[Qt.DockWidgetArea, list[Dock]] = {}
        self._folded_together: set[Qt.DockWidgetArea] = set()

    @property
    def docks(self) -> tuple[Dock, ...]:
        """All of them, shown or not."""
        return tuple(self._docks)

    def add(self, dock: Dock, area: Qt.DockWidgetArea, beside: Dock | None = None) -> Dock:
        """Put a dock into an area; `beside` another one it becomes a tab."""
        self._docks.append(dock)
        self._window.addDockWidget(area, dock)
        if beside is not None:
            self._window.tabifyDockWidget(beside, dock)
        return dock

    def follow(self) -> None:
        """Fits the titles, now and whenever a dock moves; to be called when all are shown, or not, as they will be."""
        for dock in self._docks:
            dock.visibilityChanged.connect(self._fit_titles)
            dock.dockLocationChanged.connect(self._fit_titles)
        self._fit_titles()

    def fold(self, area: Qt.DockWidgetArea) -> None:
        """Fold an area away, or brings back what was folded last."""
        shown = [dock for dock in self._in(area) if not dock.isHidden()]
        if shown:
            self._folded[area] = shown
            for dock in shown:
                dock.fold()
            return
        for dock in self._folded.get(area) or self._in(area):
            dock.show()

    def fold_all(self) -> None:
        """Leave the text alone, or brings everything back."""
        shown = {self._window.dockWidgetArea(dock) for dock in self._docks if not dock.isHidden()}
        for area in shown or self._folded_together:
            self.fold(area)
        self._folded_together = shown

    def _fit_titles(self) -> None:
        """Docks also report that they are hidden when the window is destroyed."""
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
