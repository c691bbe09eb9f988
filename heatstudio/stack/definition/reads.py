"""Recording of the inputs that an evaluation reads, so that its result stays cached until one of them changes."""

from collections.abc import Callable, Hashable, Mapping
from enum import IntEnum, auto
from typing import Any, Generic, Protocol, TypeVar, cast

from msgspec import Struct

from heatstudio.stack.definition.client_files import FileFault
from heatstudio.stack.functions.conditions import Supposition
from heatstudio.stack.functions.function import StackView
from heatstudio.stack.functions.language import Language
from heatstudio.stack.inputs.parameter_schema import ParameterSchema
from heatstudio.stack.resource_definition import ResourceDefinition
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
    NAMES_BY_TYPE = auto()
    """The names of the enabled resources of each type."""


class Identity:
    """An object that is equal only to itself."""

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

    @property
    def supposition(self) -> Supposition | None:
        """The supposed values of conditions and parameters."""

    @property
    def called_functions(self) -> frozenset[str]:
        """The keys of all maps with a single key, whether they are functions or not."""

    @property
    def names_by_type(self) -> Mapping[str, tuple[str, ...]]:
        """The names of the enabled resources of each type, as written."""

    def read(self, kind: ReadKind, name: Hashable) -> Read:
        """Return the current state of one input; results computed from it are valid while it stays equal."""

    def names(self, section: str) -> tuple[str, ...]:
        """Return the names in a section; for resources, only the enabled ones."""

    def is_enabled(self, name: str) -> bool | Unknown:
        """Return whether a resource is enabled; unknown if its condition is unknown or invalid. Raise KeyError."""

    def is_uncertain(self, name: str) -> bool:
        """Return whether the condition of a resource is unknown. Raise KeyError for an unknown name."""

    def resource_type(self, name: str) -> str:
        """Return the type of a resource as written, enabled or not. Raise KeyError for an unknown name."""

    def resource_condition(self, name: str) -> object:
        """Return the parsed condition of a resource, None if it has none. Raise KeyError for an unknown name."""

    def resource_definition(self, name: object) -> ResourceDefinition:
        """Return the definition of a resource, enabled or not. Raise KeyError if missing, TypeError if unhashable."""

    def declaration(self, name: str) -> object:
        """Return the data of the declaration of a parameter; None if it is not declared."""

    def schema(self, name: str) -> ParameterSchema | None:
        """Return the schema of a parameter; None if it is not declared or the declaration is invalid."""

    def file_fault(self, name: str) -> FileFault | None:
        """Return the reason why python-heatclient fails to read a file that the template names; None if it succeeds."""

    def loaded_attributes(self, name: str) -> frozenset[str]:
        """Return the attributes of a resource that properties, metadata and outputs read; Heat loads only these."""


Value = TypeVar("Value")


class Tracked(Struct, Generic[Value], frozen=True, eq=False):
    """A value and the inputs read to compute it."""

    value: Value
    reads: frozenset[Read]


def noted(stack: StackReader, compute: Callable[[StackReader], Value]) -> Tracked[Value]:
    """Return a value computed from a stack, with all inputs that the computation read."""
    reads: set[Read] = set()
    return Tracked(compute(recording(stack, reads)), frozenset(reads))


QUERIES: Mapping[str, ReadKind] = {
    "names": ReadKind.NAMES,
    "is_enabled": ReadKind.RESOURCE,
    "is_uncertain": ReadKind.RESOURCE,
    "resource": ReadKind.RESOURCE,
    "resource_type": ReadKind.RESOURCE,
    "resource_condition": ReadKind.RESOURCE,
    "names_resource": ReadKind.RESOURCE,
    "resource_definition": ReadKind.DEFINITION,
    "loaded_attributes": ReadKind.LOADED,
    "parameter": ReadKind.PARAMETER,
    "declaration": ReadKind.DECLARATION,
    "schema": ReadKind.DECLARATION,
    "condition": ReadKind.CONDITION,
    "condition_definition": ReadKind.CONDITION_DEFINITION,
    "file": ReadKind.FILE,
    "file_fault": ReadKind.FILE_FAULT,
    "mapping": ReadKind.MAPPING,
}
"""The methods of `StackReader` that read an input by its name."""
PROPERTIES = {
    "called_functions": ReadKind.CALLED,
    "names_by_type": ReadKind.NAMES_BY_TYPE,
    "parent_resource": ReadKind.PARENT,
}
"""The properties of `StackReader` that read an input."""


class Recorder:
    """A `StackReader` that passes each query to a stack and records what it reads; it has the methods of `QUERIES`."""

    def __init__(self, stack: StackReader, reads: set[Read]) -> None:
        self._stack = stack
        self._reads = reads

    def __getattr__(self, name: str) -> Any:
        """Return another attribute of the stack; all but `PROPERTIES` are constant while results are reused."""
        if name in PROPERTIES:
            self._note(PROPERTIES[name], None)
        return getattr(self._stack, name)

    def _note(self, kind: ReadKind, name: object) -> None:
        if name is None or isinstance(name, (str, int, float)):
            self._reads.add(self._stack.read(kind, name))


def _recorded(query: str, kind: ReadKind) -> Callable[[Recorder, Any], Any]:
    def ask(self: Recorder, name: Any) -> Any:
        self._note(kind, name)
        return getattr(self._stack, query)(name)

    return ask


for _query, _kind in QUERIES.items():
    setattr(Recorder, _query, _recorded(_query, _kind))


def recording(stack: StackReader, reads: set[Read]) -> StackReader:
    """Return a view of a stack that adds all inputs that are read through it to `reads`."""
    return cast("StackReader", Recorder(stack, reads))
