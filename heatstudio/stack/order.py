"""The dependency order of resources, all that they need, and the cycles that make an order impossible."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from heatstudio.text import checkpoint

Graph = Mapping[str, Collection[str]]
"""The dependencies of each resource; names that are not keys are ignored."""


def visiting_order(graph: Graph) -> list[str]:
    """Return all resources in the graph's order, but each after its dependencies as far as cycles permit."""
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


def reached(starts: Iterable[str], needs: Callable[[str], Iterable[str]]) -> Iterator[str]:
    """Yield the starts and their direct and indirect needs, each once."""
    waiting, found = [*starts], set[str]()
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            yield name
            waiting += needs(name)


def circles(graph: Graph) -> Iterator[tuple[str, ...]]:
    """Yield one shortest cycle of each strongly connected component, as `a, b, c` for a -> b -> c -> a."""
    for group in _groups(graph):
        first = group[0]
        if len(group) > 1 or first in graph[first]:
            yield _shortest(graph, first, frozenset(group))


def _groups(graph: Graph) -> list[list[str]]:
    """Return the strongly connected components in the graph's order, by Kosaraju's algorithm."""
    rank = {name: index for index, name in enumerate(graph)}
    dependents: dict[str, list[str]] = {name: [] for name in graph}
    for name, needs in graph.items():
        checkpoint()
        for need in needs:
            if need in graph:
                dependents[need].append(name)
    groups: list[list[str]] = []
    seen: set[str] = set()
    for root in reversed(visiting_order(graph)):
        if root not in seen:
            group = reached([root], lambda name: (other for other in dependents[name] if other not in seen))
            groups.append(sorted(group, key=rank.__getitem__))
            seen.update(groups[-1])
    return sorted(groups, key=lambda group: rank[group[0]])


def _shortest(graph: Graph, start: str, group: frozenset[str]) -> tuple[str, ...]:
    came_from: dict[str, str] = {}
    frontier = [start]
    while frontier:
        following: list[str] = []
        for name in frontier:
            for need in graph[name]:
                if need == start:
                    cycle = [name]
                    while cycle[-1] != start:
                        cycle.append(came_from[cycle[-1]])
                    return tuple(reversed(cycle))
                if need in group and need not in came_from:
                    came_from[need] = name
                    following.append(need)
        frontier = following
    return (start,)
