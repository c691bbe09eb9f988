"""The graph with nested stacks: a frame contains the resources of an expanded stack."""

from collections.abc import Container, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from heatstudio.analysis.analyze import Analysis
from heatstudio.analysis.resource_graph import INSIDE, GraphEdge, GraphNode, Members, ResourceGraph, resource_graph
from heatstudio.analysis.scope import ResourceScope, TemplateScope
from heatstudio.analysis.scope.inner_stack import InnerStack, inner_stack
from heatstudio.stack.definition.types import DEEPEST_NESTING, Origin
from heatstudio.stack.values.member_count import member_count
from heatstudio.ui.graph.graph_layout import GraphLayout, Measures, Size, lay_out

HEAD = 56.0
"""The height in pixels at the top of a frame for its owner."""
PAD = 16.0
MOST_NODES = 1_500
"""The number of nodes above which no nested stack is opened, as a larger graph is unreadable."""
WIDE = 3.0
"""The approximate ratio of width to height of the pane."""
_MANY = 300
"""The number of nodes above which the layout always goes down, as a second layout would take too long."""


class _Everything(Container[str]):
    def __contains__(self, _name: object) -> bool:
        return True


EVERYTHING = _Everything()
"""A container of all names, to open every nested stack at any depth."""


class _Growing(Struct):
    opened: Container[str]
    nodes: dict[str, GraphNode] = field(default_factory=dict)
    edges: list[GraphEdge] = field(default_factory=list)


def graph_tree(analysis: Analysis, opened: Container[str] = ()) -> ResourceGraph:
    """Return the graph of a template with the nested stacks of the owners in `opened`; edges stay within one stack."""
    scope = analysis.scope
    growing = _Growing(opened)
    _grow(growing, scope, "", "")
    return ResourceGraph(growing.nodes, tuple(growing.edges))


def _grow(growing: _Growing, scope: TemplateScope, above: str, file: str) -> None:
    graph = resource_graph(scope.stack, scope.types)
    inside: dict[str, InnerStack] = {}
    for name, node in graph.nodes.items():
        owner = _owner(scope, node.label)
        inner = inner_stack(owner) if owner is not None and scope.source.depth < DEEPEST_NESTING else None
        inner = None if inner is not None and inner.is_empty else inner
        place = f"{above}{name}"
        if inner is not None and place in growing.opened and len(growing.nodes) < MOST_NODES:
            inside[place] = inner
        owns, is_open, members = inner is not None, place in inside, _members(owner) if owner is not None else None
        growing.nodes[place] = replace(node, name=place, owns_stack=owns, is_open=is_open, file=file, members=members)
    for edge in graph.edges:
        growing.edges.append(replace(edge, source=f"{above}{edge.source}", target=f"{above}{edge.target}"))
    for place, inner in inside.items():
        path = scope.source.files.path(inner.file) if inner.file else None
        _grow(growing, inner.whole, f"{place}{INSIDE}", str(path or ""))


def _owner(scope: TemplateScope, name: str) -> ResourceScope | None:
    """Return the resource if it is enabled and its type may own a nested stack."""
    if scope.stack.is_enabled(name) is False:
        return None
    kind = scope.stack.resource_definition(name).type
    found = scope.types.find(kind, name) if kind else None
    if found is None or found.type is None:
        return None
    may_own = found.origin is Origin.TEMPLATE or scope.knowledge.update_behavior(found.type).members is not None
    return ResourceScope(scope, name) if may_own else None


def _members(owner: ResourceScope) -> Members | None:
    """Return the known facts about the members if the resource is a group that Heat creates."""
    if owner.found is None or owner.found.origin is Origin.TEMPLATE or owner.type is None or not owner.is_validated:
        return None
    rule = owner.member_rule
    if rule is None or rule.template:
        return None
    number = member_count(owner.properties, rule) if owner.properties is not None else None
    return Members(number, rule.scales, alike=bool(rule.definition))


def lay_out_tree(graph: ResourceGraph) -> GraphLayout:
    """Lay out a graph with frames: the contents of an open owner take its place, and other nodes move aside.

    The layout goes down or to the right, whichever fits the pane at a larger zoom.
    """
    inside: dict[str, list[str]] = {}
    for name, node in graph.nodes.items():
        inside.setdefault(node.owner, []).append(name)
    ways = (False, True) if len(graph.nodes) <= _MANY else (False,)
    whole = (_level("", graph, inside, is_sideways=sideways) for sideways in ways)
    return min(whole, key=lambda picture: max(picture.width / WIDE, picture.height))


def _level(owner: str, graph: ResourceGraph, inside: Mapping[str, list[str]], *, is_sideways: bool) -> GraphLayout:
    names = inside.get(owner, [])
    opened = (name for name in names if graph.nodes[name].is_open)
    inner = {name: _level(name, graph, inside, is_sideways=is_sideways) for name in opened}
    least = Measures().width
    own = {
        name: Size(max(least, picture.width + 2 * PAD), picture.height + HEAD + PAD) for name, picture in inner.items()
    }
    needs, measures = {name: graph.needs[name] for name in names}, Measures(own=own)
    whole = lay_out(needs, measures.turned()).turned() if is_sideways else lay_out(needs, measures)
    nodes, routes, sizes = dict(whole.nodes), dict(whole.routes), dict(own)
    for name, picture in inner.items():
        corner = whole.nodes[name]
        moved = picture.moved(corner.x + (own[name].width - picture.width) / 2, corner.y + HEAD)
        nodes |= moved.nodes
        routes |= moved.routes
        sizes |= moved.sizes
    return replace(whole, nodes=nodes, routes=routes, sizes=sizes)
