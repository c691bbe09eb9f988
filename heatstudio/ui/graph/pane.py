"""The dependency graph below or beside the editor."""

from __future__ import annotations

from collections.abc import Container
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QBrush
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QToolButton
from shiboken6 import isValid

from heatstudio.analysis import Analysis
from heatstudio.analysis.resource_graph import ResourceGraph, place_of
from heatstudio.service.engine import Engine
from heatstudio.text import counted
from heatstudio.ui.documents.document import Document
from heatstudio.ui.graph.export import Exporter
from heatstudio.ui.graph.graph_layout import GraphLayout
from heatstudio.ui.graph.graph_tree import EVERYTHING, graph_tree, lay_out_tree
from heatstudio.ui.graph.legend import Legend
from heatstudio.ui.graph.scene import GraphScene
from heatstudio.ui.graph.view import STEP, GraphView
from heatstudio.ui.tasks.analysis_scheduler import Work
from heatstudio.ui.tasks.jobs import Finish, Job
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.widgets.layouts import in_row
from heatstudio.ui.widgets.panel import EDGE, GAP, LARGE, EmptyState, Panel, tool_button
from heatstudio.ui.widgets.plain_text import PlainLabel, plain
from heatstudio.ui.widgets.theme import Color
from heatstudio.ui.workspace.session import Session

_EMPTY = (
    "Resources and their dependencies appear here",
    "Add a resource to the template (Ctrl+Shift+I inserts one).",
)
_FILES = "SVG picture (*.svg);;PNG picture (*.png)"


