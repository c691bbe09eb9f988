"""The graph with nested stacks: frames contain their resources, and nothing overlaps."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heatstudio.analysis import Analysis, analyze
from heatstudio.analysis.resource_graph import (
    INSIDE,
    EdgeKind,
    GraphEdge,
    GraphNode,
    Members,
    ResourceGraph,
    place_of,
    written_names,
)
from heatstudio.stack.definition.knowledge import load_knowledge
from heatstudio.ui.graph.graph_layout import GraphLayout, Measures, Point, Size
from heatstudio.ui.graph.graph_tree import EVERYTHING, graph_tree, lay_out_tree
from tests.load import load_source

MEASURES = Measures()
PARENT = """heat_template_version: 2021-04-16
resources:
  net: {type: OS::Neutron::Net}
  one: {type: child.yaml, properties: {net: {get_resource: net}}}
  many:
    type: OS::Heat::ResourceGroup
    properties: {count: 3, resource_def: {type: child.yaml, properties: {net: {get_resource: net}}}}
"""
CHILD = """heat_template_version: 2021-04-16
parameters: {net: {type: string}}
resources:
  port: {type: OS::Neutron::Port, properties: {network: {get_param: net}}}
  server: {type: OS::Nova::Server, properties: {flavor: a, image: b, networks: [{port: {get_resource: port}}]}}
"""


@pytest.fixture
def analysis(tmp_path: Path) -> Analysis:
    (tmp_path / "parent.yaml").write_text(PARENT, encoding="utf-8")
    (tmp_path / "child.yaml").write_text(CHILD, encoding="utf-8")
    return analyze(load_source(tmp_path / "parent.yaml"), load_knowledge())


def test_collapsed_stacks_show_that_they_can_be_expanded(analysis: Analysis) -> None:
    graph = graph_tree(analysis)
    assert list(graph.nodes) == ["net", "one", "many"]
    assert [name for name, node in graph.nodes.items() if node.owns_stack] == ["one", "many"]
    assert not any(node.is_open for node in graph.nodes.values())


def test_nested_resources_have_owners_and_their_own_edges(analysis: Analysis, tmp_path: Path) -> None:
    graph = graph_tree(analysis, {"one", "many", "many/0"})
    inside = ["one/port", "one/server", "many/0", "many/0/port", "many/0/server"]
    assert list(graph.nodes) == ["net", "one", "many", *inside]
    assert graph.needs["one/server"] == ("one/port",)
    assert graph.needs["many/0/server"] == ("many/0/port",)
    assert graph.needs["one"] == ("net",)
    server = graph.nodes["one/server"]
    assert (server.label, server.owner, server.file) == ("server", "one", str(tmp_path / "child.yaml"))
    assert graph.nodes["many/0"].file == ""


GROUPS = """heat_template_version: 2021-04-16
parameters:
  known: {type: number, default: 4}
  none: {type: number}
conditions: {never: false}
resources:
  group: {type: OS::Heat::ResourceGroup, properties: {count: 3, resource_def: {type: OS::Heat::None}}}
  plain: {type: OS::Heat::ResourceGroup, properties: {resource_def: {type: OS::Heat::None}}}
  empty: {type: OS::Heat::ResourceGroup, properties: {count: 0, resource_def: {type: OS::Heat::None}}}
  chosen: {type: OS::Heat::ResourceGroup, properties: {count: {get_param: known}, resource_def: {type: OS::Heat::None}}}
  asked: {type: OS::Heat::ResourceGroup, properties: {count: {get_param: none}, resource_def: {type: OS::Heat::None}}}
  wrong: {type: OS::Heat::ResourceGroup, properties: {count: many, resource_def: {type: OS::Heat::None}}}
  scaled: {type: OS::Heat::AutoScalingGroup, properties: {min_size: 2, max_size: 5, resource: {type: OS::Heat::None}}}
  wanted:
    type: OS::Heat::AutoScalingGroup
    properties: {min_size: 2, max_size: 5, desired_capacity: 4, resource: {type: OS::Heat::None}}
  chain: {type: OS::Heat::ResourceChain, properties: {resources: [OS::Heat::None, OS::Heat::None]}}
  deployed:
    type: OS::Heat::SoftwareDeploymentGroup
    properties: {config: {get_resource: config}, servers: {a: one, b: two, c: three}}
  config: {type: OS::Heat::SoftwareConfig}
  skipped: {type: OS::Heat::ResourceGroup, condition: never, properties: {resource_def: {type: OS::Heat::None}}}
  stack: {type: OS::Heat::Stack, properties: {template: "heat_template_version: 2021-04-16"}}
