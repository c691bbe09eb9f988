"""The nodes, sections, entries and syntax problems of a parsed text, with their positions.

Offsets count code points from the start of the text that was parsed: the whole text, or the text of one entry.
Nodes are immutable.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from msgspec import Struct, field
from msgspec.structs import replace

from heatstudio.text import Severity, Span

Scalar = str | int | float | bool | None
Key = str | int | None
"""A scalar key as JSON text, or the index of a list item; None for any other key."""
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


class Entry(Struct, frozen=True, eq=False):
    """A pair in a section, such as one resource; the object is reused as long as its text does not change.

    Offsets are relative to the start of the parsed text; a `ShiftedEntry` has their current shift.
    """

    name: Key
    key: Node
    value: Node
    text: str
    """The source: from the start of the line if the entry was parsed on its own, otherwise from the key."""
    data: object
    """The plain data of the value."""
    problems: tuple[SyntaxProblem, ...] = ()
    complete: bool = True
    """False if an error ended parsing, so that the text may contain more than the data."""
    anchors: Mapping[str, Node] = field(default_factory=dict)
    reusable: bool = True
    """Whether the text alone determines the entry: it has no error, and the parsed text has no anchors or aliases."""


class ShiftedEntry(Struct, frozen=True, eq=False):
    """An entry with the shift of its offsets."""

    entry: Entry
    shift: int

    @property
    def start(self) -> int:
        """The offset of its key."""
        return self.entry.key.start + self.shift

    @property
    def end(self) -> int:
        """The end offset of its value."""
        return max(self.entry.value.end, self.entry.key.end) + self.shift


class Section(Struct, frozen=True, eq=False, dict=True):
    """A top-level pair of a template, such as `resources`."""

    name: Key
    key: Node
    value: Node | None
    """None if the entries were read one by one."""
    data: object
    placed: tuple[ShiftedEntry, ...] = ()
    """The entries in text order, duplicates included."""
    anchors: Mapping[str, Node] = field(default_factory=dict)
    shift: int = 0

    @cached_property
    def by_name(self) -> Mapping[Key, ShiftedEntry]:
        """The last entry of each name, with its shift."""
        return {item.entry.name: item for item in self.placed}

    @cached_property
    def entries(self) -> Mapping[Key, Entry]:
        """The last entry of each name."""
        return {item.entry.name: item.entry for item in self.placed}

    @property
    def start(self) -> int:
        """The offset of its key."""
        return self.key.start + self.shift

    @property
    def end(self) -> int:
        """The end offset of its value."""
        if self.value is not None:
            return max(self.value.end, self.key.end) + self.shift
        return self.placed[-1].end if self.placed else self.key.end + self.shift

    def shifted(self, by: int) -> Section:
        """Return the section moved by a number of code points."""
        placed = tuple(ShiftedEntry(item.entry, item.shift + by) for item in self.placed)
        return replace(self, placed=placed, shift=self.shift + by)
