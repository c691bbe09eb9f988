"""Sections of a template and their entries."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from msgspec import Struct, field
from msgspec.structs import replace

from heatstudio.template.syntax.nodes import Key, Node, SyntaxProblem


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
