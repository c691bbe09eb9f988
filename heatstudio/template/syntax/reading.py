"""Reading of a whole text into sections and entries; JSON first, as in Heat (heat/common/template_format.py)."""

import json
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from operator import attrgetter

from msgspec import Struct

from heatstudio.template.syntax.construct import Construction, construct, is_merge, key_data, loaded_key, to_data
from heatstudio.template.syntax.nodes import (
    JSON_LITERAL,
    AliasNode,
    Entry,
    Key,
    MappingNode,
    Node,
    Scalar,
    ScalarNode,
    Section,
    SequenceNode,
    ShiftedEntry,
    SyntaxProblem,
    Tree,
)
from heatstudio.template.syntax.yaml_reader import DEPTH_LIMIT, TOO_DEEP, read_yaml
from heatstudio.text import Span

_TOKEN = re.compile(r'[ \t\n\r]*(?:("(?:[^"\\]|\\.)*")|([{}\[\],:])|([^ \t\n\r{}\[\],:"]+))', re.DOTALL)
_START = attrgetter("span.start")
Pair = tuple[Node, Node]
Known = Mapping[tuple[Key, str], Entry]
"""The reusable entries of an earlier reading by section and text."""


def read_json(text: str) -> Tree | None:
    """Parse JSON into nodes; None if the text is not valid JSON."""
    try:
        json.loads(text)
    except ValueError:
        return None
    except RecursionError:
        return Tree(None, {}, SyntaxProblem("too-deep", TOO_DEEP, Span(0, len(text))))
    return _read(text)


def _read(text: str) -> Tree:
    top: list[Node] = []
    frames: list[tuple[int, str, list[Node]]] = [(0, "", top)]
    at = 0
    while (found := _TOKEN.match(text, at)) is not None:
        string, sign, literal = found.groups()
        start, at = found.start(found.lastindex or 0), found.end()
        nodes = frames[-1][2]
        if string is not None:
            value = string[1:-1] if "\\" not in string else str(json.loads(string))
            nodes.append(ScalarNode(start, at, value, '"'))
        elif literal is not None:
            nodes.append(ScalarNode(start, at, literal, JSON_LITERAL))
        elif sign in "{[":
            if len(frames) > DEPTH_LIMIT:
                return Tree(None, {}, SyntaxProblem("too-deep", TOO_DEEP, Span(start, at)))
            frames.append((start, sign, []))
        elif sign in "}]":
            opened, bracket, nodes = frames.pop()
            if bracket == "{":
                pairs = list(zip(nodes[::2], nodes[1::2], strict=True))
                frames[-1][2].append(MappingNode(opened, at, pairs, flow=True))
            else:
                frames[-1][2].append(SequenceNode(opened, at, nodes, flow=True))
    return Tree(top[0] if top else None)


class Reading(Struct, frozen=True):
    """The sections of a text in order, including duplicates; `tree` is None if the text was read in chunks."""

    sections: tuple[Section, ...]
    data: object
    problems: tuple[SyntaxProblem, ...] = ()
    complete: bool = True
    json: bool = False
    tree: Tree | None = None
    shift: int = 0
    """The shift of the tree's offsets."""


def read_whole(text: str, known: Known, *, allow_json: bool = True) -> Reading:
    """Read a text as Heat reads templates: as JSON or, if that fails, as YAML."""
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
        divider = Divider(text, tree, known, construction)
        sections = tuple(divider.sections(tree.root, data))
        data = {**data, **{section.name: section.data for section in sections}}
    return Reading(sections, data, problems, complete, is_json, tree)


