"""The pane with the dependency graph."""

from collections import Counter
from collections.abc import Container, Iterable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QMargins, Qt, Signal
from PySide6.QtGui import QBrush, QGuiApplication
from PySide6.QtWidgets import QFileDialog, QToolButton
from shiboken6 import isValid

from heatstudio.analysis import Analysis
from heatstudio.analysis.resource_graph import ResourceGraph, place_of, written_names
from heatstudio.service.engine import Engine
from heatstudio.service.workspace.job import Job
from heatstudio.text import counted
from heatstudio.text.markup import Html
from heatstudio.ui.documents.document import Document
from heatstudio.ui.graph.export import Exporter, mermaid
from heatstudio.ui.graph.graph_layout import GraphLayout
from heatstudio.ui.graph.graph_tree import EVERYTHING, graph_tree, lay_out_tree
from heatstudio.ui.graph.items import service_color, service_names
from heatstudio.ui.graph.scene import NOT_DRAWN, GraphScene
from heatstudio.ui.graph.view import STEP, GraphPlace, GraphView
from heatstudio.ui.widgets import EDGE, Appearance, Color, ElidedLabel, EmptyState, Flow, plain, tool_button
from heatstudio.ui.widgets.html_label import HtmlLabel
from heatstudio.ui.workspace.document_panel import DocumentPanel
from heatstudio.ui.workspace.session import Session
from heatstudio.update.plan.update_plan import Refusal

_LINES = {
    "reference": ("\N{BOX DRAWINGS LIGHT HORIZONTAL}", "reference"),
    "depends_on": ("\N{BOX DRAWINGS LIGHT DOUBLE DASH HORIZONTAL}", "depends_on"),
    "implicit": ("\N{BOX DRAWINGS LIGHT QUADRUPLE DASH HORIZONTAL}", "implied by the resource types"),
}
"""The sign and the meaning of each kind of line in the legend."""
_EMPTY = ("Resources and their dependencies appear here", "Add a resource to the template (Ctrl+Shift+I inserts one).")
_FILES = "SVG image (*.svg);;PNG image (*.png)"


