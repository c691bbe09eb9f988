"""The docks of all panes: where each one stands until the user puts it elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QMainWindow, QTabBar, QTabWidget
from shiboken6 import isValid

from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.window.dock import Dock, Docks

LEFT, RIGHT, BOTTOM = (
    Qt.DockWidgetArea.LeftDockWidgetArea,
    Qt.DockWidgetArea.RightDockWidgetArea,
    Qt.DockWidgetArea.BottomDockWidgetArea,
)
_SIDES = [252, 332]
"""The widths of the panes at the left and at the right, where there is room for them."""
_SHARES = (0.21, 0.29)
"""The most of the width of the window that they take: the text comes first."""
_CHOSEN_SHARES = (1 / 3, 1 / 3)
"""The same where somebody chose the widths, in a window that may have been wider then."""
_HEIGHT = 170
_ROUNDED = 2


class _Given(NamedTuple):
    """A pane gave way: the width that it had, and the one that it got."""

    wanted: int
    got: int

    def is_there(self, dock: Dock) -> bool:
        """Whether nobody made the pane wider or narrower since; Qt gives a pixel or two otherwise."""
        return abs(dock.width() - self.got) <= _ROUNDED


class PaneDocks(Docks):
    """All of them are there from the start, empty as they are: only so Qt puts each where it was, and in front."""

    def __init__(self, window: QMainWindow, appearance: Appearance) -> None:
        super().__init__(window)
        self._appearance = appearance
        self._given: dict[Dock, _Given] = {}
        window.setDockNestingEnabled(True)
        window.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        window.setCorner(Qt.Corner.BottomLeftCorner, LEFT)
        window.setCorner(Qt.Corner.BottomRightCorner, BOTTOM)
        self.types = self._make("Resource types", LEFT)
        self.outline = self._make("Outline", LEFT)
        self.preview = self._make("Preview", RIGHT)
        self.page = self._make("Type", RIGHT, self.preview)
        self.problems = self._make("Problems", BOTTOM)
        window.resizeDocks([self.types, self.preview], _SIDES, Qt.Orientation.Horizontal)
        window.resizeDocks([self.problems], [_HEIGHT], Qt.Orientation.Vertical)
        self.graph = self._make("Graph", BOTTOM, self.problems)
        self.parameters = self._make("Parameters", BOTTOM, self.problems)
        self.comparison = self._make("Comparison", BOTTOM, self.problems)
        self.explanation = self._make("Explanation", RIGHT, self.page)
        self.cloud = self._make("Cloud", LEFT, self.types)
        self.heat = self._make("Heat", BOTTOM, self.problems)
        for dock in (self.problems, self.preview, self.types):
            dock.raise_()
        self.graph.visibilityChanged.connect(self._hide_left_over_tabs)

    def command_handlers(self) -> Mapping[str, Callable[[], object]]:
        """What the commands of panes do."""
        return {
            "left": lambda: self.fold(LEFT),
            "right": lambda: self.fold(RIGHT),
            "bottom": lambda: self.fold(BOTTOM),
            "only-text": self.fold_all,
            "preview": self.preview.reveal,
            "show-preview": self.preview.reveal,
            "show-types": self.types.reveal,
            "show-outline": self.outline.reveal,
            "show-problems": self.problems.reveal,
            "show-type-page": self.page.reveal,
        }

    def follow_width(self, event: QResizeEvent, *, remembered: bool) -> None:
        """Lets the panes at the sides leave room for the text in a window that gets narrow, or is new.

        `remembered` tells that their widths in a new window are those of the last one.
        """
        before, now = event.oldSize().width(), event.size().width()
        if before < 0:
            self._give_way(now, _CHOSEN_SHARES if remembered else _SHARES)
        elif now < before:
            self._give_way(now, _SHARES)
        elif now > before and self._given:
            self._come_back(now)

    def _give_way(self, width: int, shares: tuple[float, float]) -> None:
        sides = (self.types, self.preview)
        most = [round(width * share) for share in shares]
        if any(dock.width() > wide for dock, wide in zip(sides, most, strict=True) if not dock.isHidden()):
            for dock, wide in zip(sides, most, strict=True):
                if dock.width() > wide and not dock.isHidden():
                    self._given[dock] = _Given(self._wanted(dock), max(wide, dock.minimumSizeHint().width()))
            widths = [min(dock.width(), wide) for dock, wide in zip(sides, most, strict=True)]
            self._window.resizeDocks(list(sides), widths, Qt.Orientation.Horizontal)

    def _come_back(self, width: int) -> None:
        """Gives panes the widths again that they had before the window got narrow, unless somebody chose others."""
        sides = (self.types, self.preview)
        given, self._given = self._given, {}
        wider: dict[Dock, int] = {}
        for dock, share in zip(sides, _SHARES, strict=True):
            if dock not in given or dock.isHidden() or not given[dock].is_there(dock):
                continue
            wanted = given[dock].wanted
            wider[dock] = min(wanted, round(width * share))
            if wider[dock] < wanted:
                self._given[dock] = _Given(wanted, wider[dock])
        if wider:
            widths = [wider.get(dock, dock.width()) for dock in sides]
            self._window.resizeDocks(list(sides), widths, Qt.Orientation.Horizontal)

    def _wanted(self, dock: Dock) -> int:
        """The width that a pane had before it gave way first."""
        given = self._given.get(dock)
        return given.wanted if given is not None and given.is_there(dock) else dock.width()

    def _make(self, title: str, area: Qt.DockWidgetArea, beside: Dock | None = None) -> Dock:
        return self.add(Dock(title, self._appearance, self._window), area, beside)

    def _hide_left_over_tabs(self) -> None:
        """Qt makes a new bar when a third dock joins two, and forgets to hide the old one."""
        bars: dict[str, QTabBar] = {}
        direct = Qt.FindChildOption.FindDirectChildrenOnly
        if not isValid(self._window):
            return
        for bar in filter(isValid, self._window.findChildren(QTabBar, options=direct)):
            older = bars.get(bar.tabText(0))
            if older is not None:
                older.hide()
            bars[bar.tabText(0)] = bar
