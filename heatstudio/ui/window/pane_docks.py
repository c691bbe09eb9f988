"""The docks of all panes with their default positions."""

from collections.abc import Callable, Mapping

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
_SIDES = (252, 332)
"""The default widths of the left and right panes in a window of the default width."""
_USUAL = 1280
_SHARES = (0.21, 0.29)
"""The maximum share of a narrower window's width for each side."""
_GROWTH = 0.2
"""The share of a wider window's additional width for each side."""
_WIDEST = 600
_CHOSEN_SHARE = 1 / 3
"""The maximum share of the width for a pane that the user resized."""
_HEIGHT = 240
"""The height of the bottom panes: six rows of problems."""
_MOST_HEIGHT = 0.34
"""The maximum share of a new window's height for the bottom panes."""
_ROUNDED = 2


class PaneDocks(Docks):
    """All docks, created empty at the start, so that Qt can restore their positions and tabs."""

    def __init__(self, window: QMainWindow, appearance: Appearance) -> None:
        super().__init__(window)
        self._appearance = appearance
        window.setDockNestingEnabled(True)
        window.setTabPosition(LEFT | RIGHT, QTabWidget.TabPosition.North)
        window.setTabPosition(BOTTOM, QTabWidget.TabPosition.South)  # at the bottom, tabs do not move when a pane grows
        window.setCorner(Qt.Corner.BottomLeftCorner, LEFT)
        window.setCorner(Qt.Corner.BottomRightCorner, BOTTOM)
        self.types = self._make("Types", LEFT)
        self.outline = self._make("Outline", LEFT)
        self.preview = self._make("Preview", RIGHT)
        self.page = self._make("Type", RIGHT, self.preview)
        self.problems = self._make("Problems", BOTTOM)
        window.resizeDocks([self.types, self.preview], list(_SIDES), Qt.Orientation.Horizontal)
        self.search = self._make("Search", BOTTOM, self.problems)
        self.graph = self._make("Graph", BOTTOM, self.problems)
        self.parameters = self._make("Parameters", BOTTOM, self.problems)
        self.comparison = self._make("Comparison", BOTTOM, self.problems)
        self.explanation = self._make("Explanation", RIGHT, self.page)
        self.files = self._make("Files", LEFT, self.types)
        self.cloud = self._make("Cloud", LEFT, self.types)
        self.heat = self._make("Heat", BOTTOM, self.problems)
        for dock in (self.problems, self.preview, self.types):
            dock.raise_()
        self.graph.visibilityChanged.connect(self._hide_left_over_tabs)

    def command_handlers(self) -> Mapping[str, Callable[[], object]]:
        """Return the handlers of the panes' commands."""
        return {
            "left": lambda: self.fold(LEFT),
            "right": lambda: self.fold(RIGHT),
            "bottom": lambda: self.fold(BOTTOM),
            "only-text": self.fold_all,
            "preview": self.preview.reveal,
            "show-preview": self.preview.reveal,
            "show-types": self.types.reveal,
            "show-files": self.files.reveal,
            "find-in-files": self.search.reveal,
            "show-outline": self.outline.reveal,
            "show-problems": self.problems.reveal,
            "show-type-page": self.page.reveal,
        }

    def follow_width(self, event: QResizeEvent, *, remembered: bool) -> None:
        """Resize the side panes with the window unless the user chose their widths.

        `remembered` means that a new window restored the widths of the last session.
        """
        before, now = event.oldSize().width(), event.size().width()
        is_new = before < 0
        if is_new and not remembered:
            height = min(_HEIGHT, round(event.size().height() * _MOST_HEIGHT))
            self._window.resizeDocks([self.problems], [height], Qt.Orientation.Vertical)
        widths = {}
        for dock, share in zip((self.types, self.preview), _SHARES, strict=True):
            usual = self._usual_width(dock, now if is_new else before)
            if (remembered or not is_new) and abs(dock.width() - usual) > _ROUNDED:
                widths[dock] = min(dock.width(), round(now * (_CHOSEN_SHARE if is_new else share)))
            else:
                widths[dock] = self._usual_width(dock, now)
        widths = {dock: width for dock, width in widths.items() if not dock.isHidden()}
        if any(dock.width() != width for dock, width in widths.items()):
            self._window.resizeDocks(list(widths), list(widths.values()), Qt.Orientation.Horizontal)

    def _usual_width(self, dock: Dock, width: int) -> int:
        """Return the default width of a side pane for a window width."""
        at = int(dock is self.preview)
        wide = min(width * _SHARES[at], _SIDES[at] + max(width - _USUAL, 0) * _GROWTH, _WIDEST)
        return max(round(wide), dock.minimumSizeHint().width())

    def _make(self, title: str, area: Qt.DockWidgetArea, beside: Dock | None = None) -> Dock:
        return self.add(Dock(title, self._appearance, self._window), area, beside)

    def _hide_left_over_tabs(self) -> None:
        """Hide the tab bars that Qt leaves behind when a third dock joins two tabs."""
        bars: dict[str, QTabBar] = {}
        direct = Qt.FindChildOption.FindDirectChildrenOnly
        if not isValid(self._window):
            return
        for bar in filter(isValid, self._window.findChildren(QTabBar, options=direct)):
            older = bars.get(bar.tabText(0))
            if older is not None:
                older.hide()
            bars[bar.tabText(0)] = bar
