"""The graphics scene: cards, edges, the selection and the outcomes of an update."""

from collections.abc import Iterable, Iterator, Mapping
from operator import itemgetter

from msgspec import Struct
from PySide6.QtCore import QObject, QRectF, Qt, Signal
from PySide6.QtWidgets import QGraphicsScene

from heatstudio.analysis.resource_graph import INSIDE, GraphEdge, GraphNode, ResourceGraph, place_of, written_names
from heatstudio.ui.graph.graph_layout import GraphLayout
from heatstudio.ui.graph.items import FADED, Card, CardOutcome, EdgeLine, level_of, level_of_edge
from heatstudio.ui.widgets import Appearance, Color
from heatstudio.update.plan.outcome import GRAVE, Count, Outcome, count_outcomes, outcome_of
from heatstudio.update.plan.update_plan import ResourceChange, SubjectKind, UpdatePlan

MARGIN = 24
NOT_DRAWN = ResourceGraph()
"""The graph before the first one is shown."""


class SceneCopy(Struct, frozen=True, eq=False):
    """The content of the graph at one moment."""

    graph: ResourceGraph
    layout: GraphLayout
    verdicts: Mapping[str, CardOutcome | None]
    shown: frozenset[str] | None

    def __len__(self) -> int:
        """Return the number of cards and lines."""
        return len(self.graph.nodes) + len(self.graph.edges)

    def items(self, appearance: Appearance) -> Iterator[tuple[Card | EdgeLine, float]]:
        """Yield cards and lines outside of a scene with their opacity, from back to front, each created on demand."""
        made: list[tuple[float, GraphNode | GraphEdge]] = [
            *((level_of(node.name) + 1, node) for node in self.graph.nodes.values()),
            *((level_of_edge(edge), edge) for edge in self.graph.edges),
        ]
        for _, one in sorted(made, key=itemgetter(0)):
            item: Card | EdgeLine
            if isinstance(one, GraphEdge):
                ends: tuple[str, ...] = (one.source, one.target)
                item = line = EdgeLine(one, self.layout, appearance)
                outcome = _outcome_along(self.graph.nodes[one.target], self.verdicts.get(one.source))
                line.light(outcome, is_chosen=False)
            else:
                ends = (one.name,)
                item = card = _card(one, appearance, self.layout)
                card.show_verdict(self.verdicts.get(one.name))
            yield item, 1.0 if self.shown is None or self.shown.issuperset(ends) else FADED


