"""The layout of a graph: its rows, the positions of nodes and the routes of edges; always the same for a graph.

Nodes are below their dependencies. All edges that end at one node share one route through the rows between, its
trunk, so that a node with many dependents does not fill the graph with lines.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import ceil, sqrt
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

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


_COLUMN_GAP = 44.0
TRUNK = 8.0
"""The width reserved for a trunk between nodes."""
PASSES = 6


class Point(NamedTuple):
    """A point of the layout; `y` grows downwards."""

    x: float
    y: float


class Size(NamedTuple):
    """The size of a node, in pixels."""

    width: float
    height: float


class Measures(Struct, frozen=True):
    """The size of a node and the gaps around it, in pixels."""

    width: float = 216.0
    height: float = 52.0
    across: float = 24.0
    down: float = 56.0
    aspect: float = 1.6
    """The approximate ratio of width to height of the whole layout."""
    own: Mapping[str, Size] = field(default_factory=dict)
    """The sizes of nodes that contain others."""

    def size(self, name: str) -> Size:
        """Return the size of a node."""
        return self.own.get(name) or Size(self.width, self.height)

    def turned(self) -> Measures:
        """Return the measures for a layout whose rows become columns."""
        own = {name: Size(size.height, size.width) for name, size in self.own.items()}
        return replace(self, width=self.height, height=self.width, down=_COLUMN_GAP, aspect=1 / self.aspect, own=own)


class GraphLayout(Struct, frozen=True):
    """The layout of a graph.

    `nodes` has the upper left corner of each node; `routes`, by (dependent, dependency), the points of the edge between
    the two, which is curved between rows and straight within a row.
    """

    nodes: dict[str, Point] = field(default_factory=dict)
    routes: dict[tuple[str, str], tuple[Point, ...]] = field(default_factory=dict)
    width: float = 0.0
    height: float = 0.0
    sizes: Mapping[str, Size] = field(default_factory=dict)
    """The sizes of nodes that contain others."""
    is_sideways: bool = False
    """Whether rows are columns: dependencies are at the left instead of above."""

    def moved(self, x: float, y: float) -> GraphLayout:
        """Return the layout moved by an offset."""
        nodes = {name: Point(place.x + x, place.y + y) for name, place in self.nodes.items()}
        routes = {edge: tuple(Point(at.x + x, at.y + y) for at in way) for edge, way in self.routes.items()}
        return replace(self, nodes=nodes, routes=routes)

    def turned(self) -> GraphLayout:
        """Return the layout mirrored at its diagonal."""
        nodes = {name: Point(place.y, place.x) for name, place in self.nodes.items()}
        routes = {edge: tuple(Point(at.y, at.x) for at in way) for edge, way in self.routes.items()}
        return GraphLayout(nodes, routes, self.height, self.width, is_sideways=not self.is_sideways)


def lay_out(graph: Graph, measures: Measures | None = None) -> GraphLayout:
    """Lay out a graph, given the dependencies of each name; unknown names are ignored."""
    measures = measures or Measures()
    graph = {name: [need for need in dict.fromkeys(needs) if need in graph] for name, needs in graph.items()}
    parts = [part for part in _components(graph) if len(part) > 1]
    pictures = [_picture(make_layers(part, graph), graph, measures) for part in parts]
    connected = {name for part in parts for name in part}
    alone = [name for name in graph if name not in connected]
    room = sum((one.width + measures.across) * (one.height + measures.down) for one in pictures)
    sizes = map(measures.size, alone)
    room += sum((size.width + measures.across) * (size.height + measures.across) for size in sizes)
    widest = max((one.width for one in pictures), default=0.0)
    width = max(widest, sqrt(room * measures.aspect))
    if alone:
        pictures.append(_grid(alone, graph, measures, width))
    return _packed(pictures, measures, width)


def _components(graph: Graph) -> Iterator[list[str]]:
    """Yield the connected components of a graph, each in the order of the graph."""
    beside: dict[str, list[str]] = {name: [] for name in graph}
    for name, needs in graph.items():
        for need in needs:
            beside[name].append(need)
            beside[need].append(name)
    rank = {name: place for place, name in enumerate(graph)}
    seen: set[str] = set()
    for root in graph:
        if root in seen:
            continue
        seen.add(root)
        found = [root]
        for name in found:
            new = [other for other in dict.fromkeys(beside[name]) if other not in seen]
            seen.update(new)
            found += new
        yield sorted(found, key=rank.__getitem__)


def _grid(names: Sequence[str], graph: Graph, measures: Measures, width: float) -> GraphLayout:
    """Lay out nodes without edges to others in rows."""
    nodes: dict[str, Point] = {}
    x = y = line = right = 0.0
    for name in names:
        size = measures.size(name)
        if x and x + size.width > width:
            x, y, line = 0.0, y + line + measures.across, 0.0
        nodes[name] = Point(x, y)
        right, line = max(right, x + size.width), max(line, size.height)
        x += size.width + measures.across
    loops = {(name, name): _loop(place, name, measures) for name, place in nodes.items() if name in graph[name]}
    return GraphLayout(nodes, loops, right, y + line)


def _picture(layers: Layers, graph: Graph, measures: Measures) -> GraphLayout:
    middle = _middles(layers, measures)
    left = min(at - _half(slot, measures) for slot, at in middle.items())
    right = max(at + _half(slot, measures) for slot, at in middle.items())
    middle = {slot: at - left for slot, at in middle.items()}
    rows = _row_places(layers, measures)
    nodes = {
        slot.name: Point(middle[slot] - measures.size(slot.name).width / 2, rows[slot.row].top)
        for row in layers.rows
        for slot in row
        if not slot.is_trunk
    }
    routes = {
        (name, need): _route((name, need), layers, middle, rows, measures) for name in nodes for need in graph[name]
    }
    return GraphLayout(nodes, routes, right - left, rows[-1].bottom)


class _RowPlace(NamedTuple):
    """The extent of a row."""

    top: float
    bottom: float


def _row_places(layers: Layers, measures: Measures) -> list[_RowPlace]:
    places: list[_RowPlace] = []
    top = 0.0
    for row in layers.rows:
        height = max((measures.size(slot.name).height for slot in row if not slot.is_trunk), default=measures.height)
        places.append(_RowPlace(top, top + height))
        top += height + measures.down
    return places


def _route(
    edge: tuple[str, str], layers: Layers, middle: dict[Slot, float], rows: Sequence[_RowPlace], measures: Measures
) -> tuple[Point, ...]:
    upper, lower = sorted((Slot(name, layers.row_of[name]) for name in edge), key=lambda slot: slot.row)
    top, height = rows[upper.row].top, measures.size(upper.name).height
    if upper == lower:
        corner = Point(middle[upper] - measures.size(upper.name).width / 2, top)
        return _loop(corner, upper.name, measures)
    points = [Point(middle[lower], rows[lower.row].top)]
    for row in range(lower.row - 1, upper.row, -1):
        at = middle[Slot(upper.name, row, is_trunk=True)]
        points += [Point(at, rows[row].bottom), Point(at, rows[row].top)]
    if top + height < rows[upper.row].bottom:  # past higher nodes in the same row
        points.append(Point(middle[upper], rows[upper.row].bottom))
    points.append(Point(middle[upper], top + height))
    return tuple(points if edge[0] == lower.name else points[::-1])


def _loop(corner: Point, name: str, measures: Measures) -> tuple[Point, ...]:
    """Return the route from a node back to itself, at its right side."""
    x, out = corner.x + measures.size(name).width, corner.x + measures.size(name).width + measures.across / 2
    upper, lower = corner.y + measures.height / 4, corner.y + measures.height * 3 / 4
    return Point(x, lower), Point(out, lower), Point(out, upper), Point(x, upper)


def _half(slot: Slot, measures: Measures) -> float:
    return TRUNK / 2 if slot.is_trunk else measures.size(slot.name).width / 2


def _middles(layers: Layers, measures: Measures) -> dict[Slot, float]:
    """Return the middle of each slot, as near to its neighbors as the order of its row permits."""
    middle: dict[Slot, float] = {}
    offsets = [_offsets(row, measures) for row in layers.rows]
    for row, offset in zip(layers.rows, offsets, strict=True):
        shift = offset[-1] / 2
        middle.update({slot: at - shift for slot, at in zip(row, offset, strict=True)})
    for number in range(PASSES):
        downwards = number % 2 == 0
        neighbors = layers.upper if downwards else layers.lower
        both = list(zip(layers.rows, offsets, strict=True))
        for row, offset in both if downwards else both[::-1]:
            wished = [mean([middle[one] for one in neighbors.get(slot, ())], middle[slot]) for slot in row]
            middle.update(zip(row, _apart(wished, offset, row), strict=True))
    return middle


def _offsets(row: Sequence[Slot], measures: Measures) -> list[float]:
    """Return the middles of the slots in the narrowest row, whose first slot is at 0."""
    offsets = [0.0]
    for one, other in pairwise(row):
        gap = TRUNK if one.is_trunk and other.is_trunk else measures.across
        offsets.append(offsets[-1] + _half(one, measures) + gap + _half(other, measures))
    return offsets


def _apart(wished: Sequence[float], offsets: Sequence[float], row: Sequence[Slot]) -> list[float]:
    """Return the positions nearest to the wished ones with order and distances kept (pool adjacent violators)."""
    blocks: list[tuple[float, float, int]] = []
    for wish, offset, slot in zip(wished, offsets, row, strict=True):
        weight = 4.0 if slot.is_trunk else 1.0  # a bent trunk is worse than an off-center node
        total, count = (wish - offset) * weight, 1
        while blocks and blocks[-1][0] / blocks[-1][1] > total / weight:
            before, heavy, number = blocks.pop()
            total, weight, count = total + before, weight + heavy, count + number
        blocks.append((total, weight, count))
    starts = (total / weight for total, weight, count in blocks for _ in range(count))
    return [start + offset for start, offset in zip(starts, offsets, strict=True)]


def _packed(pictures: Sequence[GraphLayout], measures: Measures, width: float) -> GraphLayout:
    """Combine layouts in rows, the highest ones first."""
    nodes: dict[str, Point] = {}
    routes: dict[tuple[str, str], tuple[Point, ...]] = {}
    x = y = shelf = right = 0.0
    for picture in sorted(pictures, key=lambda one: -one.height):
        if x and x + picture.width > width:
            x, y, shelf = 0.0, y + shelf + measures.down, 0.0
        moved = picture.moved(x, y)
        nodes |= moved.nodes
        routes |= moved.routes
        right = max(right, x + picture.width)
        shelf = max(shelf, picture.height)
        x += picture.width + measures.across * 2
    return GraphLayout(nodes, routes, right, y + shelf)
