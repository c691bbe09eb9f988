"""The focus order of Tab, and of F6 between the parts of the window."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QMainWindow, QScrollArea, QTabWidget, QWidget

from heatstudio.ui.commands.editor_area import EditorArea
from heatstudio.ui.window.sides import Sides


class WindowPart(NamedTuple):
    """A part of the window: the target of F6, and its focusable widgets in order."""

    home: QWidget
    stops: Sequence[QWidget]


class FocusOrder:
    """The focus order: panes on the left, banner, text, panes on the right and below, status bar.

    Qt's default is the order of creation, and includes panes behind other tabs.
    """

    def __init__(self, window: QMainWindow, sides: Sides, area: EditorArea) -> None:
        self._window = window
        self._rows = sides.rows
        self._area = area

    def step(self, *, forward: bool) -> bool:
        """Focus the next widget, cyclically; False if there is none."""
        parts = self.parts()
        stops = [stop for part in parts for stop in part.stops]
        if not stops:
            return False
        at = self._place(parts, forward=forward)
        reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
        _give_focus(stops[(at + (1 if forward else -1)) % len(stops)], reason)
        return True

    def step_part(self, *, forward: bool) -> None:
        """Focus the main widget of the next part."""
        parts = self.parts()
        focus = QApplication.focusWidget()
        here = next((at for at, part in enumerate(parts) if focus is not None and _is_in(focus, part)), -1)
        if parts:
            part = parts[(here + (1 if forward else -1)) % len(parts)]
            _give_focus(_home_in(part), Qt.FocusReason.TabFocusReason)

    def _place(self, parts: Sequence[WindowPart], *, forward: bool) -> int:
        """Return the index of the focus among all stops; other widgets count as before or after their part's stops."""
        focus, before = QApplication.focusWidget(), 0
        for part in parts:
            if focus in part.stops:
                return before + part.stops.index(focus)
            if focus is not None and _is_in(focus, part):
                return before - 1 if forward else before + len(part.stops)
            before += len(part.stops)
        return -1 if forward else 0

    def parts(self) -> list[WindowPart]:
        """Return the visible parts with focusable widgets."""
        chain = list(self._chain())
        upper_left, lower_left, right, bottom = (
            WindowPart(row.page if row.is_open else row.strip, [row.strip, *_inside(row.page, chain)])
            for row in self._rows.values()
        )
        banner = WindowPart(self._area.banner, self._area.banner.stops)
        status = WindowPart(self._window.statusBar(), _inside(self._window.statusBar(), chain))
        parts = [upper_left, lower_left, banner, self._text_part(chain), right, bottom, status]
        placed = [*(stop for part in parts for stop in part.stops), *self._rows.values(), self._area.banner]
        floating = [one for one in chain if not any(place is one or place.isAncestorOf(one) for place in placed)]
        return [part for part in (*parts, WindowPart(self._window, floating)) if part.stops]

    def _text_part(self, chain: Sequence[QWidget]) -> WindowPart:
        """Return the part of the text; the editor is last, since it handles Tab itself."""
        stops = [one for one in _inside(self._area, chain) if not self._area.banner.isAncestorOf(one)]
        editor = self._area.editor
        return WindowPart(self._area, sorted(stops, key=lambda one: editor is not None and one is editor.editor))

    def _chain(self) -> Iterator[QWidget]:
        """Yield the visible widgets that Tab can focus, in the order of the widget tree.

        Qt's focus chain is not used: PySide makes the result of `nextInFocusChain` a child of the widget that was
        asked, and considers it deleted with that widget.
        """
        for widget in self._window.findChildren(QWidget):
            takes = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
            if takes and widget.isVisible() and widget.isEnabled() and not _passes_focus_on(widget):
                yield widget


def _passes_focus_on(widget: QWidget) -> bool:
    """Return whether Qt passes the widget's focus on to its tab bar, or to the view of which it is the viewport."""
    parent = widget.parentWidget()
    return isinstance(widget, QTabWidget) or (isinstance(parent, QAbstractScrollArea) and parent.viewport() is widget)


def _home_in(part: WindowPart) -> QWidget:
    """Return the main widget of a part if it is visible, else its first stop."""
    home = part.home
    while (proxy := home.focusProxy()) is not None:
        home = proxy
    return home if home is not part.home and home.isVisible() and home.isEnabled() else part.stops[0]


def _inside(container: QWidget, chain: Sequence[QWidget]) -> list[QWidget]:
    return [widget for widget in chain if container.isAncestorOf(widget)]


def _is_in(focus: QWidget, part: WindowPart) -> bool:
    return focus in part.stops or focus is part.home or part.home.isAncestorOf(focus)


def _give_focus(widget: QWidget, reason: Qt.FocusReason) -> None:
    """Focus a widget and scroll it into view."""
    widget.setFocus(reason)
    above = widget.parentWidget()
    while above is not None:
        if isinstance(above, QScrollArea):
            above.ensureWidgetVisible(widget)
        above = above.parentWidget()
