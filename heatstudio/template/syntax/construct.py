"""Construction of plain data from nodes, as Heat receives the data: loaded from YAML and sent as JSON.

heat/common/template_format.py; heatclient/common/http.py. JSON keys are strings: `5` and `on` are "5" and "true".
"""

import json
from collections.abc import Hashable, Iterator, Mapping
from functools import lru_cache
from typing import cast

import yaml
from msgspec import Struct

from heatstudio.template.syntax.nodes import (
    JSON_LITERAL,
    AliasNode,
    MappingNode,
    Node,
    Scalar,
    ScalarNode,
    SequenceNode,
    SyntaxProblem,
    Tree,
    children,
    walk,
)
from heatstudio.template.syntax.yaml_reader import DEPTH_LIMIT
from heatstudio.text import Severity, Span

_TAG = "tag:yaml.org,2002:"
_RESOLVERS = yaml.SafeLoader.yaml_implicit_resolvers
_REPEATABLE = (ValueError, IndexError, KeyError, OverflowError)
"""The exceptions of the loader for invalid numbers, such as `0b_` or `!!int ""`."""
_SHORT = 100
"""Maximum length of a plain scalar whose value is cached."""
_LONGEST_SEXAGESIMAL = 10_000
"""Maximum length of a number such as `1:30:59`; the loader's time grows quadratically with it."""
NODE_BUDGET = 200_000
"""The maximum number of expanded nodes, ten times the number in the largest real templates."""


class Construction(Struct, frozen=True):
    """Plain data and its problems; if not `whole`, Heat rejects the text, and the data is incomplete."""

    data: object
    problems: tuple[SyntaxProblem, ...] = ()
    whole: bool = True
    expands: bool = True
    """Whether aliases can be expanded; if not, they must not be followed."""
    size: int = 0
    """Number of nodes after alias expansion; 0 for a tree without aliases, tags and merge keys."""


def to_data(node: Node, anchors: Mapping[str, Node] | None = None) -> object:
    """Return the plain data of a node: the last of duplicate keys applies, and rejected parts are read leniently."""
    return construct(Tree(node, anchors or {})).data


def construct(tree: Tree) -> Construction:
    """Return the plain data of a tree with all problems of its keys and values."""
    if tree.root is None:
        return Construction(None)
    doubled: list[MappingNode] = []
    try:
        data = _simple(tree.root, doubled)
    except (_UnusualError, yaml.YAMLError, *_REPEATABLE):
        return _exact(tree)
    problems = tuple(problem for mapping in doubled for problem in _duplicates(mapping))
    return Construction(data, problems)


def key_data(node: Node) -> str | None:
    """Return a scalar key as JSON text; None for any other key."""
    return _key_text(_lenient_scalar(node)) if isinstance(node, ScalarNode) else None


def loaded_key(node: Node) -> Scalar:
    """Return a scalar key as the YAML loader makes it (`1` and `true` are equal); None for any other key."""
    return _lenient_scalar(node) if isinstance(node, ScalarNode) else None


def _key_text(key: object) -> str:
    return key if isinstance(key, str) else json.dumps(key, default=str)


class _UnusualError(Exception):
    """An error for a construct that the fast path does not support: a tag, an alias or a complex key."""


class _HeatConstructor(yaml.constructor.SafeConstructor):
    """The constructor of Heat's loader: timestamps stay strings."""

    def construct_text(self, node: yaml.ScalarNode) -> str:
        """Return the text of a scalar."""
        return self.construct_scalar(node)

    def construct_number(self, node: yaml.ScalarNode) -> int:
        """Return an integer; raise ValueError if it has too many digits for decimal notation, as in JSON."""
        number = self.construct_yaml_int(node)
        str(number)  # raises ValueError if it has too many digits
        return number


_HeatConstructor.yaml_constructors = {
    **_HeatConstructor.yaml_constructors,
    f"{_TAG}str": _HeatConstructor.construct_text,
    f"{_TAG}timestamp": _HeatConstructor.construct_text,
    f"{_TAG}int": _HeatConstructor.construct_number,
}


def plain_tag(text: str) -> str:
    """Return the tag that YAML 1.1 gives to a plain scalar."""
    for tag, pattern in _RESOLVERS.get(text[:1], ()):
        if pattern.match(text):
            return cast("str", tag)
    return _TAG + "str"


def is_text(plain: str) -> bool:
    """Return whether a plain scalar is a string."""
    return plain_tag(plain) == _TAG + "str"


def _read_plain(text: str) -> Scalar:
    """Return the value of a plain scalar; raise yaml.YAMLError or one of `_REPEATABLE` if the loader rejects it."""
    if len(text) > _LONGEST_SEXAGESIMAL and ":" in text:
        return text
    tag = plain_tag(text)
    if tag == _TAG + "str":
        return text
    return cast("Scalar", _HeatConstructor().construct_document(yaml.ScalarNode(tag, text)))


_plain_value = lru_cache(maxsize=1 << 16)(_read_plain)


