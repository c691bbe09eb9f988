"""Who needs whom: the order in which resources are visited, and the circles that make an order impossible."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

Graph = Mapping[str, Collection[str]]
"""For each resource the resources that it needs; names that are no keys are ignored."""


def visiting_order(graph: Graph) -> list[str]:
    """All resources, each behind those that it needs as far as circles permit; otherwise in the order of the graph."""
    order: list[str] = []
    seen: set[str] = set()
    for root in graph:
        if root in seen:
            continue
        seen.add(root)
        path = [(root, iter(graph[root]))]
        while path:
            name, needs = path[-1]
            below = next((need for need in needs if need in graph and need not in seen), None)
            if below is None:
                order.append(name)
                path.pop()
            else:
                seen.add(below)
                path.append((below, iter(graph[below])))
    return order


def circles(graph: Graph) -> Iterator[tuple[str, ...]]:
    """One shortest circle of each group of resources that need each other, as `a, b, c` for a -> b -> c -> a."""
    for group in _groups(graph):
        first = group[0]
        if len(group) > 1 or first in graph[first]:
            yield _shortest(graph, first, frozenset(group))


def _groups(graph: Graph) -> Iterator[list[str]]:
    """The strongly connected components (Tarjan's algorithm, without recursion), members in the graph's order."""
    rank = {name: place for place, name in enumerate(graph)}
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    open_names: list[str] = []
    is_open: set[str] = set()
    for root in graph:
        if root in index:
            continue
        path: list[tuple[str, Iterator[str]]] = []
        below: str | None = root
        while below is not None or path:
            if below is not None:
                index[below] = low[below] = len(index)
                open_names.append(below)
                is_open.add(below)
                path.append((below, iter(graph[below])))
            name, needs = path[-1]
            below = None
            for need in needs:
                if need not in graph:
                    continue
                if need not in index:
                    below = need
                    break
                if need in is_open:
                    low[name] = min(low[name], index[need])
            if below is not None:
                continue
            path.pop()
            if path:
                parent = path[-1][0]
                low[parent] = min(low[parent], low[name])
            if low[name] == index[name]:
                group = [open_names.pop()]
                while group[-1] != name:
                    group.append(open_names.pop())
                is_open.difference_update(group)
                yield sorted(group, key=rank.__getitem__)


def _shortest(graph: Graph, start: str, group: frozenset[str]) -> tuple[str, ...]:
    came_from: dict[str, str] = {}
    edge = [start]
    while edge:
        following: list[str] = []
        for name in edge:
            for need in graph[name]:
                if need == start:
                    circle = [name]
                    while circle[-1] != start:
                        circle.append(came_from[circle[-1]])
                    return tuple(reversed(circle))
                if need in group and need not in came_from:
                    came_from[need] = name
                    following.append(need)
        edge = following
    return (start,)
