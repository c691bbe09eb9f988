"""The dependency graph below or beside the editor."""

from __future__ import annotations

from collections.abc import Container
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QBrush
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLabel, QToolButton
from shiboken6 import isValid

from heatstudio.ui.appearance import Appearance
from heatstudio.ui.document import Document
from heatstudio.ui.graph.export import Exporter
from heatstudio.ui.graph.scene import GraphScene
from heatstudio.ui.graph.view import STEP, GraphView
from heatstudio.ui.jobs import Finish, Job
from heatstudio.ui.panel import EDGE, GAP, LARGE, EmptyState, Panel, tool_button
from heatstudio.ui.session import Session
from heatstudio.ui.theme import Color
from heatstudio.ui.thinking import Work

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.analysis import Analysis
    from heatstudio.analysis.graph_layout import GraphLayout
    from heatstudio.analysis.resource_graph import ResourceGraph
    from heatstudio.ui.engine import Engine

_EMPTY = (
    "The resources and what they need appear here",
    "As soon as a template has a resource. What is needed stands above; Ctrl+Shift+I inserts one.",
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
        self.counts = QLabel()
        self.set_content(self._make_bar(), self.view)
        self.lead_to(self.view)
        self.view.opened.connect(self._ask_for_text)
        self.scene.selected.connect(lambda name: self.selected.emit(_outermost(name)))
        self.scene.toggled.connect(self._toggle)
        session.document_closed.connect(self._forget)
        appearance.theme_changed.connect(self._dress)
        self._dress()
        session.current_changed.connect(self._follow)
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
        if chosen is None or _outermost(chosen) != name:
            self.view.choose(name)

    def ask_and_export(self) -> None:
        """Asks for a file and writes the picture."""
        name, _ = QFileDialog.getSaveFileName(self, "Export the graph", "graph.svg", _FILES)
        if name:
            self.exporter.export(self.scene, Path(name))

    def _tell_of_export(self, path: Path, written: bool) -> None:
        if not written:
            self.counts.setText(f"{path.name} cannot be written.")

    def refresh(self) -> None:
        """Asks for the picture of the template as it was analyzed last, unless nobody would see it."""
        analysis = self._document.analysis if self._document is not None else None
        if analysis is None or analysis.stack is None:
            self._asked = None
            self.empty.say(*(LARGE if self._document is not None and self._document.is_large else _EMPTY))
            self.set_filled(False)
        elif self.is_shown and analysis is not self._asked:
            self._asked = analysis
            self.empty.say(_EMPTY[0], "They are being drawn.")
            self._session.run("Drawing the graph", self._draw(analysis))

    def _draw(self, analysis: Analysis) -> Work:
        known, layout = self.scene.graph, self.scene.layout_of_graph
        opened = self._opened.get(self._document, ()) if self._document is not None else ()

        def work(_engine: Engine, _job: Job) -> Finish:
            from heatstudio.analysis.graph_tree import graph_tree, lay_out_tree

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
        words = [f"{cards} resource{'' if cards == 1 else 's'}", f"{lines} dependenc{'y' if lines == 1 else 'ies'}"]
        words += [f"{circular} in a circle"] * bool(circular)
        words += [f"{graph.left_out} more by the habit of types"] if graph is not None and graph.left_out else []
        self.counts.setText(" · ".join(words))

    def _show_owners(self, graph: ResourceGraph) -> None:
        nodes = graph.nodes.values()
        any_open = any(node.is_open for node in nodes)
        self.open_all.setVisible(any(node.owns_stack for node in nodes))
        self.open_all.setText("Close all" if any_open else "Open all")
        name = "Close all nested stacks" if any_open else "Open all nested stacks"
        self.open_all.setAccessibleName(name)
        self.open_all.setToolTip(f"{name}; Space does it for the selected one")

    def _toggle(self, name: str) -> None:
        graph = self.scene.graph
        if graph is not None:
            self._open({one for one, node in graph.nodes.items() if node.is_open} ^ {name})

    def _toggle_all(self) -> None:
        from heatstudio.analysis.graph_tree import EVERYTHING

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
            self.location_requested.emit(_outermost(name))

    def _filter(self) -> None:
        self._show_plan()
        self.view.fit()

    def _make_bar(self) -> QHBoxLayout:
        bar = QHBoxLayout()
        bar.setContentsMargins(EDGE, 4, EDGE, 4)
        bar.setSpacing(2)
        self.counts.setAccessibleDescription("Size of the graph")
        self.only_grave = tool_button(
            self._appearance, "filter", "Only what is replaced, and what follows it", Color.REPLACED
        )
        self.only_grave.setText("Replaced and followers")
        self.only_grave.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.only_grave.setCheckable(True)
        self.only_grave.toggled.connect(self._filter)
        self.open_all.setAutoRaise(True)
        self.open_all.setAccessibleName("Open all nested stacks")
        self.open_all.setVisible(False)
        self.open_all.clicked.connect(self._toggle_all)
        bar.addWidget(self.counts)
        bar.addStretch(1)
        bar.addWidget(self.open_all)
        bar.addWidget(self.only_grave)
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
        export = tool_button(self._appearance, "file-save", "Export the graph as SVG or PNG")
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


def _outermost(name: str) -> str:
    """The resource of the template itself that a resource is inside of, or is."""
    return name.partition("/")[0]


def _frames(graph: ResourceGraph) -> list[tuple[str, bool]]:
    return [(name, node.is_open) for name, node in graph.nodes.items()]
