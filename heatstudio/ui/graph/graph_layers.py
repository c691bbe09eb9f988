"""The layers of a graph layout: the row of each node, and the order of each row.

Nodes are below their dependencies. All edges that end at one node share one route through the rows between, its
trunk, so that a node with many dependents does not fill the graph with lines.
"""

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from math import ceil, sqrt
from typing import NamedTuple

from msgspec import Struct

from heatstudio.stack.order import Graph, visiting_order

NARROW = 6
"""The minimum number of nodes that a row can have, however small the graph is."""
SWEEPS = 8
"""The number of times the rows are ordered, downwards and upwards in turn; more gain almost nothing."""


class Slot(NamedTuple):
    """A position in a row: of a node, or of the trunk of the edges that end at it."""

    name: str
    row: int
    is_trunk: bool = False


class Layers(Struct):
    """The rows of slots from the top, and the lines between adjacent rows, each from the upper to the lower slot."""

    rows: list[list[Slot]]
    lines: list[tuple[Slot, Slot]]
    upper: dict[Slot, list[Slot]]
    lower: dict[Slot, list[Slot]]
    row_of: dict[str, int]


def make_layers(names: Sequence[str], graph: Graph) -> Layers:
    """Return the rows of a connected graph with few crossings; each edge that closes a cycle points upwards."""
    order = visiting_order({name: graph[name] for name in names})
    row_of = _rows(order, graph)
    layers = _with_trunks(order, graph, row_of)
    _order_rows(layers)
    return layers


def downward(graph: Graph, order: Sequence[str]) -> dict[str, list[str]]:
    """Return the other names to place above each name, without cycles."""
    rank = {name: place for place, name in enumerate(order)}
    above: dict[str, list[str]] = {name: [] for name in order}
    for name in order:
        for need in graph[name]:
            if need in rank and need != name:
                upper, lower = sorted((name, need), key=rank.__getitem__)
                above[lower].append(upper)
    return {name: list(dict.fromkeys(found)) for name, found in above.items()}


def _rows(order: Sequence[str], graph: Graph) -> dict[str, int]:
    """Return the row of each name: the first row below its dependencies that is not full."""
    width = max(NARROW, ceil(1.1 * sqrt(len(order))))
    above = downward(graph, order)
    row_of: dict[str, int] = {}
    filled: dict[int, int] = defaultdict(int)
    next_free: dict[int, int] = {}
    for name in order:
        row = max((row_of[need] + 1 for need in above[name]), default=0)
        start = row
        while filled[row] >= width:
            row = next_free.get(row, row + 1)
        for full in range(start, row):
            next_free[full] = row
        row_of[name] = row
        filled[row] += 1
    return _lowered(order, above, row_of, filled, width)


def _lowered(
    order: Sequence[str], above: dict[str, list[str]], row_of: dict[str, int], filled: dict[int, int], width: int
) -> dict[str, int]:
    """Move nodes without dependencies down to their dependents if there is space, and drop empty rows."""
    below: dict[str, int] = {}
    for name in order:
        for need in above[name]:
            below[need] = min(below.get(need, row_of[name]), row_of[name])
    for name in order:
        row = below.get(name, 0) - 1
        if not above[name] and row > row_of[name] and filled[row] < width:
            filled[row_of[name]] -= 1
            filled[row] += 1
            row_of[name] = row
    numbers = {row: number for number, row in enumerate(sorted(set(row_of.values())))}
    return {name: numbers[row] for name, row in row_of.items()}


def _with_trunks(order: Sequence[str], graph: Graph, row_of: dict[str, int]) -> Layers:
    rows: list[list[Slot]] = [[] for _ in range(max(row_of.values(), default=-1) + 1)]
    ends: dict[str, list[str]] = {name: [] for name in order}
    for name, needs in downward(graph, order).items():
        for need in needs:
            ends[need].append(name)
    lines: list[tuple[Slot, Slot]] = []
    for name in order:
        slot = Slot(name, row_of[name])
        rows[slot.row].append(slot)
        way = [slot]
        for row in range(slot.row + 1, max((row_of[end] for end in ends[name]), default=0)):
            way.append(Slot(name, row, is_trunk=True))
            rows[row].append(way[-1])
            lines.append((way[-2], way[-1]))
        lines += [(way[row_of[end] - slot.row - 1], Slot(end, row_of[end])) for end in ends[name]]
    upper: dict[Slot, list[Slot]] = defaultdict(list)
    lower: dict[Slot, list[Slot]] = defaultdict(list)
    for one, other in lines:
        upper[other].append(one)
        lower[one].append(other)
    return Layers(rows, lines, upper, lower, row_of)


def _order_rows(layers: Layers) -> None:
    """Sort each row by the mean position of the slots' neighbors, and keep the order with the fewest crossings."""
    best, fewest = [list(row) for row in layers.rows], crossings(layers)
    for sweep in range(SWEEPS):
        if not fewest:
            break
        downwards = sweep % 2 == 0
        rows = layers.rows if downwards else layers.rows[::-1]
        neighbors = layers.upper if downwards else layers.lower
        for before, row in pairwise(rows):
            place = {slot: at for at, slot in enumerate(before)}
            wished = {slot: mean([place[one] for one in neighbors.get(slot, ())], at) for at, slot in enumerate(row)}
            row.sort(key=wished.__getitem__)
        found = crossings(layers)
        if found < fewest:
            best, fewest = [list(row) for row in layers.rows], found
    layers.rows[:] = best


def mean(places: Sequence[float], otherwise: float) -> float:
    """Return the mean of positions, or `otherwise` if there are none."""
    return sum(places) / len(places) if places else otherwise


def crossings(layers: Layers) -> int:
    """Return the number of crossings with the current order of the rows."""
    return sum(_crossings_below(layers, row, following) for row, following in pairwise(layers.rows))


def _crossings_below(layers: Layers, row: list[Slot], following: list[Slot]) -> int:
    place = {slot: at for at, slot in enumerate(following)}
    seen: list[int] = []
    count = 0
    for slot in row:
        ends = [place[end] for end in layers.lower.get(slot, ())]
        count += sum(len(seen) - bisect_left(seen, end + 1) for end in ends)
        for end in ends:
            insort(seen, end)
    return count
