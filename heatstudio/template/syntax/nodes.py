"""The nodes and the syntax problems of a parsed text, with their positions.

Offsets count code points from the start of the text that was parsed: the whole text, or the text of one entry.
Nodes are immutable.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct, field

from heatstudio.text import Severity, Span

Scalar = str | int | float | bool | None
Key = str | int | float | bool | None
TreePath = tuple[str | int, ...]

BLOCK_STYLES = ("|", ">")
"""The styles of block scalars."""
JSON_LITERAL = "json"
"""The style of a JSON number or literal, which JSON reads differently from YAML."""


class Node(Struct, frozen=True, eq=False):
    """A node of the text from `start` up to but not including `end`."""

    start: int
    end: int


class ScalarNode(Node, frozen=True, eq=False):
    """A scalar: its text without quotes, its style ("" for plain, a quote, "|", ">", JSON_LITERAL) and explicit tag."""

    value: str
    style: str = ""
    tag: str | None = None


class SequenceNode(Node, frozen=True, eq=False):
    """A list; `flow` is the `[a, b]` form."""

    items: list[Node]
    flow: bool = False
    tag: str | None = None


class MappingNode(Node, frozen=True, eq=False):
    """A map; `flow` is the `{a: b}` form. Duplicate keys are kept in text order."""

    pairs: list[tuple[Node, Node]]
    flow: bool = False
    tag: str | None = None


class AliasNode(Node, frozen=True, eq=False):
    """A reference to an anchor of the same text; not expanded."""

    target: str


class SyntaxProblem(Struct, frozen=True):
    """A syntax problem: a kebab-case code, a message that names the fix if possible, and the position."""

    code: str
    message: str
    span: Span
    severity: Severity = Severity.ERROR

    def shifted(self, by: int) -> SyntaxProblem:
        """Return the problem moved by a number of code points."""
        return SyntaxProblem(self.code, self.message, self.span.shifted(by), self.severity) if by else self


class Tree(Struct, frozen=True):
    """The nodes of a text up to its first error."""

    root: Node | None
    anchors: Mapping[str, Node] = field(default_factory=dict)
    problem: SyntaxProblem | None = None
    shared: bool = False
    """Whether the text has anchors or aliases."""


def children(node: Node) -> Iterator[Node]:
    """Yield the nodes directly below a node, keys included, in text order."""
    if isinstance(node, MappingNode):
        for key, value in node.pairs:
            yield key
            yield value
    elif isinstance(node, SequenceNode):
        yield from node.items


def walk(node: Node) -> Iterator[Node]:
    """Yield a node and all nodes below it; aliases are not followed."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(children(node))
