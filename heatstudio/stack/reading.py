"""Notes of what an evaluation looked at, so that its result can be kept while that stays the same."""

from __future__ import annotations

from collections.abc import Hashable
from enum import IntEnum, auto
from typing import Protocol

from msgspec import Struct

from heatstudio.stack.functions.stack_view import StackView
from heatstudio.stack.resource_proxy import ParentResourceProxy, ResourceProxy
from heatstudio.stack.unknown import Unknown


class ReadKind(IntEnum):
    """What can be looked at."""

    PARAMETER = auto()
    RESOURCE = auto()
    CONDITION = auto()
    FILE = auto()
    MAPPING = auto()
    PARENT = auto()
    NAMES = auto()
    """The names of all resources."""
    DEFINITION = auto()
    """What is written of a resource."""


class Identity:
    """An object that equals only itself."""

    __slots__ = ("_value",)

    def __init__(self, value: object) -> None:
        self._value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Identity) and self._value is other._value

    def __hash__(self) -> int:
        return id(self._value)


class Read(Struct, frozen=True, eq=False):
    """One thing that was looked at, and what was seen; a stack makes one of each."""

    kind: ReadKind
    name: Hashable
    seen: Hashable


class Observable(StackView, Protocol):
    """A stack that tells what there is to see."""

    def read(self, kind: ReadKind, name: Hashable) -> Read:
        """What a function sees of one thing."""
        ...


class RecordingView:
    """A stack as functions see it, which notes what they look at."""

    def __init__(self, stack: Observable, reads: set[Read]) -> None:
        self._stack = stack
        self._reads = reads

    def _note(self, kind: ReadKind, name: object) -> None:
        if name is None or isinstance(name, (str, int, float)):
            self._reads.add(self._stack.read(kind, name))

    def parameter(self, name: str) -> object:
        """The value of a parameter."""
        self._note(ReadKind.PARAMETER, name)
        return self._stack.parameter(name)

    def resource(self, name: object) -> ResourceProxy:
        """The proxy of a resource."""
        self._note(ReadKind.RESOURCE, name)
        return self._stack.resource(name)

    def names_resource(self, name: object) -> bool:
        """Whether the template has a resource of this name."""
        self._note(ReadKind.RESOURCE, name)
        return self._stack.names_resource(name)

    def condition(self, name: object) -> bool | Unknown:
        """Whether a condition holds."""
        self._note(ReadKind.CONDITION, name)
        return self._stack.condition(name)

    def file(self, name: str) -> str | Unknown | None:
        """The content of a file."""
        self._note(ReadKind.FILE, name)
        return self._stack.file(name)

    def mapping(self, name: object) -> object:
        """One map of the section of mappings."""
        self._note(ReadKind.MAPPING, name)
        return self._stack.mapping(name)

    def availability_zones(self) -> object:
        """The availability zones; they do not change while a template is open."""
        return self._stack.availability_zones()

    @property
    def parent_resource(self) -> ParentResourceProxy | None:
        """The facade."""
        self._note(ReadKind.PARENT, None)
        return self._stack.parent_resource
