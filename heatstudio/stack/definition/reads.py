"""Recording of the inputs that an evaluation reads, so that its result stays cached until one of them changes."""

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
    """The kinds of inputs."""

    PARAMETER = auto()
    """The value of a parameter."""
    DECLARATION = auto()
    """The declaration of a parameter."""
    RESOURCE = auto()
    """The proxy of a resource, and whether it is enabled."""
    CONDITION = auto()
    FILE = auto()
    FILE_FAULT = auto()
    """The reason why python-heatclient fails to read a file."""
    MAPPING = auto()
    PARENT = auto()
    NAMES = auto()
    """The names in a section; for resources, only the enabled ones."""
    DEFINITION = auto()
    """The definition of a resource."""
    CONDITION_DEFINITION = auto()
    """The definition of a condition."""
    LOADED = auto()
    """The attributes of a resource that Heat loads."""
    CALLED = auto()
    """The names of the functions that the template calls."""
    TYPES = auto()
    """All types, including the files that define them."""


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
    """One input and its state; a stack creates one object per input."""

    kind: ReadKind
    name: Hashable
    seen: Hashable
    supposition: Supposition | None = None
    """The supposition that was active during the read."""


class StackReader(StackView, Protocol):
    """The interface of a stack for checks: the view of functions and the definitions."""

    @property
    def language(self) -> Language:
        """The functions and keywords of the template's version."""
        ...

    @property
    def supposition(self) -> Supposition | None:
        """The supposed values of conditions and parameters."""
        ...

    @property
    def called_functions(self) -> frozenset[str]:
        """The keys of all maps with a single key, whether they are functions or not."""
        ...

    def names(self, section: str) -> tuple[str, ...]:
        """Return the names in a section; for resources, only the enabled ones."""
        ...

    def is_enabled(self, name: str) -> bool | Unknown:
        """Return whether a resource is enabled; unknown if its condition is unknown or invalid. Raise KeyError."""
        ...

    def is_uncertain(self, name: str) -> bool:
        """Return whether the condition of a resource is unknown. Raise KeyError for an unknown name."""
        ...

    def resource_type(self, name: str) -> str:
        """Return the type of a resource as written, enabled or not. Raise KeyError for an unknown name."""
        ...

    def resource_condition(self, name: str) -> object:
        """Return the parsed condition of a resource, None if it has none. Raise KeyError for an unknown name."""
        ...

    def resource_definition(self, name: object) -> ResourceDefinition:
        """Return the definition of a resource, enabled or not. Raise KeyError if missing, TypeError if unhashable."""
        ...

    def declaration(self, name: str) -> object:
        """Return the data of the declaration of a parameter; None if it is not declared."""
        ...

    def schema(self, name: str) -> ParameterSchema | None:
        """Return the schema of a parameter; None if it is not declared or the declaration is invalid."""
        ...

    def file_fault(self, name: str) -> FileFault | None:
        """Return the reason why python-heatclient fails to read a file that the template names; None if it succeeds."""
        ...

    def loaded_attributes(self, name: str) -> frozenset[str]:
        """Return the attributes of a resource that properties, metadata and outputs read; Heat loads only these."""
        ...


class Observable(StackReader, Protocol):
    """A stack whose inputs can be recorded and compared."""

    def read(self, kind: ReadKind, name: Hashable) -> Read:
        """Return the current state of one input; results computed from it are valid while it stays equal."""
        ...

    def confirms(self, reads: frozenset[Read]) -> bool:
        """Return whether all inputs have the same state here as in the stack where they were read."""
        ...


Value = TypeVar("Value")


class Tracked(Struct, Generic[Value], frozen=True, eq=False):
    """A value and the inputs read to compute it."""

    value: Value
    reads: frozenset[Read]

    def holds(self, stack: Observable) -> bool:
        """Return whether the value is still valid for a stack."""
        return stack.confirms(self.reads)


