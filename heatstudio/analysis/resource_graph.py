"""The dependency graph of the resources of a template."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from enum import StrEnum
from functools import cached_property

from msgspec import Struct, field
from msgspec.structs import replace

from heatstudio.stack.definition.dependency_graph import dependency_graph
from heatstudio.stack.definition.stack_definition import StackDefinition
from heatstudio.stack.definition.types import Types
from heatstudio.stack.groups.group_truth import at
from heatstudio.stack.order import circles
from heatstudio.template import TreePath
from heatstudio.text import checkpoint

MOST_EDGES = 3_000
"""The number of edges above which implied edges are left out."""
MOST_CARDS = 60
"""The number of resources above which resources of the same type share a card."""
LEAST_ALIKE = 4
"""The minimum number of resources of the same type that share a card."""
INSIDE = "/"
"""The separator between a resource and its nested resources; escaped in names with a slash, which Heat rejects."""


def place_of(name: str) -> str:
    """Return the name of a resource, escaped as a part of the name of a node."""
    return name.replace("~", "~0").replace(INSIDE, "~1") or "~2"


def written_names(place: str) -> list[str]:
    """Return the unescaped parts of the name of a node."""
    return [part.replace("~2", "").replace("~1", INSIDE).replace("~0", "~") for part in place.split(INSIDE)]


class EdgeKind(StrEnum):
    """The kinds of dependencies, the most explicit first."""

    REFERENCE = "reference"
    DEPENDS_ON = "depends_on"
    IMPLICIT = "implicit"


class Members(Struct, frozen=True):
    """The known facts about the members of a group."""

    number: int | None
    """The number of members at creation; None if unknown."""
    scales: bool = False
    """Whether scaling may change the number later."""
    alike: bool = True
    """Whether one member represents all of them in the graph."""


class GraphNode(Struct, frozen=True):
    """A resource, or a combined node for several resources of the same type."""

    name: str
    """The name of the resource, in nested stacks after the names of all owners."""
    type: str
    service: str = ""
    """The service that the type belongs to, such as `neutron`; empty for types of no service."""
    enabled: bool = True
    """False if a condition disables the resource."""
    owns_stack: bool = False
    """Whether the node can be expanded."""
    is_open: bool = False
    """Whether the graph contains the resources of the nested stack."""
    file: str = ""
    """The nested template that defines the resource; empty for the template itself, and for members of groups."""
    members: Members | None = None
    """The members of a group; None for any other resource."""
    covers: tuple[str, ...] = ()
    """The names of the nodes that a combined node represents; empty for a resource."""

    @property
    def names(self) -> list[str]:
        """The names of all owners and of the resource; for a combined node, the short name of the type."""
        return [self.type.rpartition("::")[2] or self.type] if self.covers else written_names(self.name)

    @property
    def label(self) -> str:
        """The name of the resource in its own stack."""
        return self.names[-1]

    @property
    def owner(self) -> str:
        """The node of the resource that owns the nested stack; empty at the top level."""
        return self.name.rpartition(INSIDE)[0]


class GraphEdge(Struct, frozen=True):
    """A dependency of one resource on another."""

    source: str
    target: str
    """The required resource."""
    kind: EdgeKind
    words: tuple[str, ...] = ()
    """The names of the functions that refer to the target, or `depends_on`."""
    paths: tuple[TreePath, ...] = ()
    """The paths of the references."""
    in_circle: bool = False


class ResourceGraph(Struct, frozen=True, dict=True):
    """All resources of a template in the order of the text, and all edges between them."""

    nodes: Mapping[str, GraphNode] = field(default_factory=dict)
    edges: tuple[GraphEdge, ...] = ()
    left_out: int = 0
    """The number of edges that were left out."""
    merged: int = 0
    """The number of dependencies without an edge of their own, because resources share a node."""
    unfolded: frozenset[str] = frozenset()
    """The names of the combined nodes that are expanded."""

    @cached_property
    def needs(self) -> dict[str, tuple[str, ...]]:
        """The required resources of each resource."""
        return _joined(self.nodes, ((edge.source, edge.target) for edge in self.edges))

    @cached_property
    def needed_by(self) -> dict[str, tuple[str, ...]]:
        """The dependent resources of each resource."""
        return _joined(self.nodes, ((edge.target, edge.source) for edge in self.edges))

    @cached_property
    def shown_as(self) -> dict[str, str]:
        """The name of the combined node of each resource that shares a node."""
        return {name: node.name for node in self.nodes.values() for name in node.covers}

    def clustered(self, opened: Container[str]) -> ResourceGraph:
        """Return the graph with one node for all resources of a type, unless they are few or the node is in `opened`.

        The name of a combined node starts with `INSIDE`, unlike the names of resources. Nested resources stay separate.
        """
        alike: dict[str, list[GraphNode]] = {}
        for node in self.nodes.values():
            if not node.owner and not node.is_open and node.type:
                alike.setdefault(f"{INSIDE}{node.type}", []).append(node)
        many = {name: found for name, found in alike.items() if len(found) >= LEAST_ALIKE}
        if sum(not node.owner for node in self.nodes.values()) <= MOST_CARDS or not many:
            return self
        unfolded = frozenset(name for name in many if name in opened)
        place = {node.name: name for name in many.keys() - unfolded for node in many[name]}
        nodes: dict[str, GraphNode] = {}
        for node in self.nodes.values():
            name = place.get(node.name, node.name)
            if name == node.name:
                nodes[name] = node
            elif name not in nodes:
                names = tuple(one.name for one in many[name])
                is_enabled = any(one.enabled for one in many[name])
                nodes[name] = GraphNode(name, node.type, node.service, is_enabled, owns_stack=True, covers=names)
        edges: dict[tuple[str, str], GraphEdge] = {}
        for edge in self.edges:
            ends = place.get(edge.source, edge.source), place.get(edge.target, edge.target)
            if ends not in edges and ends[0] != ends[1]:
                edges[ends] = replace(edge, source=ends[0], target=ends[1])
        merged = len(self.edges) - len(edges)
        return ResourceGraph(nodes, tuple(edges.values()), merged=merged, unfolded=unfolded)

    def readable(self) -> ResourceGraph:
        """Return the graph to draw, without edges that types imply if there are too many edges.

        The number of implied edges grows with the square of the resources, and they are not in the template.
        """
        if len(self.edges) <= MOST_EDGES:
            return self
        kept = tuple(edge for edge in self.edges if edge.kind is not EdgeKind.IMPLICIT or edge.in_circle)
        return replace(self, edges=kept, left_out=len(self.edges) - len(kept))

    def followers(self, names: Iterable[str]) -> frozenset[str]:
        """Return the resources with these names, and all direct and indirect dependents."""
        found = [name for name in dict.fromkeys(names) if name in self.nodes]
        seen = set(found)
        for name in found:
            new = [other for other in self.needed_by[name] if other not in seen]
            seen.update(new)
            found += new
        return frozenset(seen)


def resource_graph(stack: StackDefinition, types: Types) -> ResourceGraph:
    """Return the graph of a stack: references, `depends_on`, and dependencies that types imply."""
    names = stack.all_resource_names
    nodes = {name: _node(stack, types, name) for name in names}
    implicit = dependency_graph(stack, types)
    pairs = {name: _edges_of(stack, name, nodes, implicit.get(name, ())) for name in names}
    needs = {name: tuple(edges) for name, edges in pairs.items()}
    circular = {edge for circle in circles(needs) for edge in zip(circle, (*circle[1:], circle[0]), strict=True)}
    edges = (
        GraphEdge(place_of(source), place_of(target), kind, words, paths, (source, target) in circular)
        for source, found in pairs.items()
        for target, (kind, words, paths) in found.items()
    )
    return ResourceGraph({node.name: node for node in nodes.values()}, tuple(edges))


class Links(Struct, frozen=True):
    """The written dependencies of one resource."""

    needs: tuple[str, ...] = ()
    needed_by: tuple[str, ...] = ()


def written_links(stack: StackDefinition) -> dict[str, Links]:
    """Return the references and `depends_on` of each resource, without implied dependencies."""
    needs: dict[str, tuple[str, ...]] = {}
    for name in stack.all_resource_names:
        checkpoint()
        needs[name] = stack.required_resource_names(name)
    pairs = ((other, name) for name, needed in needs.items() for other in needed if other in needs)
    return {name: Links(needs[name], needing) for name, needing in _joined(needs, pairs).items()}


def _joined(names: Iterable[str], pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """Return the second names of the pairs by their first name, for all of `names`."""
    found: dict[str, list[str]] = {name: [] for name in names}
    for first, second in pairs:
        found[first].append(second)
    return {name: tuple(others) for name, others in found.items()}


def _node(stack: StackDefinition, types: Types, name: str) -> GraphNode:
    kind = stack.resource_definition(name).type
    found = types.find(kind, name).type if kind else None
    return GraphNode(
        place_of(name), kind, found.service if found is not None else "", stack.is_enabled(name) is not False
    )


_Way = tuple[EdgeKind, tuple[str, ...], tuple[TreePath, ...]]


def _edges_of(
    stack: StackDefinition, name: str, known: Mapping[str, GraphNode], implicit: Iterable[str]
) -> dict[str, _Way]:
    words = stack.language.dialect
    found: dict[str, tuple[EdgeKind, dict[str, None], list[TreePath]]] = {}
    for reference in stack.references(name):
        if reference.resource in known:
            entry = found.setdefault(reference.resource, (EdgeKind.REFERENCE, {}, []))
            entry[1][_function_name(stack.data, reference.path)] = None
            entry[2].append(reference.path)
    for other in stack.resource_definition(name).depends_on:
        if other in known:
            entry = found.setdefault(other, (EdgeKind.DEPENDS_ON, {}, []))
            entry[1][words.depends_on] = None
            entry[2].append((words.resources, name, words.depends_on))
    for other in implicit:
        found.setdefault(other, (EdgeKind.IMPLICIT, {}, []))
    return {other: (kind, tuple(by), tuple(paths)) for other, (kind, by, paths) in found.items() if other in known}


def _function_name(data: object, path: TreePath) -> str:
    """Return the name of the function that is called at a path."""
    call = at(data, path)
    return str(next(iter(call), "")) if isinstance(call, Mapping) else ""
