"""The kinds of problems of property values."""

from __future__ import annotations

from enum import Enum, auto

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.catalog.schema import Constraint, PropertySchema
from heatstudio.stack.functions.function import MissingThing

Path = tuple[str | int, ...]


class PropertyFault(Enum):
    """The kinds of problems, as distinguished by Heat's Properties.validate()."""

    UNKNOWN = auto()
    MISSING = auto()
    TYPE = auto()
    CONSTRAINT = auto()
    CONFLICT = auto()
    """An old and a new name of the same property both have a value."""
    UNADDABLE = auto()
    """A list to which Heat fails to add the value of an old property."""
    FUNCTION = auto()
    """An intrinsic function could not be resolved."""
    NOT_IMPLEMENTED = auto()


class PropertyProblem(Struct, frozen=True):
    """One problem at one path below `properties`; `message` is Heat's text without the path."""

    fault: PropertyFault
    path: Path
    message: str
    schema: PropertySchema | None = None
    constraint: Constraint | None = None
    value: object = None
    origin: Path = ()
    """From the top of the template to the name of the function that failed."""
    missing: MissingThing | None = None
    """What that function named and did not find."""
    alternatives: tuple[str, ...] = ()
    """The names that were possible instead, for an unknown property."""
    is_elsewhere: bool = False
    """Whether the path leads from the top already: a rule read the value at its old place."""

    def below(self, *parents: str | int) -> PropertyProblem:
        """The same problem seen from further up."""
        return self if self.is_elsewhere else replace(self, path=(*parents, *self.path))


class PropertyError(Exception):
    """A value cannot be computed; carries every problem found on the way."""

    def __init__(self, problems: tuple[PropertyProblem, ...]) -> None:
        super().__init__("; ".join(problem.message for problem in problems))
        self.problems = problems

    @classmethod
    def of(cls, fault: PropertyFault, message: str, *path: str | int, value: object = None) -> PropertyError:
        """An error with a single problem."""
        return cls((PropertyProblem(fault, path, message, value=value),))

    def elsewhere(self) -> PropertyError:
        """The same error, whose paths lead from the top, wherever it is noticed."""
        return PropertyError(tuple(replace(problem, is_elsewhere=True) for problem in self.problems))

    def below(self, *parents: str | int) -> PropertyError:
        """The same error seen from further up."""
        return PropertyError(tuple(problem.below(*parents) for problem in self.problems))