class Divider:
    """A divider of a tree into sections and entries; it reuses unchanged entries."""

    def __init__(self, text: str, tree: Tree, known: Known, construction: Construction) -> None:
        self._text = text
        self._problems = sorted(construction.problems, key=_START)
        self._tree = tree if construction.expands else Tree(tree.root, {}, tree.problem, tree.shared)
        self._is_reusable = construction.whole and tree.problem is None and not tree.shared
        self._known = known if self._is_reusable else {}

    def sections(self, root: Node | None, data: Mapping[object, object]) -> Iterator[Section]:
        """Yield the root's pairs as sections with their data."""
        anchors = self._tree.anchors
        for key, value, name, below in _with_data(merged_pairs(root, anchors), data, anchors):
            target = followed(value, anchors)
            placed: tuple[ShiftedEntry, ...] = ()
            if isinstance(target, MappingNode) and isinstance(below, dict):
                placed = tuple(self._entries(name, target, below))
                below |= {item.entry.name: item.entry.data for item in placed}
            yield Section(name, key, value, below, placed, anchors)

    def _entries(self, section: Key, mapping: MappingNode, data: Mapping[object, object]) -> Iterator[ShiftedEntry]:
        tree = self._tree
        for key, value, name, own_data in _with_data(merged_pairs(mapping, tree.anchors), data, tree.anchors):
            text = self._text[key.start : max(key.end, value.end)]
            old = self._known.get((section, text))
            if old is not None and old.name == name and old.data == own_data:
                yield ShiftedEntry(old, key.start - old.key.start)
            else:
                problems = self._problems_within(key, value)
                complete = tree.problem is None
                entry = Entry(name, key, value, text, own_data, problems, complete, tree.anchors, self._is_reusable)
                yield ShiftedEntry(entry, 0)

    def _problems_within(self, key: Node, value: Node) -> tuple[SyntaxProblem, ...]:
        first, end = (bisect_left(self._problems, offset, key=_START) for offset in (key.end, value.end))
        return tuple(self._problems[first:end])


def _with_data(
    pairs: Iterable[Pair], data: Mapping[object, object], anchors: Mapping[str, Node]
) -> Iterator[tuple[Node, Node, Key, object]]:
    """Yield the pairs with their names and data; the map's data belongs to the last pair of each name."""
    names: dict[object, Key] = {}
    named: list[tuple[Key, Node, Node]] = []
    for key, value in pairs:
        written = followed(key, anchors) or key
        named.append((names.setdefault(loaded_key(written), key_data(written)), key, value))
    last = {name: value for name, _, value in named}
    for name, key, value in named:
        yield key, value, name, data.get(name) if last[name] is value else to_data(value, anchors)


def merged_pairs(node: Node | None, anchors: Mapping[str, Node]) -> list[Pair]:
    """Return the pairs from merge keys, then a map's own pairs, so that the last pair of a name applies as in Heat.

    The pairs from merge keys include only the effective pair of each name.
    """
    mapping = followed(node, anchors)
    if not isinstance(mapping, MappingNode):
        return []
    if not any(is_merge(key) for key, _ in mapping.pairs):
        return mapping.pairs
    merged = _effective(_merged(mapping, anchors, {}), anchors)
    return [*merged, *(pair for pair in mapping.pairs if not is_merge(pair[0]))]


def _merged(mapping: MappingNode, anchors: Mapping[str, Node], known: dict[int, list[Pair]]) -> Iterator[Pair]:
    """Yield the pairs that merge keys bring into a map, the effective one of each name last; `known` caches maps."""
    for value in (value for key, value in mapping.pairs if is_merge(key)):
        target = followed(value, anchors)
        for item in reversed(target.items) if isinstance(target, SequenceNode) else (target,):
            source = followed(item, anchors)
            if isinstance(source, MappingNode) and id(source) not in known:
                known[id(source)] = []  # ends the recursion of a map that merges itself
                own = (pair for pair in source.pairs if not is_merge(pair[0]))
                known[id(source)] = _effective(chain(_merged(source, anchors, known), own), anchors)
            yield from known.get(id(source), ())


def _effective(pairs: Iterable[Pair], anchors: Mapping[str, Node]) -> list[Pair]:
    """Return the last value of each name; the loader keeps the first of equal keys, such as `1` and `true`."""
    found: dict[Scalar, Pair] = {}
    for key, value in pairs:
        written = followed(key, anchors) or key
        first, _ = found.get(loaded_key(written), (key, value))
        is_same = key_data(followed(first, anchors) or first) == key_data(written)
        found[loaded_key(written)] = (key if is_same else first, value)
    return list(found.values())


def followed(node: Node | None, anchors: Mapping[str, Node]) -> Node | None:
    """Return the node, or the target if it is an alias; None for an alias without a target."""
    for _ in range(len(anchors) + 1):
        if not isinstance(node, AliasNode):
            return node
        node = anchors.get(node.target)
    return None
