"""Makes plain data of nodes, exactly as Heat's YAML loader does (heat/common/template_format.py)."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator, Mapping
from functools import lru_cache
from typing import cast

import yaml
from msgspec import Struct

from heatstudio.template.expansion import too_large_when_expanded
from heatstudio.template.nodes import (
    JSON_LITERAL,
    AliasNode,
    Key,
    MappingNode,
    Node,
    Scalar,
    ScalarNode,
    SequenceNode,
    Tree,
    walk,
)
from heatstudio.template.problem import SyntaxProblem
from heatstudio.text import Severity, Span

_TAG = "tag:yaml.org,2002:"
_RESOLVERS = yaml.SafeLoader.yaml_implicit_resolvers
_REPEATABLE = (ValueError, IndexError, KeyError)
"""What the loader raises for scalars that look like a number and are none, such as `0b_` or `!!int ""`."""


class Construction(Struct, frozen=True):
    """Plain data and the problems met; if not `whole`, Heat refuses the text, and the data is what can be told."""

    data: object
    problems: tuple[SyntaxProblem, ...] = ()
    whole: bool = True


def to_data(node: Node, anchors: Mapping[str, Node] | None = None) -> object:
    """The plain data of a node; of duplicate keys the last wins, and what Heat refuses is read as well as can be."""
    return construct(Tree(node, anchors or {})).data


def construct(tree: Tree) -> Construction:
    """The plain data of a tree with all problems of values and keys."""
    if tree.root is None:
        return Construction(None)
    doubled: list[MappingNode] = []
    try:
        data = _simple(tree.root, doubled)
    except (_UnusualError, yaml.YAMLError, *_REPEATABLE):
        return _exact(tree)
    problems = tuple(problem for mapping in doubled for problem in _duplicates(mapping))
    return Construction(data, problems)


def key_data(node: Node) -> Key:
    """The data of a scalar key; a key that is no scalar gives None."""
    if not isinstance(node, ScalarNode):
        return None
    return _lenient_scalar(node)


class _UnusualError(Exception):
    """Something that the quick way does not know: a tag, an alias, a merge key, a value that is refused."""


class _HeatConstructor(yaml.constructor.SafeConstructor):
    """The constructor of Heat's loader: timestamps stay text."""

    def construct_text(self, node: yaml.ScalarNode) -> str:
        """A scalar as it is written."""
        return self.construct_scalar(node)


for _kind in ("str", "timestamp"):
    _HeatConstructor.yaml_constructors = {
        **_HeatConstructor.yaml_constructors,
        _TAG + _kind: _HeatConstructor.construct_text,
    }


def plain_tag(text: str) -> str:
    """The tag that YAML 1.1 gives to a plain scalar."""
    for tag, pattern in _RESOLVERS.get(text[:1], ()):
        if pattern.match(text):
            return cast("str", tag)
    return _TAG + "str"


@lru_cache(maxsize=1 << 16)
def plain_value(text: str) -> Scalar:
    """The value of a plain scalar; raises yaml.YAMLError or ValueError if the loader refuses it."""
    tag = plain_tag(text)
    if tag == _TAG + "str":
        return text
    return cast("Scalar", _HeatConstructor().construct_document(yaml.ScalarNode(tag, text)))


def _simple(node: Node, doubled: list[MappingNode]) -> object:
    """The data of a tree without tags, aliases and merge keys; maps with duplicate keys are added to `doubled`.

    Raises _UnusualError, or what the loader raises for a scalar.
    """
    if isinstance(node, ScalarNode):
        return _simple_scalar(node)
    if isinstance(node, MappingNode):
        if node.tag is not None:
            raise _UnusualError
        result: dict[object, object] = {}
        for key, value in node.pairs:
            if not isinstance(key, ScalarNode):
                raise _UnusualError
            name = "=" if key.value == "=" else _simple_scalar(key)
            result[name] = _simple_scalar(value) if isinstance(value, ScalarNode) else _simple(value, doubled)
        if len(result) != len(node.pairs):
            doubled.append(node)
        return result
    if isinstance(node, SequenceNode) and node.tag is None:
        return [_simple(item, doubled) for item in node.items]
    raise _UnusualError


def _simple_scalar(node: ScalarNode) -> Scalar:
    if node.tag is not None:
        raise _UnusualError
    if not node.style:
        return plain_value(node.value)
    return node.value if node.style != JSON_LITERAL else cast("Scalar", json.loads(node.value))


def _duplicates(mapping: MappingNode) -> Iterator[SyntaxProblem]:
    seen: set[object] = set()
    for key, _ in mapping.pairs:
        name = key_data(key)
        if is_merge(key) or not isinstance(key, ScalarNode):
            continue
        if name in seen:
            yield duplicate_key(key)
        seen.add(name)


def duplicate_key(key: Node) -> SyntaxProblem:
    """The problem of a key that its map has already."""
    message = f'The key "{key_data(key)}" is in this map twice; Heat takes the last one: rename or remove one of them.'
    return SyntaxProblem("duplicate-key", message, Span(key.start, key.end), Severity.WARNING)