class GraphPane(Panel):
    """Follows the caret and leads it; the picture is made by the thread that thinks, while the pane is in sight."""

    location_requested = Signal(str)
    """The name of a resource whose text is asked for, with the focus."""
    nested_location_requested = Signal(str, str)
    """A nested template and the name of a resource in it, whose text is asked for."""
    selected = Signal(str)
    """The name of a resource that the user walked to; the caret may follow."""

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__("Graph", EmptyState(appearance, "graph", *_EMPTY))
        self._session = session
        self._appearance = appearance
        self._document: Document | None = None
        self._asked: Analysis | None = None
        self._offset = 0
        self.scene = GraphScene(appearance, self)
        self.view = GraphView(self.scene)
        self.exporter = Exporter(session.jobs, appearance, self)
        self.exporter.exported.connect(self._tell_of_export)
        self._opened: dict[Document, Container[str]] = {}
        self.only_grave = QToolButton()
        self.open_all = QToolButton()
        self.counts = PlainLabel()
        self.legend = Legend(appearance)
        self.set_content(self._make_bar(), self.view)
        self.lead_to(self.view)
        self.view.opened.connect(self._ask_for_text)
        self.scene.selected.connect(lambda name: self.selected.emit(self._outermost(name)))
        self.scene.toggled.connect(self._toggle)
        session.document_closed.connect(self._forget)
        appearance.theme_changed.connect(self._dress)
        self._dress()
        session.current_changed.connect(self._follow)
        self.mark_outdated(session.freshness_changed, session.is_outdated)
        session.analysis_changed.connect(self._follow_analysis)
        session.plan_changed.connect(self._follow_plan)
        self._follow(session.current)

    def follow_caret(self, offset: int) -> None:
        """Selects the resource that the caret is in, without moving the focus."""
        self._offset = offset
        analysis = self._document.analysis if self._document is not None else None
        chosen = self.scene.chosen()
        if analysis is None or not self.is_shown or (self.view.hasFocus() and chosen is not None):
            return
        path = analysis.template.path_at(offset).path
        inside = len(path) > 1 and path[0] == analysis.template.dialect.resources
        name = str(path[1]) if inside else None
        if chosen is None or self._outermost(chosen) != name:
            self.view.choose(name and place_of(name))

    def ask_and_export(self) -> None:
        """Asks for a file and writes the picture."""
        name, _ = QFileDialog.getSaveFileName(self, "Export graph", "graph.svg", _FILES)
        if name:
            self.exporter.export(self.scene, Path(name))

    def _tell_of_export(self, path: Path, written: bool) -> None:
        if not written:
            self.counts.setText(f"Cannot write {path.name}.")

    def refresh(self) -> None:
        """Asks for the picture of the template as it was analyzed last, unless nobody would see it."""
        analysis = self._document.analysis if self._document is not None else None
        if analysis is None or analysis.stack is None:
            self._asked = None
            self.empty.say(*(LARGE if self._document is not None and self._document.is_large else _EMPTY))
            self.set_filled(False)
        elif self.is_shown and analysis is not self._asked:
            self._asked = analysis
            self.empty.say(_EMPTY[0], "Drawing the graph…")
            self._session.run("Drawing the graph", self._draw(analysis))

    def _draw(self, analysis: Analysis) -> Work:
        known, layout = self.scene.graph, self.scene.layout_of_graph
        opened = self._opened.get(self._document, ()) if self._document is not None else ()

        def work(_engine: Engine, _job: Job) -> Finish:
            graph = graph_tree(analysis, opened).readable()
            same = known is not None and known.needs == graph.needs and _frames(known) == _frames(graph)
            made = layout if same and layout is not None else lay_out_tree(graph)
            return lambda: self._show(analysis, graph, made)

        return work

    def _show(self, analysis: Analysis, graph: ResourceGraph, layout: GraphLayout) -> None:
        if not isValid(self) or analysis is not self._asked:
            return
        is_new = layout is not self.scene.layout_of_graph
        if is_new or graph != self.scene.graph:
            self.scene.show_graph(graph, layout)
        if self._document is not None:
            self._opened[self._document] = {name for name, node in graph.nodes.items() if node.is_open}
        self._show_owners(graph)
        self.legend.show_graph(graph)
        self._show_plan()
        self.empty.say(*_EMPTY)
        self.set_filled(bool(graph.nodes))
        if is_new:
            self.view.refit()
        self.follow_caret(self._offset)

    def _show_plan(self) -> None:
        self.scene.show_plan(self._document.plan if self._document is not None else None)
        grave = self.scene.grave()
        self.only_grave.setEnabled(bool(grave))
        self.scene.show_only(grave if self.only_grave.isChecked() and grave else None)
        graph = self.scene.graph
        circular = sum(edge.in_circle for edge in graph.edges) if graph is not None else 0
        cards, lines = len(self.scene.cards), len(self.scene.lines)
        words = [counted(cards, "resource"), counted(lines, "dependency", "dependencies")]
        words += [f"{circular} in a cycle"] * bool(circular)
        words += [f"{graph.left_out} more implied by types"] if graph is not None and graph.left_out else []
        self.counts.setText(" · ".join(words))

    def _show_owners(self, graph: ResourceGraph) -> None:
        nodes = graph.nodes.values()
        any_open = any(node.is_open for node in nodes)
        self.open_all.setVisible(any(node.owns_stack for node in nodes))
        self.open_all.setText("Collapse all" if any_open else "Expand all")
        name = "Collapse all nested stacks" if any_open else "Expand all nested stacks"
        self.open_all.setAccessibleName(name)
        self.open_all.setToolTip(plain(f"{name}; Space toggles the selected one"))

    def _toggle(self, name: str) -> None:
        graph = self.scene.graph
        if graph is not None:
            self._open({one for one, node in graph.nodes.items() if node.is_open} ^ {name})

    def _toggle_all(self) -> None:
        graph = self.scene.graph
        any_open = graph is not None and any(node.is_open for node in graph.nodes.values())
        self._open(set() if any_open else EVERYTHING)

    def _open(self, opened: Container[str]) -> None:
        """Draws the picture again with these nested stacks open."""
        if self._document is not None:
            self._opened[self._document] = opened
            self._asked = None
            self.refresh()

    def _forget(self, document: Document) -> None:
        self._opened.pop(document, None)

    def _ask_for_text(self, name: str) -> None:
        node = self.scene.cards[name].node
        if node.file:
            self.nested_location_requested.emit(node.file, node.label)
        else:
            self.location_requested.emit(self._outermost(name))

    def _outermost(self, name: str) -> str:
        """The resource of the template itself that a resource is inside of, or is."""
        return self.scene.cards[name].node.names[0]

    def _filter(self) -> None:
        self._show_plan()
        self.view.fit()

    def _make_bar(self) -> QHBoxLayout:
        self.counts.setAccessibleDescription("Graph size")
        self.only_grave = tool_button(
            self._appearance, "filter", "Show only replacements and their dependents", Color.REPLACED
        )
        self.only_grave.setText("Replacements and dependents")
        self.only_grave.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.only_grave.setCheckable(True)
        self.only_grave.toggled.connect(self._filter)
        self.open_all.setAutoRaise(True)
        self.open_all.setAccessibleName("Expand all nested stacks")
        self.open_all.setVisible(False)
        self.open_all.clicked.connect(self._toggle_all)
        bar = in_row(self.counts, self.legend, self.open_all, self.only_grave, edges=(EDGE, 4, EDGE, 4), gap=2)
        bar.setStretchFactor(self.legend, 1)
        bar.addSpacing(GAP)
        for text, name, slot in (
            ("\N{MINUS SIGN}", "Smaller (-)", lambda: self.view.zoom_by(1 / STEP)),
            ("Fit", "Everything (0)", self.view.fit),
            ("+", "Larger (+)", lambda: self.view.zoom_by(STEP)),
        ):
            button = tool_button(self._appearance, "graph", name)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
            button.setText(text)
            button.clicked.connect(slot)
            bar.addWidget(button)
        export = tool_button(self._appearance, "file-save", "Export graph as SVG or PNG")
        export.clicked.connect(self.ask_and_export)
        bar.addSpacing(GAP)
        bar.addWidget(export)
        return bar

    def _dress(self) -> None:
        self.view.setBackgroundBrush(QBrush(self._appearance.theme.color(Color.EDITOR_GROUND)))

    def _follow(self, document: Document | None) -> None:
        self._document = document
        self.refresh()

    def _follow_analysis(self, document: Document) -> None:
        if document is self._document:
            self.refresh()

    def _follow_plan(self, document: Document) -> None:
        if document is self._document and self.scene.graph is not None:
            self._show_plan()


def _frames(graph: ResourceGraph) -> list[tuple[str, bool]]:
    return [(name, node.is_open) for name, node in graph.nodes.items()]
