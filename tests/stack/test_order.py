from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from heatstudio.stack.order import circles, visiting_order

NAMES = st.sampled_from("abcdefg")
GRAPHS = st.dictionaries(NAMES, st.sets(NAMES), max_size=7)


def test_resource_is_ordered_after_its_dependencies() -> None:
    assert visiting_order({"server": ["port"], "port": ["net"], "net": []}) == ["net", "port", "server"]


def test_cycle_is_reported_once_by_its_shortest_path() -> None:
    graph = {"a": ["b", "c"], "b": ["c"], "c": ["a"], "d": ["a"]}
    assert list(circles(graph)) == [("a", "c")]


def test_resource_may_depend_on_itself() -> None:
    assert list(circles({"a": ["a"], "b": []})) == [("a",)]


def test_a_long_chain_needs_no_deep_recursion() -> None:
    graph = {str(number): [str(number + 1)] for number in range(20_000)}
    assert list(circles(graph)) == []
    assert visiting_order(graph)[0] == "19999"


@given(GRAPHS)
def test_reported_cycles_are_cycles_and_the_order_is_valid_without_them(graph: dict[str, set[str]]) -> None:
    found = list(circles(graph))
    for circle in found:
        assert all(after in graph[name] for name, after in zip(circle, (*circle[1:], circle[0]), strict=True))
    order = visiting_order(graph)
    assert sorted(order) == sorted(graph)
    if not found:
        assert all(order.index(need) < order.index(name) for name in graph for need in graph[name] if need in graph)