def _simple(node: Node, doubled: list[MappingNode]) -> object:
    """Return the data of a tree without tags, aliases and merge keys; maps with duplicate keys are added to `doubled`.

    Raise _UnusualError, or the loader's errors for a scalar.
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
            name = "=" if key.value == "=" and key.tag is None else _simple_scalar(key)
            result[name] = _simple_scalar(value) if isinstance(value, ScalarNode) else _simple(value, doubled)
        if not all(type(name) is str for name in result):
            result = {_key_text(name): value for name, value in result.items()}
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
        return (_plain_value if len(node.value) <= _SHORT else _read_plain)(node.value)
    return node.value if node.style != JSON_LITERAL else cast("Scalar", json.loads(node.value))


def _duplicates(mapping: MappingNode) -> Iterator[SyntaxProblem]:
    seen: set[object] = set()
    for key, _ in mapping.pairs:
        names = {loaded_key(key), key_data(key)}
        if is_merge(key) or not isinstance(key, ScalarNode):
            continue
        if names & seen:
            yield duplicate_key(key)
        seen |= names


def duplicate_key(key: Node) -> SyntaxProblem:
    """Return the problem of a duplicate key."""
    message = f"Duplicate key `{key_data(key)}`; Heat uses the last one."
    return SyntaxProblem("duplicate-key", message, Span(key.start, key.end), Severity.WARNING)


def is_merge(key: Node) -> bool:
    """Return whether a key is the `<<` that merges maps."""
    return isinstance(key, ScalarNode) and key.value == "<<" and key.style == "" and key.tag is None


def _exact(tree: Tree) -> Construction:
    """Return the data from the loader's own constructor, or its error with leniently read data."""
    root = tree.root
    if root is None:
        return Construction(None)
    size = expanded_size(root, tree.anchors)
    if isinstance(size, SyntaxProblem):
        return Construction(_lenient(root, {}), (size,), whole=False, expands=False)
    duplicates = tuple(problem for node in walk(root) if isinstance(node, MappingNode) for problem in _duplicates(node))
    copies: dict[int, yaml.Node] = {}
    try:
        data = _as_json(_HeatConstructor().construct_document(_yaml_node(root, tree.anchors, copies)), {})
    except yaml.MarkedYAMLError as error:
        at = error.problem_mark.index if error.problem_mark else root.start
        problem = _refusal(root, at, error.problem or "")
    except _REPEATABLE:
        problem = _refused_scalar(root)
    else:
        return Construction(data, duplicates, size=size)
    return Construction(_lenient(root, tree.anchors), (problem, *duplicates), whole=False, size=size)


def _as_json(value: object, known: dict[int, object]) -> object:
    """Return the data after transport as JSON; a node with several aliases stays one object.

    Raise yaml.MarkedYAMLError for a key that JSON cannot have.
    """
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if not isinstance(value, (dict, list, tuple, set)):
        return value
    if id(value) not in known:
        if isinstance(value, dict):
            if any(isinstance(key, bytes) for key in value):
                raise yaml.MarkedYAMLError(problem="found binary key")
            known[id(value)] = {_key_text(key): _as_json(item, known) for key, item in value.items()}
        else:
            known[id(value)] = [_as_json(item, known) for item in value]
    return known[id(value)]


def _yaml_node(node: Node, anchors: Mapping[str, Node], copies: dict[int, yaml.Node]) -> yaml.Node:
    """Convert a node to the loader's node; an alias becomes the same object as the node of its anchor."""
    if isinstance(node, AliasNode):
        # Only a text with a syntax error has an alias without its anchor.
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
    is_plain = bool(node.value) if node.tag == "!" else node.style == ""
    return plain_tag(node.value) if is_plain else _TAG + "str"


_REFUSALS = {
    "could not determine a constructor": (
        "unknown-tag",
        "Unknown tag. Write the function as a map, or quote the text.",
    ),
    "found binary key": ("complex-key", "Binary data cannot be a key. Quote it if it is text."),
    "found unhashable key": ("complex-key", "A list or map cannot be a key. Quote it if it is text."),
    "for merging": ("merge-key", "Only a map, or a list of maps, can be merged with `<<`."),
}


def _refusal(root: Node, at: int, reason: str) -> SyntaxProblem:
    node = min((node for node in walk(root) if node.start == at), key=lambda node: node.end, default=root)
    for sign, (code, message) in _REFUSALS.items():
        if sign in reason:
            return SyntaxProblem(code, message, Span(node.start, node.end))
    return SyntaxProblem("invalid-value", f"Heat cannot read this value: {reason}.", Span(node.start, node.end))


def _refused_scalar(root: Node) -> SyntaxProblem:
    message = "This looks like a number but is not valid. Put it in quotes."
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
    """Return the partial data of a rejected text, without keys that are not scalars and without tags of containers."""
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


def expanded_size(root: Node, anchors: Mapping[str, Node]) -> int | SyntaxProblem:
    """Return the number of expanded nodes, or the problem of a recursive alias or of too many nodes or levels."""
    measured: dict[int, tuple[int, int]] = {}
    opened: set[int] = set()
    waiting = [root]
    while waiting:
        node = waiting[-1]
        if id(node) in measured:
            waiting.pop()
            continue
        below = _below(node, anchors)
        missing = [child for child in below if id(child) not in measured]
        if missing:
            if id(node) in opened:
                # A child is also open, so the node contains itself.
                return _problem(node, "This alias contains itself.")
            opened.add(id(node))
            looping = next((child for child in missing if id(child) in opened), None)
            if looping is not None:
                return _problem(node, "This value contains itself through an alias.")
            waiting.extend(missing)
            continue
        waiting.pop()
        size = 1 + sum(measured[id(child)][0] for child in below)
        depth = 1 + max((measured[id(child)][1] for child in below), default=0)
        if size > NODE_BUDGET:
            return _problem(node, f"Expanding the aliases gives more than {NODE_BUDGET} values.")
        if depth > DEPTH_LIMIT + 1:
            return _problem(node, f"The expanded aliases nest more than {DEPTH_LIMIT} levels deep.")
        measured[id(node)] = size, depth
    return measured[id(root)][0]


def _below(node: Node, anchors: Mapping[str, Node]) -> list[Node]:
    if isinstance(node, AliasNode):
        return [anchors[node.target]] if node.target in anchors else []
    return list(children(node))


def _problem(node: Node, message: str) -> SyntaxProblem:
    return SyntaxProblem("too-large", message, Span(node.start, node.end))
