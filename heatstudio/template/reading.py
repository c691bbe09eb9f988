"""Reads a text as a whole into sections and entries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from heatstudio.template.construct import construct, is_merge, key_data, to_data
from heatstudio.template.entry import Entry, PlacedEntry, Section
from heatstudio.template.json_reader import read_json
from heatstudio.template.nodes import AliasNode, Key, MappingNode, Node, SequenceNode, Tree
from heatstudio.template.problem import SyntaxProblem
from heatstudio.template.split import SectionCut, split
from heatstudio.template.yaml_reader import read_yaml

Pair = tuple[Node, Node]
Known = Mapping[tuple[Key, str], Entry]
"""The entries of an earlier reading by section and text."""


class Reading(Struct, frozen=True):
    """What was read: the sections in text order, duplicates included; `tree` only if the text was read as a whole."""

    sections: tuple[Section, ...]
    data: object
    problems: tuple[SyntaxProblem, ...] = ()
    complete: bool = True
    json: bool = False
    tree: Tree | None = None
    shift: int = 0
    """How far the offsets of the tree are to be shifted."""


def read_whole(text: str, known: Known, *, allow_json: bool = True) -> Reading:
    """Read a text as Heat reads templates: as JSON, and if it is none, as YAML."""
    tree = read_json(text) if allow_json else None
    is_json = tree is not None
    if tree is None:
        tree = read_yaml(text)
    construction = construct(tree)
    problems = (*((tree.problem,) if tree.problem else ()), *construction.problems)
    complete = tree.problem is None and construction.whole
    sections: tuple[Section, ...] = ()
    data = construction.data
    if isinstance(tree.root, MappingNode) and isinstance(data, dict):
        cuts = () if is_json or tree.shared or not complete else split(text) or ()
        sections = tuple(
            Divider(text, tree, known, construction.problems, cuts).sections(
                merged_pairs(tree.root, tree.anchors), data
            )
        )
        data = {**data, **{section.name: section.data for section in sections}}
    return Reading(sections, data, problems, complete, is_json, tree)


class Divider:
    """Divides a tree into sections and entries; what is as it was stays the same object."""

    def __init__(
        self,
        text: str,
        tree: Tree,
        known: Known,
        problems: tuple[SyntaxProblem, ...] = (),
        cuts: Iterable[SectionCut] = (),
    ) -> None:
        self._text = text
        self._problems = problems
        self._tree = tree
        self._reusable = known if not tree.shared and tree.problem is None else {}
        self._pieces = {piece.start + piece.indent: piece for cut in cuts for piece in cut.entries}

    def sections(self, pairs: Iterable[Pair], data: Mapping[object, object]) -> Iterator[Section]:
        """The sections that the pairs at the top are, with the data of the whole."""
        anchors = self._tree.anchors
        for key, value, name, below in _with_data(pairs, data, anchors):
            target = followed(value, anchors)
            placed: tuple[PlacedEntry, ...] = ()
            if isinstance(target, MappingNode) and isinstance(below, dict):
                placed = tuple(self._entries(name, target, below))
                below |= {item.entry.name: item.entry.data for item in placed}
            yield Section(name, key, value, shift=0, data=below, placed=placed, anchors=anchors)

    def _entries(self, section: Key, mapping: MappingNode, data: Mapping[object, object]) -> Iterator[PlacedEntry]:
        tree = self._tree
        for key, value, name, own_data in _with_data(merged_pairs(mapping, tree.anchors), data, tree.anchors):
            piece = self._pieces.get(key.start)
            if piece is not None and value.end <= piece.end:
                text = self._text[piece.start : piece.end]
            else:
                text = self._text[self._text.rfind("\n", 0, key.start) + 1 : max(key.end, value.end)]
            old = self._reusable.get((section, text))
            if old is not None and old.name == name and old.data == own_data:
                yield PlacedEntry(old, key.start - old.key.start)
            else:
                problems = self._problems_within(key, value)
                entry = Entry(name, key, value, text, own_data, problems, tree.problem is None, tree.anchors)
                yield PlacedEntry(entry, 0)

    def _problems_within(self, key: Node, value: Node) -> tuple[SyntaxProblem, ...]:
        if not self._problems:
            return ()
        return tuple(problem for problem in self._problems if key.end <= problem.span.start < value.end)


def _with_data(
    pairs: Iterable[Pair], data: Mapping[object, object], anchors: Mapping[str, Node]
) -> Iterator[tuple[Node, Node, Key, object]]:
    """The pairs with name and data; the data of the map belongs to the last pair of each name."""
    named = [(key_data(key), key, value) for key, value in pairs]
    last = {name: value for name, _, value in named}
    for name, key, value in named:
        yield key, value, name, data.get(name) if last[name] is value else to_data(value, anchors)


def merged_pairs(node: Node | None, anchors: Mapping[str, Node], seen: frozenset[int] = frozenset()) -> list[Pair]:
    """The pairs of a map; those that merge keys bring in come first, so that the last of a name counts (as in Heat)."""
    mapping = followed(node, anchors)
    if not isinstance(mapping, MappingNode) or id(mapping) in seen:
        return []
    own: list[Pair] = []
    merged: list[Pair] = []
    for key, value in mapping.pairs:
        if not is_merge(key):
            own.append((key, value))
            continue
        target = followed(value, anchors)
        sources = reversed(target.items) if isinstance(target, SequenceNode) else (target,)
        for source in sources:
            merged += merged_pairs(source, anchors, seen | {id(mapping)})
    return merged + own if merged else own


def followed(node: Node | None, anchors: Mapping[str, Node]) -> Node | None:
    """The node itself, or that to which an alias refers."""
    for _ in range(len(anchors) + 1):
        if not isinstance(node, AliasNode):
            return node
        node = anchors.get(node.target)
    return None