def noted(stack: Observable, compute: Callable[[StackReader], Value]) -> Tracked[Value]:
    """Return a value computed from a stack, with all inputs that the computation read."""
    reads: set[Read] = set()
    return Tracked(compute(RecordingView(stack, reads)), frozenset(reads))


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
        """The language; not recorded, because no result is reused when it changes."""
        return self._stack.language

    @property
    def supposition(self) -> Supposition | None:
        """The supposed values, which each read also contains."""
        return self._stack.supposition

    @property
    def called_functions(self) -> frozenset[str]:
        """The keys of all maps with a single key."""
        self._note(ReadKind.CALLED, None)
        return self._stack.called_functions

    def names(self, section: str) -> tuple[str, ...]:
        """Return the names in a section."""
        self._note(ReadKind.NAMES, section)
        return self._stack.names(section)

    def is_enabled(self, name: str) -> bool | Unknown:
        """Return whether a resource is enabled."""
        self._note(ReadKind.RESOURCE, name)
        return self._stack.is_enabled(name)

    def is_uncertain(self, name: str) -> bool:
        """Return whether the condition of a resource is unknown."""
        self._note(ReadKind.RESOURCE, name)
        return self._stack.is_uncertain(name)

    def resource_type(self, name: str) -> str:
        """Return the type of a resource as written."""
        self._note(ReadKind.RESOURCE, name)
        return self._stack.resource_type(name)

    def resource_condition(self, name: str) -> object:
        """Return the parsed condition of a resource."""
        self._note(ReadKind.RESOURCE, name)
        return self._stack.resource_condition(name)

    def resource_definition(self, name: object) -> ResourceDefinition:
        """Return the definition of a resource."""
        self._note(ReadKind.DEFINITION, name)
        return self._stack.resource_definition(name)

    def declaration(self, name: str) -> object:
        """Return the data of the declaration of a parameter."""
        self._note(ReadKind.DECLARATION, name)
        return self._stack.declaration(name)

    def schema(self, name: str) -> ParameterSchema | None:
        """Return the schema of a parameter."""
        self._note(ReadKind.DECLARATION, name)
        return self._stack.schema(name)

    def file_fault(self, name: str) -> FileFault | None:
        """Return the reason why python-heatclient fails to read a file."""
        self._note(ReadKind.FILE_FAULT, name)
        return self._stack.file_fault(name)

    def loaded_attributes(self, name: str) -> frozenset[str]:
        """Return the attributes of a resource that Heat loads."""
        self._note(ReadKind.LOADED, name)
        return self._stack.loaded_attributes(name)

    def parameter(self, name: str) -> object:
        """Return the value of a parameter."""
        self._note(ReadKind.PARAMETER, name)
        return self._stack.parameter(name)

    def resource(self, name: object) -> ResourceProxy:
        """Return the proxy of a resource."""
        self._note(ReadKind.RESOURCE, name)
        return self._stack.resource(name)

    def names_resource(self, name: object) -> bool:
        """Return whether the template has a resource of this name."""
        self._note(ReadKind.RESOURCE, name)
        return self._stack.names_resource(name)

    def condition(self, name: object) -> bool | Unknown:
        """Return whether a condition holds."""
        self._note(ReadKind.CONDITION, name)
        return self._stack.condition(name)

    def condition_definition(self, name: str) -> object:
        """Return the parsed definition of a condition."""
        self._note(ReadKind.CONDITION_DEFINITION, name)
        return self._stack.condition_definition(name)

    def supposed(self, condition: object) -> bool | None:
        """Return whether a parsed condition is supposed to hold."""
        return self._stack.supposed(condition)

    def file(self, name: str) -> str | Unknown | None:
        """Return the content of a file."""
        self._note(ReadKind.FILE, name)
        return self._stack.file(name)

    def mapping(self, name: object) -> object:
        """Return one map of the section of mappings."""
        self._note(ReadKind.MAPPING, name)
        return self._stack.mapping(name)

    def availability_zones(self) -> object:
        """Return the availability zones; not recorded, because they never change while a template is open."""
        return self._stack.availability_zones()

    @property
    def parent_resource(self) -> ParentResourceProxy | None:
        """The facade, if the stack is nested."""
        self._note(ReadKind.PARENT, None)
        return self._stack.parent_resource
