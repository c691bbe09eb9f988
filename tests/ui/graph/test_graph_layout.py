"""The layout of a graph: no overlaps, stable positions, and dependencies above dependents."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from heatstudio.stack.order import Graph, circles
from heatstudio.ui.graph.graph_layout import GraphLayout, Measures, crossings, lay_out, make_layers

MEASURES = Measures()


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    count = draw(st.integers(0, 40))
    names = [f"r{number}" for number in range(count)]
    if not names:
        return {}
    needs = st.lists(st.sampled_from([*names, "elsewhere"]), max_size=4)
    return {name: draw(needs) for name in names}


def random_graph(count: int, edges: int) -> Graph:
    """Return an acyclic graph with one node that two thirds of the nodes depend on."""
    graph: dict[str, list[str]] = {f"r{number}": [] for number in range(count)}
    for number in range(1, count):
        if number % 3:
            graph[f"r{number}"].append("r0")
    for at in range(edges - count * 2 // 3):
        number = 1 + at * 7919 % (count - 1)
        graph[f"r{number}"].append(f"r{max(0, number - 1 - at * 104729 % 20)}")
    return graph


def assert_apart(layout: GraphLayout) -> None:
    boxes = sorted((place.y, place.x) for place in layout.nodes.values())
    for at, (y, x) in enumerate(boxes):
        for other_y, other_x in boxes[at + 1 :]:
            if other_y >= y + MEASURES.height:
                break
            assert abs(other_x - x) >= MEASURES.width - 1e-6


@given(graphs())
def test_all_nodes_are_placed_without_overlaps(graph: Graph) -> None:
    layout = lay_out(graph)
    assert list(layout.nodes.keys() ^ graph.keys()) == []
    assert_apart(layout)
    for place in layout.nodes.values():
        assert -1e-6 <= place.x <= layout.width - MEASURES.width + 1e-6
        assert -1e-6 <= place.y <= layout.height - MEASURES.height + 1e-6


@given(graphs())
def test_dependencies_are_above_dependents_except_in_cycles(graph: Graph) -> None:
    layout = lay_out(graph)
    known = {name: [need for need in needs if need in graph] for name, needs in graph.items()}
    if not list(circles(known)):
        for name, needs in known.items():
            assert all(layout.nodes[need].y < layout.nodes[name].y for need in needs)


@given(graphs())
def test_every_edge_route_avoids_the_nodes(graph: Graph) -> None:
    layout = lay_out(graph)
    assert set(layout.routes) == {(name, need) for name, needs in graph.items() for need in needs if need in graph}
    for (name, need), way in layout.routes.items():
        if name != need:
            for place in way[1:-1]:
                inside = [
                    other
                    for other, corner in layout.nodes.items()
                    if corner.x < place.x < corner.x + MEASURES.width
                    and corner.y <= place.y <= corner.y + MEASURES.height
                ]
                assert inside == []


@given(graphs())
@settings(max_examples=30)
def test_layout_is_deterministic(graph: Graph) -> None:
    assert lay_out(graph) == lay_out({name: list(needs) for name, needs in graph.items()})


def test_layout_of_no_nodes_and_of_one() -> None:
    assert lay_out({}) == GraphLayout()
    assert lay_out({"one": []}).nodes == {"one": (0.0, 0.0)}
    assert len(lay_out({"one": ["one"]}).routes["one", "one"]) == 4


def test_chain_is_straight() -> None:
    layout = lay_out({"a": [], "b": ["a"], "c": ["b"]})
    assert len({place.x for place in layout.nodes.values()}) == 1
    assert layout.nodes["a"].y < layout.nodes["b"].y < layout.nodes["c"].y


def test_order_of_rows_avoids_crossings() -> None:
    graph = {"a": [], "b": [], "c": [], "x": ["c"], "y": ["b"], "z": ["a"], "t": ["x", "y", "z"]}
    assert crossings(make_layers(list(graph), graph)) == 0


def test_no_overlaps_at_three_hundred_nodes_and_no_endless_row() -> None:
    layout = lay_out(random_graph(300, 360))
    assert_apart(layout)
    row = 20 * (MEASURES.width + MEASURES.across)
    assert layout.width < 2 * row, "a row holds 20 nodes and the lines that pass between them"