class GraphPane(DocumentPanel):
    """The pane of the graph, which follows the cursor and moves it; a thread computes the graph while it is visible."""

    nested_location_requested = Signal(str, str)
    """The file of a nested template, and the name of a resource in it, whose text is to be shown."""
    link_requested = Signal(str, str)
    """A resource of the template, and the one that is to refer to it; empty for any."""
    type_dropped = Signal(str)
    """A resource type to insert after the selected resource."""
    selected = Signal(str)
    """The name of the resource of the template that the user selected, or that has the selected one."""

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__("Graph", EmptyState(appearance, "graph", *_EMPTY), session)
        self._appearance = appearance
        self._asked: Analysis | None = None
        self._offset = 0
        self._wanted_copy = ""
        self.scene = GraphScene(appearance, self)
        self.view = GraphView(self.scene)
        self.exporter = Exporter(session.jobs, appearance, self)
        self.exporter.exported.connect(self._announce_export)
        self._opened: dict[Document, Container[str]] = {}
        self._places: dict[Document, GraphPlace | None] = {}
        self.only_changed = self._make_filter("Changes", "Show only what the update changes", Color.UPDATED)
        words = "Show only replacements and their dependents"
        self.only_grave = self._make_filter("Replacements", words, Color.REPLACED)
        self.open_all = QToolButton()
        self.counts = ElidedLabel()
        self.legend = HtmlLabel()
        self.legend.setContentsMargins(EDGE, 0, EDGE, 4)
        self.legend.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.legend.setFixedHeight(self.legend.fontMetrics().height() + 4)  # entries without space are left out
        self.set_content(self._make_bar(), self.legend, self.view)
        self.lead_to(self.view)
        self.view.opened.connect(self._ask_for_text)
        self.view.link_requested.connect(self._link)
        self.view.type_dropped.connect(self._insert)
        self.scene.selected.connect(lambda name: self.selected.emit(self._outermost(name)))
        self.scene.toggled.connect(self._toggle)
        session.document_closed.connect(self._forget)
        appearance.theme_changed.connect(self._restyle)
        self._restyle()

    def follow_caret(self, offset: int) -> None:
        """Select the resource at the cursor without moving the focus."""
        self._offset = offset
        analysis, chosen = self.analysis, self.scene.chosen()
        if analysis is None or not self.isVisible() or (self.view.hasFocus() and chosen is not None):
            return
        path = analysis.template.path_at(analysis.template.key_offset(offset)).path
        inside = len(path) > 1 and path[0] == analysis.template.dialect.resources
        name = str(path[1]) if inside else None
        place = self.scene.graph.shown_as.get(place_of(name), place_of(name)) if name else None
        if chosen is None or (chosen != place and self._outermost(chosen) != name):
            self.view.choose(place)

    def ask_and_export(self) -> None:
        """Ask for a file and export the graph to it."""
        name, _ = QFileDialog.getSaveFileName(self, "Export graph", "graph.svg", _FILES)
        if name:
            self.exporter.export(self.scene, Path(name))

    def copy(self, kind: str) -> None:
        """Copy the graph to the clipboard as `image`, `svg` or `mermaid`, as soon as it is drawn."""
        if self.scene.graph is NOT_DRAWN:
            self._wanted_copy = kind
        elif kind == "mermaid":
            verdicts = {name: card.verdict for name, card in self.scene.cards.items()}
            words = {name: found.tail[0] for name, found in verdicts.items() if found is not None and found.is_change}
            QGuiApplication.clipboard().setText(mermaid(self.scene.graph, words))
        else:
            self.exporter.copy(self.scene, as_svg=kind == "svg")

    def _announce_export(self, path: Path, written: bool) -> None:
        if not written:
            self.counts.setText(f"Cannot write {path.name}. Choose another folder.")

    def refresh(self) -> None:
        """Request the graph of the last analyzed template, unless the pane is hidden."""
        analysis = self.analysis
        if analysis is None or analysis.stack is None:
            self._asked = None
            self.show_nothing(*_EMPTY)
        elif self.isVisible() and analysis is not self._asked:
            self._asked = analysis
            self.empty.say(_EMPTY[0], "Drawing the graph…")
            self._draw(analysis)

    def _draw(self, analysis: Analysis) -> None:
        known, layout = self.scene.graph, self.scene.layout_of_graph
        opened = self._opened.get(self._document, ()) if self._document is not None else ()

        def work(_engine: Engine, _job: Job) -> tuple[ResourceGraph, GraphLayout]:
            graph = graph_tree(analysis, opened).clustered(opened).readable()
            is_drawn = known is not NOT_DRAWN
            same = is_drawn and known.needs == graph.needs and _frames(known) == _frames(graph)
            return graph, layout if same else lay_out_tree(graph)

        self._session.run("Drawing the graph", work, partial(self._show, analysis))

    def _show(self, analysis: Analysis, drawn: tuple[ResourceGraph, GraphLayout]) -> None:
        if not isValid(self) or analysis is not self._asked:
            return
        graph, layout = drawn
        is_new = layout is not self.scene.layout_of_graph
        if is_new or graph != self.scene.graph:
            self.scene.show_graph(graph, layout)
        if self._document is not None:
            self._opened[self._document] = _opened(graph)
        self._show_owners(graph)
        self._show_legend()
        self._show_plan()
        self.empty.say(*_EMPTY)
        self.set_filled(bool(graph.nodes))
        if self._document is not None and self._document in self._places:
            self.view.go_to(self._places.pop(self._document))
        elif is_new:
            self.view.refit()
        self.follow_caret(self._offset)
        wanted, self._wanted_copy = self._wanted_copy, ""
        if wanted:
            self.copy(wanted)

    def _show_plan(self) -> None:
        plan = self.state.plan if self.state is not None else None
        broken = self._broken(plan.refusals) if plan is not None else ()
        is_partial = broken is None or bool(broken)
        self.scene.show_plan(plan, broken)
        altered, grave = self.scene.altered(), self.scene.grave()
        self.only_changed.setEnabled(bool(altered))
        self.only_grave.setEnabled(bool(grave))
        shown = grave if self.only_grave.isChecked() else altered if self.only_changed.isChecked() else None
        self.scene.show_only(shown or None)
        graph = self.scene.graph
        lines, circular = len(graph.edges) + graph.merged, sum(edge.in_circle for edge in graph.edges)
        cards = sum(len(card.node.covers) or 1 for card in self.scene.cards.values())
        words = [counted(cards, "resource"), counted(lines, "dependency", "dependencies")]
        words += [f"{circular} of them in a cycle"] * bool(circular)
        words += [f"{graph.left_out} more implied by types (not shown)"] * bool(graph.left_out)
        hidden = len(self.scene.uncertain)
        words += [f"fix the errors to see {hidden or 'the'} outcomes"] * is_partial
        self.counts.setText(" · ".join(words))

    def _broken(self, errors: Iterable[Refusal]) -> set[str] | None:
        """Return the resources with errors; None if an error elsewhere, except in outputs, may concern any outcome."""
        analysis, names = self.analysis, set[str]()
        for error in errors:
            if analysis is None or error.span is None:
                return None
            words = analysis.template.dialect
            path = analysis.template.path_at(analysis.template.key_offset(error.span.start)).path
            if path[:1] == (words.resources,) and len(path) > 1:
                names.add(str(path[1]))
            elif path[:1] != (words.outputs,):
                return None
        return names

    def _show_legend(self) -> None:
        """Show the legend: services by number of resources, then kinds of lines."""
        graph, theme = self.scene.graph, self._appearance.theme
        counts = Counter(node.service for node in graph.nodes.values() for _ in node.covers or (node,))
        names, kinds = service_names(), {edge.kind.value for edge in graph.edges}
        services = [(f"{names.get(one, 'other')} {n:,}", service_color(one)) for one, n in counts.most_common()]
        entries = [("\N{BLACK SQUARE}", words, color) for words, color in services]
        entries += [(_LINES[kind][0] * 3, _LINES[kind][1], Color.MUTED) for kind in _LINES if kind in kinds]
        words = f"Legend: {', '.join(words for _, words, _ in entries)}"
        self.legend.setAccessibleName(words)
        self.legend.setToolTip(plain(words))
        entry = Html("<nobr><font color={}>{}</font> {}</nobr>")
        shown = (entry.fill(theme.value(color), sign, words) for sign, words, color in entries)
        self.legend.set_html(Html(" &nbsp; ").join(shown))

    def _show_owners(self, graph: ResourceGraph) -> None:
        nodes = graph.nodes.values()
        any_open = bool(_opened(graph))
        self.open_all.setVisible(any_open or any(node.owns_stack for node in nodes))
        self.open_all.setText("Collapse all" if any_open else "Expand all")
        name = "Collapse all groups and nested stacks" if any_open else "Expand all groups and nested stacks"
        self.open_all.setAccessibleName(name)
        self.open_all.setToolTip(plain(f"{name}; Space toggles the selected one"))

    def _toggle(self, name: str) -> None:
        self._open(_opened(self.scene.graph) ^ {name})

    def _toggle_all(self) -> None:
        self._open(set() if _opened(self.scene.graph) else EVERYTHING)

    def _open(self, opened: Container[str]) -> None:
        """Redraw the graph with the given nested stacks open."""
        if self._document is not None:
            self._opened[self._document] = opened
            self._asked = None
            self.refresh()

    def _forget(self, document: Document) -> None:
        self._opened.pop(document, None)
        self._places.pop(document, None)

    def _follow(self, document: Document | None) -> None:
        """Keep the place of the graph of the document that is left."""
        if self._document in self._session.documents and self._document is not document:
            self._places.setdefault(self._document, self.view.place)
            if document is not None:
                self._places.setdefault(document, None)
        super()._follow(document)

    def _link(self, target: str, owner: str) -> None:
        nodes = [self.scene.cards[name].node for name in (target, owner) if name]
        if any(node.owner or node.covers for node in nodes):
            self._session.show_message("Only resources of this template, with cards of their own, can be connected.")
        else:
            self.link_requested.emit(nodes[0].label, nodes[-1].label if owner else "")

    def _insert(self, type_name: str, name: str) -> None:
        if name:
            self.selected.emit(self._outermost(name))
        self.type_dropped.emit(type_name)

    def _ask_for_text(self, name: str) -> None:
        node = self.scene.cards[name].node
        if node.file:
            self.nested_location_requested.emit(node.file, node.label)
        else:
            self.selected.emit(self._outermost(name))
            self.text_requested.emit()

    def _outermost(self, name: str) -> str:
        """Return the resource of the template itself that is or contains a resource."""
        node = self.scene.cards[name].node
        return written_names(node.covers[0])[0] if node.covers else node.names[0]

    def _filter(self) -> None:
        self._show_plan()
        self.view.fit()

    def _make_filter(self, text: str, words: str, color: Color) -> QToolButton:
        button = tool_button(self._appearance, "filter", words, color=color)
        button.setText(text)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setCheckable(True)
        button.toggled.connect(self._filter)
        return button

    def _make_bar(self) -> Flow:
        self.counts.setAccessibleDescription("Graph size")
        self.counts.setMinimumHeight(self.only_changed.sizeHint().height())  # on one line with the buttons
        self.open_all.setAutoRaise(True)
        self.open_all.setVisible(False)
        self.open_all.clicked.connect(self._toggle_all)
        bar = Flow("Graph", QMargins(EDGE, 4, EDGE, 4), 2)
        for widget in (self.counts, self.open_all, self.only_changed, self.only_grave):
            bar.add(widget)
        for text, name, slot in (
            ("\N{MINUS SIGN}", "Zoom out (-)", lambda: self.view.zoom_by(1 / STEP)),
            ("Fit", "Fit graph to window (0)", self.view.fit),
            ("+", "Zoom in (+)", lambda: self.view.zoom_by(STEP)),
        ):
            button = tool_button(self._appearance, "graph", name)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
            button.setText(text)
            button.clicked.connect(slot)
            bar.add(button)
        export = tool_button(self._appearance, "file-save", "Export graph as image", self.ask_and_export)
        bar.add(export)
        return bar

    def _restyle(self) -> None:
        self.view.setBackgroundBrush(QBrush(self._appearance.theme.color(Color.EDITOR_GROUND)))
        self._show_legend()

    def _follow_plan(self, document: Document) -> None:
        if document is self._document:
            self._show_plan()


def _opened(graph: ResourceGraph) -> set[str]:
    """Return the open nested stacks and groups of resources."""
    return {name for name, node in graph.nodes.items() if node.is_open} | graph.unfolded


def _frames(graph: ResourceGraph) -> list[tuple[str, bool]]:
    return [(name, node.is_open) for name, node in graph.nodes.items()]
