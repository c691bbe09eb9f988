"""The dependency order of resources, and the cycles that make one impossible."""

from collections.abc import Collection, Iterator, Mapping

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


def circles(graph: Graph) -> Iterator[tuple[str, ...]]:
    """Yield one shortest cycle of each strongly connected component, as `a, b, c` for a -> b -> c -> a."""
    for group in _groups(graph):
        first = group[0]
        if len(group) > 1 or first in graph[first]:
            yield _shortest(graph, first, frozenset(group))


def _groups(graph: Graph) -> Iterator[list[str]]:
    """Yield the strongly connected components, each in the graph's order."""
    rank = {name: index for index, name in enumerate(graph)}
    search = _Components(graph)
    for root in graph:
        for group in search.below(root):
            yield sorted(group, key=rank.__getitem__)


class _Components:
    """Tarjan's algorithm for strongly connected components, without recursion."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._index: dict[str, int] = {}
        self._low: dict[str, int] = {}
        self._open: list[str] = []
        self._is_open: set[str] = set()
        self._path: list[tuple[str, Iterator[str]]] = []

    def below(self, root: str) -> Iterator[list[str]]:
        """Yield the components reachable from a root that were not yielded before."""
        if root in self._index:
            return
        self._enter(root)
        while self._path:
            name, needs = self._path[-1]
            unseen = self._next_unseen(name, needs)
            if unseen is not None:
                self._enter(unseen)
                continue
            self._path.pop()
            if self._path:
                parent = self._path[-1][0]
                self._low[parent] = min(self._low[parent], self._low[name])
            if self._low[name] == self._index[name]:
                yield self._close(name)

    def _enter(self, name: str) -> None:
        checkpoint()
        self._index[name] = self._low[name] = len(self._index)
        self._open.append(name)
        self._is_open.add(name)
        self._path.append((name, iter(self._graph[name])))

    def _next_unseen(self, name: str, needs: Iterator[str]) -> str | None:
        for need in needs:
            if need in self._is_open:
                self._low[name] = min(self._low[name], self._index[need])
            elif need in self._graph and need not in self._index:
                return need
        return None

    def _close(self, name: str) -> list[str]:
        group = [self._open.pop()]
        while group[-1] != name:
            group.append(self._open.pop())
        self._is_open.difference_update(group)
        return group


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