class GraphScene(QGraphicsScene):
    """The scene of the graph; at most one card is selected, and its edges are highlighted."""

    selected = Signal(str)
    """The name of the resource selected by the user."""
    toggled = Signal(str)
    """The name of an owner whose nested stack is to be opened or closed."""
    choice_shown = Signal()
    """Emitted when the selection changes, by the user or the program."""

    def __init__(self, appearance: Appearance, parent: QObject) -> None:
        super().__init__(parent)
        self.setItemIndexMethod(QGraphicsScene.ItemIndexMethod.BspTreeIndex)
        self._appearance = appearance
        self.graph, self.layout_of_graph = NOT_DRAWN, GraphLayout()
        self.cards: dict[str, Card] = {}
        self.lines: list[EdgeLine] = []
        self.uncertain = frozenset[str]()
        """The resources whose outcome is unknown before errors are fixed."""
        self._shown: frozenset[str] | None = None
        self.selectionChanged.connect(self._show_choice)
        appearance.theme_changed.connect(self.update)

    def show_graph(self, graph: ResourceGraph, layout: GraphLayout) -> None:
        """Show a graph, and keep the selection."""
        chosen = self.chosen()
        self.blockSignals(True)
        self.clear()
        self.graph, self.layout_of_graph = graph, layout
        self.cards = {name: _card(node, self._appearance, layout) for name, node in graph.nodes.items()}
        for card in self.cards.values():
            self.addItem(card)
        self.lines = [EdgeLine(edge, layout, self._appearance) for edge in graph.edges]
        for line in self.lines:
            self.addItem(line)
        self.blockSignals(False)
        area = QRectF(0, 0, layout.width, layout.height).adjusted(-MARGIN, -MARGIN, MARGIN, MARGIN)
        self.setSceneRect(area.toAlignedRect())
        self.choose(chosen)
        self._fade()

    def copy(self) -> SceneCopy:
        """Return a copy of the current graph."""
        verdicts = {name: card.verdict for name, card in self.cards.items()}
        return SceneCopy(self.graph, self.layout_of_graph, verdicts, self._shown)

    def show_plan(self, plan: UpdatePlan | None, broken: Iterable[str] | None = ()) -> None:
        """Show the outcome of an update for each resource, except the broken ones and their dependents.

        None for the broken ones stands for all resources.
        """
        changes = dict(_changes(plan.changes, "")) if plan is not None else {}
        shown_as, places = self.graph.shown_as, [place_of(name) for name in broken or ()]
        self.uncertain = self.graph.followers(shown_as.get(one, one) for one in places)
        for name, card in self.cards.items():
            is_known = broken is not None and self.uncertain.isdisjoint((name, name.partition(INSIDE)[0]))
            found = [changes[one] for one in card.node.covers or (name,) if one in changes and is_known]
            verdict = _verdict_of_many(found) if card.node.covers else next(map(_verdict, found), None)
            if verdict != card.verdict:
                card.show_verdict(verdict)
        self._light()

    def altered(self) -> frozenset[str]:
        """Return the names of the cards that an update changes."""
        return frozenset(name for name, card in self.cards.items() if card.verdict and card.verdict.is_change)

    def grave(self) -> frozenset[str]:
        """Return the resources that an update replaces, deletes or cannot update, and their dependents and owners."""
        first = (name for name, card in self.cards.items() if card.verdict and card.verdict.is_grave)
        found = set(self.graph.followers(first))
        for name in tuple(found):
            while name := self.graph.nodes[name].owner:
                found.add(name)
        return frozenset(found)

    def show_only(self, names: frozenset[str] | None) -> None:
        """Fade all other resources; None shows everything."""
        if names != self._shown:
            self._shown = names
            self._fade()

    def shown_area(self) -> QRectF:
        """Return the area of the cards that are not faded."""
        area = QRectF()
        for name, card in self.cards.items():
            if self._shown is None or name in self._shown:
                area = area.united(card.head() if card.node.is_open and self._shown else card.sceneBoundingRect())
        return area.adjusted(-MARGIN, -MARGIN, MARGIN, MARGIN) if not area.isNull() else self.sceneRect()

    def chosen(self) -> str | None:
        """Return the selected resource, if any."""
        return next((item.node.name for item in self.selectedItems() if isinstance(item, Card)), None)

    def choose(self, name: str | None) -> None:
        """Select a resource, or none, without emitting `selected`."""
        if name == self.chosen():
            return
        self.blockSignals(True)
        self.clearSelection()
        if name is not None and name in self.cards:
            self.cards[name].setSelected(True)
        self.blockSignals(False)
        self._show_choice()

    def neighbors(self, key: Qt.Key) -> Iterator[str]:
        """Return the resources in the direction of an arrow key, the nearest first."""
        name = self.chosen()
        if name is None:
            return iter(())
        along, across = (Card.x, Card.y) if key in (Qt.Key.Key_Left, Qt.Key.Key_Right) else (Card.y, Card.x)
        card, owner = self.cards[name], self.graph.nodes[name].owner
        if (along is Card.x) is self.layout_of_graph.is_sideways:
            found = dict.fromkeys((*self.graph.needs[name], *self.graph.needed_by[name]))
        else:
            level = (other for other, node in self.graph.nodes.items() if node.owner == owner)
            found = dict.fromkeys(other for other in level if across(self.cards[other]) == across(card))
        sign = 1 if key in (Qt.Key.Key_Right, Qt.Key.Key_Down) else -1
        ahead = (other for other in found if (along(self.cards[other]) - along(card)) * sign > 0)

        def distance(other: str) -> tuple[float, float]:
            way = self.cards[other].pos() - card.pos()
            return abs(way.x()) + abs(way.y()), way.x()

        return iter(sorted(ahead, key=distance))

    def inside(self) -> str | None:
        """Return the first resource in the open nested stack of the selected one, if any."""
        chosen = self.chosen()
        return next((name for name, node in self.graph.nodes.items() if node.owner == chosen), None)

    def owner(self) -> str | None:
        """Return the owner of the nested stack with the selected resource, if any."""
        chosen = self.chosen()
        return (self.cards[chosen].node.owner or None) if chosen is not None else None

    def toggle(self, name: str | None) -> None:
        """Request to open or close the nested stack of a resource."""
        if name is not None and name in self.cards and self.cards[name].node.owns_stack:
            self.toggled.emit(name)

    def _show_choice(self) -> None:
        self._light()
        self.choice_shown.emit()

    def _light(self) -> None:
        chosen = self.chosen()
        for line in self.lines:
            source, target = self.cards[line.edge.source], self.cards[line.edge.target]
            outcome = _outcome_along(target.node, source.verdict)
            line.light(outcome, is_chosen=chosen in (source.node.name, target.node.name))

    def _fade(self) -> None:
        shown = self._shown
        for name, card in self.cards.items():
            card.setOpacity(1.0 if shown is None or name in shown else FADED)
        for line in self.lines:
            both = shown is None or (line.edge.source in shown and line.edge.target in shown)
            line.setOpacity(1.0 if both else FADED)


