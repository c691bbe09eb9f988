"""Problems of property values."""

from __future__ import annotations

from enum import Enum, auto

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.catalog.schema import Constraint, PropertySchema
from heatstudio.stack.functions.function import MissingKind
from heatstudio.template import TreePath


class PropertyFault(Enum):
    """The kinds of problem that Heat's Properties.validate() distinguishes."""

    UNKNOWN = auto()
    MISSING = auto()
    TYPE = auto()
    CONSTRAINT = auto()
    CONFLICT = auto()
    """The old and the new name of the same property both have a value."""
    UNADDABLE = auto()
    """Heat fails to add the value of an old property to a list."""
    FUNCTION = auto()
    """An intrinsic function could not be resolved."""
    NOT_IMPLEMENTED = auto()


class PropertyProblem(Struct, frozen=True):
    """One problem at a path below `properties`; `message` is Heat's text without the path."""

    fault: PropertyFault
    path: TreePath
    message: str
    schema: PropertySchema | None = None
    constraint: Constraint | None = None
    value: object = None
    words: str = ""
    """An explanation, if the message does not say enough."""
    origin: TreePath = ()
    """The path from the top of the template to the name of the function that failed."""
    argument: TreePath = ()
    """The path below the function's name to the argument that is wrong."""
    missing: MissingKind | None = None
    """The kind of object that the function did not find."""
    alternatives: tuple[str, ...] = ()
    """The valid names, for an unknown property."""
    is_late: bool = False
    """Whether Heat finds the problem only when it creates the resource."""
    is_elsewhere: bool = False
    """Whether the path already starts at the top, because a rule read the value under its old name."""

    def below(self, *parents: str | int) -> PropertyProblem:
        """Return the problem with a path that begins with the parents."""
        return self if self.is_elsewhere else replace(self, path=(*parents, *self.path))


class PropertyError(Exception):
    """An error for a value that cannot be computed, with all problems found."""

    def __init__(self, problems: tuple[PropertyProblem, ...]) -> None:
        super().__init__("; ".join(problem.message for problem in problems))
        self.problems = problems

    @classmethod
    def of(
        cls,
        fault: PropertyFault,
        message: str,
        *path: str | int,
        schema: PropertySchema | None = None,
        constraint: Constraint | None = None,
        value: object = None,
    ) -> PropertyError:
        """Return an error with a single problem."""
        return cls((PropertyProblem(fault, path, message, schema, constraint, value),))

    def elsewhere(self) -> PropertyError:
        """Return the error with all paths marked as starting at the top."""
        return PropertyError(tuple(replace(problem, is_elsewhere=True) for problem in self.problems))

    def below(self, *parents: str | int) -> PropertyError:
        """Return the error with paths that begin with the parents."""
        return PropertyError(tuple(problem.below(*parents) for problem in self.problems))
