"""Problems of a stack, apart from those of functions and property values."""

from enum import Enum, auto

from msgspec import Struct

from heatstudio.stack.path import Path


class ProblemKind(Enum):
    """The kinds of problems."""

    STRUCTURE = auto()
    """A definition has the wrong shape: a key, a type of value."""
    CONDITION = auto()
    """A condition is wrong or circular."""
    SCHEMA = auto()
    """A parameter is declared wrongly."""
    VALUE = auto()
    """A parameter has a value that its schema rejects."""
    MISSING = auto()
    """A parameter has no value. Nothing is wrong while no stack is created."""
    UNDEFINED = auto()
    """An environment gives a value to a parameter that the template does not declare."""
    UNUSED = auto()
    """An environment gives a default to a parameter that no template declares. Heat does not mind."""
    GROUP = auto()
    """A parameter group is wrong."""
    ENVIRONMENT = auto()
    """An environment file is wrong."""
    REFERENCE = auto()
    """A reference to an unknown resource."""


class StackProblem(Struct, frozen=True):
    """One problem, in Heat's words."""

    kind: ProblemKind
    path: Path
    """In the template, or in the environment file."""
    message: str
    file: str | None = None
    """The name of the environment file; None for the template."""
