"""Conversion of paths to spans, and of offsets to paths."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from enum import Enum
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

from heatstudio.template.syntax.construct import is_merge, key_data
from heatstudio.template.syntax.nodes import Key, MappingNode, Node, ScalarNode, Section, SequenceNode, TreePath
from heatstudio.template.syntax.reading import Pair, Reading, followed, merged_pairs
from heatstudio.text import Span

_WIDE = 50
"""Minimum number of pairs for lookup by an index."""
_NO_ANCHORS: Mapping[str, Node] = {}


class Part(Enum):
    """The part of a pair; a list item has only a value."""

    KEY = "key"
    VALUE = "value"
    PAIR = "pair"


class OffsetPlace(NamedTuple):
    """The position of an offset: in the key or the value of a path; `node` is None between values."""

    path: TreePath
    part: Part
    node: Node | None
    span: Span


class Located(NamedTuple):
    """A node, its key if it is the value of a pair, and the shift of the offsets of both."""

    node: Node
    key: Node | None
    shift: int
    anchors: Mapping[str, Node] = _NO_ANCHORS

    def span(self, part: Part = Part.VALUE) -> Span:
        """Return the span of a part; an empty value is an empty span after its colon."""
        node, key = self.node, self.key
        if key is None or part is Part.VALUE:
            return Span(node.start + self.shift, node.end + self.shift)
        if part is Part.KEY:
            return Span(key.start + self.shift, key.end + self.shift)
        return Span(key.start + self.shift, max(key.end, node.end) + self.shift)

    def child(self, name: object) -> Located | None:
        """Return the child with a key or an index; follow aliases, and use the last of duplicate keys."""
        target = followed(self.node, self.anchors)
        if isinstance(target, SequenceNode):
            if isinstance(name, int) and not isinstance(name, bool) and 0 <= name < len(target.items):
                return Located(target.items[name], None, self.shift, self.anchors)
            return None
        if not isinstance(target, MappingNode):
            return None
        pair = _last_pair(target, self.anchors, name)
        return Located(pair[1], pair[0], self.shift, self.anchors) if pair is not None else None


def _last_pair(node: MappingNode, anchors: Mapping[str, Node], name: object) -> Pair | None:
    """Return the last pair with a name."""
    if len(node.pairs) > _WIDE and isinstance(name, str):
        index = _by_name(node)
        if index is not None:
            return index.get(name)
    pairs = reversed(merged_pairs(node, anchors))
    return next((pair for pair in pairs if _name(pair[0], anchors) == name), None)


@lru_cache(maxsize=16)
def _by_name(node: MappingNode) -> dict[Key, Pair] | None:
    """Return the pairs of a wide map by name; None if a key is a merge key, an alias or a collection."""
    is_simple = all(isinstance(key, ScalarNode) and not is_merge(key) for key, _ in node.pairs)
    return {key_data(pair[0]): pair for pair in node.pairs} if is_simple else None


def _name(key: Node, anchors: Mapping[str, Node]) -> Key:
    return key_data(followed(key, anchors) or key)


def find(reading: Reading, sections: Mapping[Key, Section], path: TreePath) -> Located | None:
    """Return the node at a path; `sections` has the last section of each name."""
    if not path:
        return _root(reading)
    section = sections.get(path[0])
    if section is None:
        return None
    found: Located | None
    if len(path) > 1 and section.placed:
        placed = section.by_name.get(path[1])
        if placed is None:
            return None
        entry = placed.entry
        found = Located(entry.value, entry.key, placed.shift, entry.anchors)
    else:
        found = whole_section(section)
    for name in path[2 if section.placed else 1 :]:
        if found is None:
            return None
        found = found.child(name)
    return found


def place_at(reading: Reading, offset: int) -> OffsetPlace:
    """Return the innermost key or value at an offset."""
    section = _section_at(reading.sections, offset)
    if section is None:
        return OffsetPlace((), Part.VALUE, None, Span(offset, offset))
    key = Span(section.key.start, section.key.end).shifted(section.shift)
    if offset in key:
        return OffsetPlace((str(section.name),), Part.KEY, section.key, key)
    path: TreePath = (str(section.name),)
    if not section.placed:
        return _descend(path, whole_section(section), offset)
    placed = section.placed[max(bisect_right(section.placed, offset, key=attrgetter("start")) - 1, 0)]
    if not placed.start <= offset <= placed.end:
        return OffsetPlace(path, Part.VALUE, None, Span(section.placed[0].start, section.end))
    entry = placed.entry
    located = Located(entry.value, entry.key, placed.shift, entry.anchors)
    return _descend((*path, str(entry.name)), located, offset)


def _section_at(sections: Sequence[Section], offset: int) -> Section | None:
    near = sections
    if len(sections) > _WIDE:  # few sections are searched one by one: merge keys may make them unordered
        index = bisect_right(sections, offset, key=attrgetter("start"))
        near = sections[max(index - 1, 0) : index]
    return next((section for section in near if section.start <= offset <= section.end), None)


def _descend(path: TreePath, located: Located, offset: int) -> OffsetPlace:
    while True:
        key, node = located.key, located.node
        if key is not None and offset in located.span(Part.KEY):
            return OffsetPlace(path, Part.KEY, key, located.span(Part.KEY))
        below = _written_child(located, offset)
        if below is None:
            inside = offset in located.span() and not isinstance(node, MappingNode | SequenceNode)
            return OffsetPlace(path, Part.VALUE, node if inside else None, located.span())
        path, located = (*path, below[0]), below[1]


def _written_child(located: Located, offset: int) -> tuple[str | int, Located] | None:
    """Return the child of a map or list at an offset; the first of two adjacent ones."""
    node, shift, anchors = located.node, located.shift, located.anchors
    at = offset - shift
    if isinstance(node, MappingNode):
        index = bisect_left(node.pairs, at, key=lambda pair: max(pair[0].end, pair[1].end))
        if index < len(node.pairs) and node.pairs[index][0].start <= at:
            key, value = node.pairs[index]
            return str(key_data(key)), Located(value, key, shift, anchors)
    if isinstance(node, SequenceNode):
        index = bisect_left(node.items, at, key=attrgetter("end"))
        if index < len(node.items) and node.items[index].start <= at:
            return index, Located(node.items[index], None, shift, anchors)
    return None


def whole_section(section: Section) -> Located:
    """Return a section as a map node; offsets of entries that were read one by one are relative to the entry."""
    if section.value is not None:
        anchors = section.placed[0].entry.anchors if section.placed else section.anchors
        return Located(section.value, section.key, section.shift, anchors)
    pairs: list[tuple[Node, Node]] = [(placed.entry.key, placed.entry.value) for placed in section.placed]
    end = section.end - section.shift
    start = section.placed[0].start - section.shift if section.placed else end
    return Located(MappingNode(start, end, pairs), section.key, section.shift)


def _root(reading: Reading) -> Located | None:
    if reading.tree is not None and reading.tree.root is not None:
        return Located(reading.tree.root, None, reading.shift, reading.tree.anchors)
    if not reading.sections:
        return None
    pairs = [(section.key, whole_section(section).node) for section in reading.sections]
    return Located(MappingNode(reading.sections[0].start, max(s.end for s in reading.sections), pairs), None, 0)
