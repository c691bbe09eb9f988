"""Records of what an evaluation read, so that its result can be reused until that changes."""

from collections.abc import Callable, Hashable
from enum import IntEnum, auto
from typing import Generic, Protocol, TypeVar

from msgspec import Struct

from heatstudio.stack.definition.client_files import FileFault
from heatstudio.stack.functions.language import Language
from heatstudio.stack.functions.stack_view import StackView
from heatstudio.stack.functions.supposition import Supposition
from heatstudio.stack.inputs.parameter_schema import ParameterSchema
from heatstudio.stack.resource_definition import ResourceDefinition
from heatstudio.stack.resource_proxy import ParentResourceProxy, ResourceProxy
from heatstudio.stack.unknown import Unknown


class ReadKind(IntEnum):
    """The kinds of recorded reads."""

    PARAMETER = auto()
    """The value of a parameter."""
    DECLARATION = auto()
    """What is written of a parameter."""
    RESOURCE = auto()
    """What functions see of a resource, and whether it is enabled."""
    CONDITION = auto()
    FILE = auto()
    FILE_FAULT = auto()
    """Why python-heatclient fails to read a file."""
    MAPPING = auto()
    PARENT = auto()
    NAMES = auto()
    """The names in a section; of resources those that are enabled."""
    DEFINITION = auto()
    """What is written of a resource."""
    CONDITION_DEFINITION = auto()
    """What is written of a condition."""
    LOADED = auto()
    """The attributes of a resource that Heat loads."""
    CALLED = auto()
    """The names of the functions that the template calls."""
    TYPES = auto()
    """All types with the files that they are read from."""


class Identity:
    """An object that is equal only to itself."""

    __slots__ = ("_value",)

    def __init__(self, value: object) -> None:
        self._value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Identity) and self._value is other._value

    def __hash__(self) -> int:
        return id(self._value)


class Read(Struct, frozen=True, eq=False):
    """One recorded read and its result; a stack creates one of each."""

    kind: ReadKind
    name: Hashable
    seen: Hashable
    supposition: Supposition | None = None
    """The assumption at the time of the read."""


class StackReader(StackView, Protocol):
    """A stack as checks see it: the interface of functions, and the written data."""

    @property
    def language(self) -> Language:
        """The functions and the words of the template's version."""
        ...

    @property
    def supposition(self) -> Supposition | None:
        """What is supposed of conditions and parameters."""
        ...

    @property
    def called_functions(self) -> frozenset[str]:
        """The names of all maps with a single key, be they functions or not."""
        ...

    def names(self, section: str) -> tuple[str, ...]:
        """The names in a section; of resources those that are enabled."""
        ...

    def is_enabled(self, name: str) -> bool | Unknown:
        """Whether a resource is enabled; unknown while its condition is unknown or wrong. Raises KeyError."""
        ...

    def is_uncertain(self, name: str) -> bool:
        """Whether the condition of a resource depends on a value that is missing. Raises KeyError."""
        ...

    def resource_type(self, name: str) -> str:
        """The type of a resource as written, be it disabled. Raises KeyError."""
        ...

    def resource_condition(self, name: str) -> object:
        """The parsed condition of a resource, None if it has none. Raises KeyError."""
        ...

    def resource_definition(self, name: object) -> ResourceDefinition:
        """The definition of a resource, be it disabled. Raises KeyError, and TypeError if unhashable."""
        ...

    def declaration(self, name: str) -> object:
        """What is written of a parameter; None if it is not declared."""
        ...

    def schema(self, name: str) -> ParameterSchema | None:
        """The schema of a parameter; None if there is no such parameter or its declaration is wrong."""
        ...

    def file_fault(self, name: str) -> FileFault | None:
        """Why python-heatclient fails to read a file that the template names."""
        ...

    def loaded_attributes(self, name: str) -> frozenset[str]:
        """The attributes of a resource that properties, metadata and outputs read: Heat loads no others."""
        ...