def is_merge(key: Node) -> bool:
    """Whether a key is the `<<` that merges maps."""
    return isinstance(key, ScalarNode) and key.value == "<<" and key.style == "" and key.tag is None


def _exact(tree: Tree) -> Construction:
    """The data as the loader's own constructor makes it, or the loader's refusal with the data as well as can be."""
    root = tree.root
    if root is None:
        return Construction(None)
    refusal = too_large_when_expanded(root, tree.anchors)
    if refusal is not None:
        return Construction(_lenient(root, {}), (refusal,), whole=False)
    duplicates = tuple(problem for node in walk(root) if isinstance(node, MappingNode) for problem in _duplicates(node))
    copies: dict[int, yaml.Node] = {}
    try:
        data: object = _HeatConstructor().construct_document(_yaml_node(root, tree.anchors, copies))
    except yaml.MarkedYAMLError as error:
        at = error.problem_mark.index if error.problem_mark else root.start
        problem = _refusal(root, at, error.problem or "")
    except _REPEATABLE:
        problem = _refused_scalar(root)
    else:
        return Construction(data, duplicates)
    return Construction(_lenient(root, tree.anchors), (problem, *duplicates), whole=False)


def _yaml_node(node: Node, anchors: Mapping[str, Node], copies: dict[int, yaml.Node]) -> yaml.Node:
    """The loader's form of a node; an alias is the very node of its anchor."""
    if isinstance(node, AliasNode):
        # Only a text with an error has an alias without its anchor.
        node = anchors.get(node.target, ScalarNode(node.start, node.end, ""))
    if id(node) in copies:
        return copies[id(node)]
    mark = yaml.Mark("", node.start, 0, 0, None, 0)
    copy: yaml.Node
    if isinstance(node, MappingNode):
        pairs = [(_yaml_node(key, anchors, copies), _yaml_node(value, anchors, copies)) for key, value in node.pairs]
        copy = yaml.MappingNode(node.tag or _TAG + "map", pairs, mark, mark)
    elif isinstance(node, SequenceNode):
        items = [_yaml_node(item, anchors, copies) for item in node.items]
        copy = yaml.SequenceNode(node.tag or _TAG + "seq", items, mark, mark)
    else:
        scalar = cast("ScalarNode", node)
        copy = yaml.ScalarNode(_scalar_tag(scalar), scalar.value, mark, mark)
    copies[id(node)] = copy
    return copy


def _scalar_tag(node: ScalarNode) -> str:
    if node.tag is not None and node.tag != "!":
        return node.tag
    return plain_tag(node.value) if node.style == "" or node.tag == "!" else _TAG + "str"


_REFUSALS = {
    "could not determine a constructor": (
        "unknown-tag",
        "Heat does not know this tag: write the function as a map, or put the text in quotes.",
    ),
    "found unhashable key": ("complex-key", "A list or map cannot be a key: put it in quotes if it is meant as text."),
    "for merging": ("merge-key", "Only a map, or a list of maps, can be merged by `<<`."),
}


def _refusal(root: Node, at: int, said: str) -> SyntaxProblem:
    node = min((node for node in walk(root) if node.start == at), key=lambda node: node.end, default=root)
    for sign, (code, message) in _REFUSALS.items():
        if sign in said:
            return SyntaxProblem(code, message, Span(node.start, node.end))
    return SyntaxProblem("invalid-value", f"Heat cannot read this value: {said}.", Span(node.start, node.end))


def _refused_scalar(root: Node) -> SyntaxProblem:
    message = "This looks like a number to Heat, but it is none: put it in quotes."
    for node in walk(root):
        if isinstance(node, ScalarNode):
            try:
                _HeatConstructor().construct_document(yaml.ScalarNode(_scalar_tag(node), node.value))
            except yaml.YAMLError:
                continue
            except _REPEATABLE:
                return SyntaxProblem("invalid-value", message, Span(node.start, node.end))
    return SyntaxProblem("invalid-value", message, Span(root.start, root.end))


def _lenient(node: Node, anchors: Mapping[str, Node]) -> object:
    """What can be told of a text that is refused: tags are ignored, keys that are no scalars are left out."""
    if isinstance(node, AliasNode):
        return _lenient(anchors[node.target], anchors) if node.target in anchors else None
    if isinstance(node, MappingNode):
        return {key_data(key): _lenient(value, anchors) for key, value in node.pairs if isinstance(key, ScalarNode)}
    if isinstance(node, SequenceNode):
        return [_lenient(item, anchors) for item in node.items]
    return _lenient_scalar(cast("ScalarNode", node))


def _lenient_scalar(node: ScalarNode) -> Scalar:
    if node.value == "=":
        return "="
    try:
        if node.tag is not None:
            data = _HeatConstructor().construct_document(yaml.ScalarNode(_scalar_tag(node), node.value))
            return cast("Scalar", data) if isinstance(data, Hashable) else node.value
        return _simple_scalar(node)
    except (_UnusualError, yaml.YAMLError, *_REPEATABLE):
        return node.value
