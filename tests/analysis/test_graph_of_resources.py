"""The dependency graph of resources: nodes, edges with their causes, and dependents."""

from __future__ import annotations

import pytest

from heatstudio.analysis.resource_graph import (
    MOST_CARDS,
    MOST_EDGES,
    EdgeKind,
    GraphEdge,
    GraphNode,
    ResourceGraph,
    resource_graph,
    written_links,
)
from heatstudio.stack.definition.knowledge import Knowledge, load_knowledge
from heatstudio.stack.definition.source import Source, define
from heatstudio.template import parse_template

TEXT = """heat_template_version: 2021-04-16
conditions: {never: false}
resources:
  a: {type: OS::Heat::Value, properties: {value: 1}}
  b: {type: OS::Heat::Value, properties: {value: [{get_resource: a}, {get_attr: [a, value]}]}, depends_on: a}
  c: {type: OS::Heat::Value, depends_on: [b, nobody]}
  d: {type: OS::Heat::Value, condition: never, depends_on: a}
  net: {type: OS::Neutron::Net}
  subnet: {type: OS::Neutron::Subnet, properties: {network: {get_resource: net}}}
  port: {type: OS::Neutron::Port, properties: {network: {get_resource: net}}}
"""


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return load_knowledge()


def graph_of(knowledge: Knowledge, text: str) -> ResourceGraph:
    return resource_graph(*define(Source(parse_template(text)), knowledge, not_created=True))


def test_edges_name_their_cause(knowledge: Knowledge) -> None:
    edges = {(edge.source, edge.target): edge for edge in graph_of(knowledge, TEXT).edges}
    assert edges["b", "a"].kind is EdgeKind.REFERENCE
    assert edges["b", "a"].words == ("get_resource", "get_attr", "depends_on")
    assert edges["b", "a"].paths[1] == ("resources", "b", "properties", "value", 1)
    assert edges["c", "b"].kind is EdgeKind.DEPENDS_ON
    assert edges["port", "subnet"].kind is EdgeKind.IMPLICIT
    assert ("c", "nobody") not in edges


def test_nodes_know_their_service_and_whether_they_are_created(knowledge: Knowledge) -> None:
    nodes = graph_of(knowledge, TEXT).nodes
    assert nodes["port"].service == "OS::Neutron"
    assert [name for name, node in nodes.items() if not node.enabled] == ["d"]


def test_dependents_are_transitive(knowledge: Knowledge) -> None:
    graph = graph_of(knowledge, TEXT)
    assert graph.followers(["a"]) >= {"a", "b", "c"}
    assert graph.followers(["c", "nobody"]) == {"c"}
    assert graph.followers([]) == frozenset()


@pytest.mark.parametrize("text", ["", "a: [", "resources: 1", "resources: {a: 1, b: {type: 3}}", "- a"])
def test_nothing_raises(knowledge: Knowledge, text: str) -> None:
    assert isinstance(graph_of(knowledge, text), ResourceGraph)


def test_implicit_edges_are_omitted_if_there_are_too_many() -> None:
    names = [f"r{at}" for at in range(80)]
    nodes = {name: GraphNode(name, "T") for name in names}
    habits = [GraphEdge(one, other, EdgeKind.IMPLICIT) for one in names for other in names if one < other]
    written = GraphEdge("r0", "r1", EdgeKind.REFERENCE)
    circular = GraphEdge("r1", "r0", EdgeKind.IMPLICIT, in_circle=True)
    many = ResourceGraph(nodes, (written, circular, *habits))
    assert len(many.edges) > MOST_EDGES
    assert many.readable() == ResourceGraph(nodes, (written, circular), len(habits))
    few = ResourceGraph(nodes, (written, *habits[:9]))
    assert few.readable() is few


def test_many_resources_of_one_type_are_one_node() -> None:
    names = [f"r{at}" for at in range(MOST_CARDS)]
    nodes = {name: GraphNode(name, "A::B") for name in names} | {name: GraphNode(name, "C::D") for name in ("x", "y")}
    edges = tuple(GraphEdge(one, other, EdgeKind.REFERENCE) for one in names for other in ("x", "r0") if one != other)
    graph = ResourceGraph(nodes, edges).clustered(())
    assert list(graph.nodes) == ["/A::B", "x", "y"]
    assert graph.nodes["/A::B"].label == "B"
    assert graph.nodes["/A::B"].covers == tuple(names)
    assert [(edge.source, edge.target) for edge in graph.edges] == [("/A::B", "x")]
    assert graph.merged == len(edges) - 1
    assert graph.shown_as["r7"] == "/A::B"
    opened = ResourceGraph(nodes, edges).clustered({"/A::B"})
    assert opened == ResourceGraph(nodes, edges, unfolded=frozenset({"/A::B"}))
    del nodes["x"], nodes["y"]
    few = ResourceGraph(nodes)
    assert few.clustered(()) is few


def test_links_are_only_the_written_references() -> None:
    stack, _types = define(Source(parse_template(TEXT)), load_knowledge(), not_created=True)
    links = written_links(stack)
    assert links["a"].needed_by == ("b", "d")
    assert links["b"].needs == ("a",)
    assert links["c"].needs == ("b",)
    assert links["port"].needs == ("net",)
    assert links["net"].needed_by == ("subnet", "port")