def _card(node: GraphNode, appearance: Appearance, layout: GraphLayout) -> Card:
    card = Card(node, appearance, layout.sizes.get(node.name))
    card.setPos(*layout.nodes[node.name])
    return card


def _changes(changes: Iterable[ResourceChange], above: str) -> Iterator[tuple[str, ResourceChange]]:
    """Yield the change of each resource, including nested ones, with its name in the graph."""
    for change in changes:
        place = f"{above}{place_of(change.name)}"
        yield place, change
        yield from _changes(change.members, f"{place}{INSIDE}")


def _outcome_along(target: GraphNode, verdict: CardOutcome | None) -> Color | None:
    """Return the color of an outcome that is caused by a dependency (`target`); None if it is not."""
    names = [written_names(name)[-1] for name in target.covers] or [target.label]
    return verdict.icon[1] if verdict is not None and not verdict.because.isdisjoint(names) else None


def _verdict(change: ResourceChange) -> CardOutcome:
    counts = count_outcomes((change,)) if change.members else {}
    grave = [outcome for outcome in GRAVE if counts and counts[outcome].inside]
    words = ", ".join(Count(0, counts[outcome].inside).words(outcome.word) for outcome in grave)
    subjects = [reason.subject for reason in change.because if reason.subject is not None]
    because = frozenset(one.name for one in subjects if one.kind is SubjectKind.RESOURCE)
    return CardOutcome(outcome_of(change), change.certain, (words, grave[0]) if grave else None, because)


def _verdict_of_many(changes: list[ResourceChange]) -> CardOutcome | None:
    """Return the most severe outcome of resources that share a card, and the number of resources with it."""
    if not changes:
        return None
    verdicts = list(map(_verdict, changes))
    outcome = min((verdict.outcome for verdict in verdicts), key=list(Outcome).index)
    certain = all(verdict.certain for verdict in verdicts if verdict.outcome is outcome)
    outcomes = [verdict.inside[1] if verdict.inside is not None else verdict.outcome for verdict in verdicts]
    gravest = min(outcomes, key=list(Outcome).index)
    because = frozenset[str]().union(*(verdict.because for verdict in verdicts))
    return CardOutcome(outcome, certain, (f"{outcomes.count(gravest)} {gravest.word}", gravest), because)