class Observable(StackReader, Protocol):
    """A stack that reports its reads."""

    def read(self, kind: ReadKind, name: Hashable) -> Read:
        """What can be seen of one thing: as long as it is equal, so is all that was computed from it."""
        ...

    def confirms(self, reads: frozenset[Read]) -> bool:
        """Whether all is seen here as it was seen in another stack."""
        ...


Value = TypeVar("Value")


class Kept(Struct, Generic[Value], frozen=True, eq=False):
    """A cached value with all reads that it depends on."""

    value: Value
    reads: frozenset[Read]

    def holds(self, stack: Observable) -> bool:
        """Whether the same value would be computed now."""
        return stack.confirms(self.reads)


def noted(stack: Observable, compute: Callable[[StackReader], Value]) -> Kept[Value]:
    """What is computed from a stack, with all that it rests on."""
    reads: set[Read] = set()
    return Kept(compute(RecordingView(stack, reads)), frozenset(reads))


class RecordingView:
    """A view of a stack that records every read."""

    def __init__(self, stack: Observable, reads: set[Read]) -> None:
        self._stack = stack
        self._reads = reads

    def _note(self, kind: ReadKind, name: object) -> None:
        if name is None or isinstance(name, (str, int, float)):
            self._reads.add(self._stack.read(kind, name))

    @property
    def language(self) -> Language:
        """The language; nothing is kept where that changes."""
        return self._stack.language

    @property
    def supposition(self) -> Supposition | None:
        """The current assumption, which is part of each record."""
        return self._stack.supposition

    @property
    def called_functions(self) -> frozenset[str]:
        """The names of all maps with a single key."""
        self._note(ReadKind.CALLED, None)
        return self._stack.called_functions

    def names(self, section: str) -> tuple[str, ...]:
        """The names in a section."""
        self._note(ReadKind.NAMES, section)
        return self._stack.names(section)

    def is_enabled(self, name: str) -> bool | Unknown:
        """Whether a resource is enabled."""
        self._note(ReadKind.RESOURCE, name)
        return self._stack.is_enabled(name)

    def is_uncertain(self, name: str) -> bool:
        """Whether the condition of a resource depends on a value that is missing."""
        self._note(ReadKind.RESOURCE, name)
        return self._stack.is_uncertain(name)

    def resource_type(self, name: str) -> str:
        """The type of a resource as written."""
        self._note(ReadKind.RESOURCE, name)
        return self._stack.resource_type(name)

    def resource_condition(self, name: str) -> object:
        """The parsed condition of a resource."""
        self._note(ReadKind.RESOURCE, name)
        return self._stack.resource_condition(name)

    def resource_definition(self, name: object) -> ResourceDefinition:
        """The definition of a resource."""
        self._note(ReadKind.DEFINITION, name)
        return self._stack.resource_definition(name)

    def declaration(self, name: str) -> object:
        """What is written of a parameter."""
        self._note(ReadKind.DECLARATION, name)
        return self._stack.declaration(name)

    def schema(self, name: str) -> ParameterSchema | None:
        """The schema of a parameter."""
        self._note(ReadKind.DECLARATION, name)
        return self._stack.schema(name)

    def file_fault(self, name: str) -> FileFault | None:
        """Why python-heatclient fails to read a file."""
        self._note(ReadKind.FILE_FAULT, name)
        return self._stack.file_fault(name)

    def loaded_attributes(self, name: str) -> frozenset[str]:
        """The attributes of a resource that Heat loads."""
        self._note(ReadKind.LOADED, name)
        return self._stack.loaded_attributes(name)

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

    def condition_definition(self, name: str) -> object:
        """The parsed definition of a condition."""
        self._note(ReadKind.CONDITION_DEFINITION, name)
        return self._stack.condition_definition(name)

    def supposed(self, condition: object) -> bool | None:
        """Whether a parsed condition is supposed to hold."""
        return self._stack.supposed(condition)

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
