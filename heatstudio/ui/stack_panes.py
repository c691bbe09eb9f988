"""The panes that speak of the whole stack: its graph, its parameters, and the page of a problem."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTabBar
from shiboken6 import isValid

from heatstudio.ui.appearance import Appearance
from heatstudio.ui.dock import Dock, Docks
from heatstudio.ui.dock_room import DockRoom
from heatstudio.ui.marks import change_marks_of
from heatstudio.ui.session import Session

if TYPE_CHECKING:  # the panes are imported after the first paint
    from heatstudio.ui.editor.compare import ComparePane
    from heatstudio.ui.explain import ExplainPane
    from heatstudio.ui.graph import GraphPane
    from heatstudio.ui.navigation import Navigation
    from heatstudio.ui.parameters import ParametersPane
    from heatstudio.ui.problems import ProblemsPane

_RIGHT, _BOTTOM = Qt.DockWidgetArea.RightDockWidgetArea, Qt.DockWidgetArea.BottomDockWidgetArea
_SHARE = 0.5
"""The share of the height of the window that a pane takes where a list would need less."""


class StackPanes:
    """Places their docks as tabs beside others, fills them, and joins them to the text."""

    graph: GraphPane
    parameters: ParametersPane
    explain: ExplainPane
    compare: ComparePane

    def __init__(self, docks: Docks, make: Callable[[str], Dock], problems: Dock, page: Dock) -> None:
        self.graph_dock = docks.add(make("Graph"), _BOTTOM, beside=problems)
        self.parameters_dock = docks.add(make("Parameters"), _BOTTOM, beside=problems)
        self.compare_dock = docks.add(make("Comparison"), _BOTTOM, beside=problems)
        high = (self.graph_dock, self.parameters_dock, self.compare_dock)
        self._rooms = {dock: DockRoom(dock, _SHARE) for dock in high}
        self.explain_dock = docks.add(make("Explanation"), _RIGHT, beside=page)
        self.graph_dock.visibilityChanged.connect(self._hide_left_over_tabs)
        self._navigation: Navigation | None = None
        self._problems: ProblemsPane | None = None

    def furnish(self, session: Session, appearance: Appearance, navigation: Navigation, problems: ProblemsPane) -> None:
        """Makes the panes."""
        from heatstudio.ui.editor.compare import ComparePane
        from heatstudio.ui.explain import ExplainPane
        from heatstudio.ui.graph import GraphPane
        from heatstudio.ui.parameters import ParametersPane

        self._navigation = navigation
        self._problems = problems
        self.graph = GraphPane(session, appearance)
        self.parameters = ParametersPane(session, appearance)
        self.explain = ExplainPane(appearance)
        self.compare = ComparePane(session, appearance, change_marks_of)
        self.compare_dock.fill(self.compare)
        self.compare.location_requested.connect(navigation.go_to)
        self.graph_dock.fill(self.graph)
        self.parameters_dock.fill(self.parameters)
        self.explain_dock.fill(self.explain)
        self.graph.location_requested.connect(navigation.go_to_resource)
        self.graph.selected.connect(self._follow_graph)
        problems.explain_requested.connect(self.show_page)

    def follow_caret(self, offset: int) -> None:
        """Selects what the caret is in."""
        if self._navigation is not None:
            self.graph.follow_caret(offset)
            self.compare.follow_caret(offset)

    def slots(self) -> Mapping[str, Callable[[], object]]:
        """What the commands of these panes do."""
        return {
            "show-graph": lambda: self._reveal(self.graph_dock),
            "show-parameters": lambda: self._reveal(self.parameters_dock),
            "export-graph": self._export_graph,
            "compare-text": lambda: self._reveal(self.compare_dock),
            "next-change": lambda: self._go_to_change(1),
            "previous-change": lambda: self._go_to_change(-1),
            "explain": self.explain_problem,
        }

    def explain_problem(self) -> None:
        """Shows the page of the problem at the caret, or of the one that is selected in the list."""
        diagnostic = self._navigation.problem_at_caret() if self._navigation is not None else None
        if diagnostic is not None:
            self.show_page(diagnostic.code)
        elif self._problems is not None:
            self._problems.explain_selected()
            self._show(self.explain_dock)

    def show_page(self, code: str) -> None:
        """Shows the page of a code."""
        self.explain.show_code(code)
        self._show(self.explain_dock)

    def show_comparison(self) -> None:
        """Brings both texts into sight; the focus stays where it is."""
        self._show(self.compare_dock)
        self._rooms[self.compare_dock].take()

    def _reveal(self, dock: Dock) -> None:
        """A picture, a form and two texts need more height than a list: the panes below grow, and shrink again."""
        dock.reveal()
        if dock.isVisible():
            self._rooms[dock].take()

    def _go_to_change(self, step: int) -> None:
        """The first time the comparison opens at the change that is nearest."""
        if self.compare.isVisible():
            self.compare.go_to_change(step)
        else:
            self.show_comparison()

    def _hide_left_over_tabs(self) -> None:
        """Qt makes a new bar when a third dock joins two, and forgets to hide the old one."""
        bars: dict[str, QTabBar] = {}
        direct = Qt.FindChildOption.FindDirectChildrenOnly
        if not isValid(self.graph_dock):
            return
        for bar in filter(isValid, self.graph_dock.window().findChildren(QTabBar, options=direct)):
            older = bars.get(bar.tabText(0))
            if older is not None:
                older.hide()
            bars[bar.tabText(0)] = bar

    def _export_graph(self) -> None:
        self._show(self.graph_dock)
        self.graph.ask_and_export()

    def _show(self, dock: Dock) -> None:
        dock.show()
        dock.raise_()

    def _follow_graph(self, name: str) -> None:
        """Lets the caret follow, but leaves the focus in the graph."""
        if self._navigation is not None:
            self._navigation.go_to_resource(name)
            self.graph.view.setFocus()