"""


def test_groups_have_a_number_of_members(tmp_path: Path) -> None:
    (tmp_path / "groups.yaml").write_text(GROUPS, encoding="utf-8")
    graph = graph_tree(analyze(load_source(tmp_path / "groups.yaml"), load_knowledge()))
    assert {name: node.members for name, node in graph.nodes.items()} == {
        "group": Members(3),
        "plain": Members(1),
        "empty": Members(0),
        "chosen": Members(4),
        "asked": Members(None),
        "wrong": Members(None),
        "scaled": Members(2, scales=True),
        "wanted": Members(4, scales=True),
        "chain": Members(2, alike=False),
        "deployed": Members(3, alike=False),
        "config": None,
        "skipped": None,
        "stack": None,
    }


def test_stacks_that_are_not_groups_have_no_members(analysis: Analysis) -> None:
    graph = graph_tree(analysis, {"one", "many"})
    assert {name: node.members for name, node in graph.nodes.items() if node.members} == {"many": Members(3)}


def test_resources_with_invalid_names_are_placed(tmp_path: Path) -> None:
    (tmp_path / "child.yaml").write_text(CHILD, encoding="utf-8")
    odd = ("a/b", "a", "", "~1", "/", "a~0/", "1")
    text = "heat_template_version: 2021-04-16\nresources:\n" + "".join(
        f"  '{name}': {{type: child.yaml, properties: {{net: x}}}}\n" for name in odd
    )
    (tmp_path / "odd.yaml").write_text(text, encoding="utf-8")
    graph = graph_tree(analyze(load_source(tmp_path / "odd.yaml"), load_knowledge()), EVERYTHING)
    tops = [node for node in graph.nodes.values() if not node.owner]
    assert [node.label for node in tops] == list(odd)
    inside = [node.names for node in graph.nodes.values() if node.owner]
    assert inside == [[name, inner] for name in odd for inner in ("port", "server")]
    assert set(lay_out_tree(graph).nodes) == set(graph.nodes)


@given(st.lists(st.text(alphabet="a~/012"), min_size=1))
def test_names_of_owners_are_parsed_from_the_name_of_a_node(names: list[str]) -> None:
    assert written_names(INSIDE.join(map(place_of, names))) == names


def test_self_nesting_template_terminates(analysis: Analysis, tmp_path: Path) -> None:
    text = "heat_template_version: 2021-04-16\nresources: {again: {type: self.yaml}}\n"
    (tmp_path / "self.yaml").write_text(text, encoding="utf-8")
    source = load_source(tmp_path / "self.yaml")
    every = {INSIDE.join(["again"] * depth) for depth in range(1, 12)}
    assert len(graph_tree(analyze(source, load_knowledge()), every).nodes) < 12


@st.composite
def trees(draw: st.DrawFn) -> ResourceGraph:
    nodes: dict[str, GraphNode] = {}
    edges: list[GraphEdge] = []

    def fill(above: str, depth: int) -> None:
        names = [f"{above}r{number}" for number in range(draw(st.integers(0, 6)))]
        for name in names:
            is_open = depth < 2 and draw(st.booleans())
            nodes[name] = GraphNode(name, "", is_open=is_open)
            others = draw(st.lists(st.sampled_from(names), max_size=2))
            edges.extend(GraphEdge(name, other, EdgeKind.REFERENCE) for other in dict.fromkeys(others))
            if is_open:
                fill(f"{name}{INSIDE}", depth + 1)

    fill("", 0)
    return ResourceGraph(nodes, tuple(edges))


def box(layout: GraphLayout, name: str) -> tuple[Point, Size]:
    return layout.nodes[name], layout.sizes.get(name) or Size(MEASURES.width, MEASURES.height)


def overlaps(one: tuple[Point, Size], other: tuple[Point, Size]) -> bool:
    (a, a_size), (b, b_size) = one, other
    beside = a.x + a_size.width <= b.x + 1e-6 or b.x + b_size.width <= a.x + 1e-6
    below = a.y + a_size.height <= b.y + 1e-6 or b.y + b_size.height <= a.y + 1e-6
    return not (beside or below)


def holds(outer: tuple[Point, Size], inner: tuple[Point, Size]) -> bool:
    (a, a_size), (b, b_size) = outer, inner
    across = a.x <= b.x + 1e-6 and b.x + b_size.width <= a.x + a_size.width + 1e-6
    return across and a.y < b.y and b.y + b_size.height <= a.y + a_size.height + 1e-6


@given(trees())
@settings(max_examples=120, deadline=None)
def test_frames_contain_their_resources_and_do_not_overlap(graph: ResourceGraph) -> None:
    layout = lay_out_tree(graph)
    assert layout.nodes.keys() == graph.nodes.keys()
    assert layout.routes.keys() == {(edge.source, edge.target) for edge in graph.edges}
    names = list(graph.nodes)
    for at, name in enumerate(names):
        owner = graph.nodes[name].owner
        if owner:
            assert holds(box(layout, owner), box(layout, name))
        for other in names[at + 1 :]:
            if graph.nodes[other].owner == owner:
                assert not overlaps(box(layout, name), box(layout, other))


@given(trees())
@settings(max_examples=60, deadline=None)
def test_no_edge_crosses_a_neighboring_frame(graph: ResourceGraph) -> None:
    layout = lay_out_tree(graph)
    for (name, need), way in layout.routes.items():
        for place in way[1:-1] if name != need else ():
            for other, node in graph.nodes.items():
                if node.owner == graph.nodes[name].owner:
                    corner, size = box(layout, other)
                    beside = not corner.x < place.x < corner.x + size.width
                    assert beside or not corner.y + 1e-6 < place.y < corner.y + size.height - 1e-6


def test_layout_is_horizontal_for_small_chains_only() -> None:
    names = [f"r{number}" for number in range(301)]

    def chain(count: int) -> GraphLayout:
        edges = [GraphEdge(name, need, EdgeKind.REFERENCE) for need, name in pairwise(names[:count])]
        return lay_out_tree(ResourceGraph({name: GraphNode(name, "") for name in names[:count]}, tuple(edges)))

    few = chain(8)
    assert few.is_sideways
    assert few.width > few.height
    assert [few.nodes[name].x for name in names[:8]] == sorted({at.x for at in few.nodes.values()})
    assert not chain(301).is_sideways
    alone = lay_out_tree(ResourceGraph({"r0": GraphNode("r0", "")}))
    assert not alone.is_sideways


def test_three_hundred_nodes_in_frames_do_not_overlap() -> None:
    nodes: dict[str, GraphNode] = {}
    edges: list[GraphEdge] = []
    for group in range(20):
        owner = f"g{group}"
        nodes[owner] = GraphNode(owner, "", is_open=True)
        if group:
            edges.append(GraphEdge(owner, f"g{(group - 1) // 2}", EdgeKind.REFERENCE))
        for number in range(14):
            name = f"{owner}/r{number}"
            nodes[name] = GraphNode(name, "")
            if number:
                edges.append(
                    GraphEdge(name, f"{owner}/r{number * 7 % number if number % 3 else 0}", EdgeKind.REFERENCE)
                )
    layout = lay_out_tree(ResourceGraph(nodes, tuple(edges)))
    assert len(layout.nodes) == 300
    tops = [name for name in nodes if INSIDE not in name]
    for at, name in enumerate(tops):
        assert not any(overlaps(box(layout, name), box(layout, other)) for other in tops[at + 1 :])
        inner = [f"{name}/r{number}" for number in range(14)]
        for place, one in enumerate(inner):
            assert holds(box(layout, name), box(layout, one))
            assert not any(overlaps(box(layout, one), box(layout, other)) for other in inner[place + 1 :])
