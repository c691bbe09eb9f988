"""Problems of a stack apart from its functions and property values."""

from enum import Enum, auto

from msgspec import Struct

from heatstudio.template import TreePath


class ProblemKind(Enum):
    """The subject of a problem."""

    STRUCTURE = auto()
    """A definition has a wrong key or a value of the wrong type."""
    CONDITION = auto()
    """A condition is wrong or circular."""
    SCHEMA = auto()
    """A parameter has an invalid declaration."""
    VALUE = auto()
    """A parameter has a value that its schema rejects."""
    MISSING = auto()
    """A parameter has no value, which is an error only when a stack is created."""
    UNDEFINED = auto()
    """An environment gives a value to a parameter that the template does not declare."""
    UNUSED = auto()
    """An environment gives a default to a parameter that no template declares. Heat accepts it."""
    IGNORED = auto()
    """An environment has a word that Heat ignores without an error."""
    GROUP = auto()
    """A parameter group is wrong."""
    ENVIRONMENT = auto()
    """An environment file is wrong."""
    REFERENCE = auto()
    """A reference names a resource that does not exist."""


class StackProblem(Struct, frozen=True):
    """A problem of a stack, usually with Heat's message."""

    kind: ProblemKind
    path: TreePath
    """The path in the template or in the environment file."""
    message: str
    file: str | None = None
    """The name of the environment file; None for the template."""
