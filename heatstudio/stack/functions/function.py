"""Intrinsic functions as values: parsed once, evaluated against any stack (heat/engine/function.py)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Protocol

from msgspec import Struct
from msgspec.structs import astuple

from heatstudio.stack.functions.budget import Budget, BudgetExceededError, UnforeseeableError
from heatstudio.stack.functions.stack_view import StackView
from heatstudio.stack.path import Path, step
from heatstudio.stack.unknown import UNBOUNDED, Unknown, derived

DEEPEST = 100
"""Levels of nesting that are evaluated; Python's own stack ends not far beyond."""
LARGEST_ENTRY = 200_000
"""Values in one entry that are parsed; aliases of YAML can multiply a small text beyond measure."""

EVALUATION_ERRORS = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RuntimeError, AssertionError)
"""What evaluating data of the wrong shape raises, in Heat as here; the text of the error is what Heat reports."""


class Marker(Enum):
    """Special values that cannot occur in a template."""

    OMITTED = "omitted"
    """The value of an `if` without a value for false: the item that holds it is left out."""
    ALL_ATTRIBUTES = "all attributes"
    """Stands for the name of every attribute of a resource."""


OMITTED = Marker.OMITTED
ALL_ATTRIBUTES = Marker.ALL_ATTRIBUTES


class MissingThing(Enum):
    """A name that a call refers to and that does not exist; each is reported once, at its position."""

    PARAMETER = "parameter"
    RESOURCE = "resource"
    FILE = "file"


class FunctionError(Exception):
    """A function cannot be resolved; `message` is Heat's, `path` leads to the name of the function."""

    def __init__(self, message: str, path: Path = (), missing: MissingThing | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.path = path
        self.missing = missing


class Vocabulary(Protocol):
    """The functions of a template version."""

    @property
    def functions(self) -> Mapping[str, type[Function]]:
        """By name, in resources and outputs."""
        ...

    @property
    def condition_functions(self) -> Mapping[str, type[Function]]:
        """By name, in conditions."""
        ...


class Function(Struct, frozen=True, eq=False):
    """A call: a map with exactly one key, which is a function of the template version."""

    name: str
    arguments: object
    """Parsed."""
    path: Path
    """Leads to the map that is the call; calls are equal wherever they are."""

    @property
    def name_path(self) -> Path:
        """Leads to the name of the function, as Heat's messages do."""
        return (*self.path, self.name)

    @classmethod
    def parse_arguments(cls, data: object, parser: Parser, path: Path) -> object:
        """How the raw arguments are parsed; macros do it their own way."""
        return parser.parse(data, path)

    def check(self) -> None:
        """Raise ValueError, TypeError or KeyError if the arguments are wrong whatever the stack is."""

    def check_in(self, evaluation: Evaluation) -> None:
        """Raise if Heat could not even parse the arguments in this stack."""

    def validate(self, evaluation: Evaluation) -> None:
        """Raise if the arguments are wrong in this stack, without resolving the call."""

    def result(self, evaluation: Evaluation) -> object:
        """The value of the call; unknown for a function of which only the name is known.

        Raises any of EVALUATION_ERRORS or FunctionError.
        """
        return Unknown((self.name, repr(self.arguments)), frozenset({f"function:{self.name}"}))

    def children(self, evaluation: Evaluation) -> tuple[object, ...]:
        """The parsed arguments that take part in the evaluation. Raises as `result`."""
        return (self.arguments,)

    def uncertain_children(self, evaluation: Evaluation) -> tuple[object, ...]:
        """The parsed arguments that may be used. Raises like `result`."""
        return ()

    def needed_resource(self, evaluation: Evaluation) -> object:
        """The name of the resource that the call needs; OMITTED for none. Raises as `result`."""
        return OMITTED

    def needed_attribute(self, evaluation: Evaluation) -> object:
        """The attribute of that resource which the call reads: a name, or a tuple of a name and a path into its
        value, or ALL_ATTRIBUTES; OMITTED for none. Raises as `result`.
        """
        return OMITTED

    def unknown(self, *sources: object) -> Unknown:
        """The value of this call while any of the sources it needs is unknown."""
        return derived(self.name, *sources)

    def _compared(self) -> tuple[object, ...]:
        name, arguments, _, *more = astuple(self)
        return (name, arguments, *more)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Function) and type(other) is type(self) and other._compared() == self._compared()

    def __hash__(self) -> int:
        return hash(self._compared())

    def __repr__(self) -> str:
        return repr({self.name: self.arguments})


class Broken(Function, frozen=True, eq=False):
    """A call that cannot be parsed; its value is unknown, and the problem is reported at the call."""

    message: str = ""

    def result(self, evaluation: Evaluation) -> object:
        """Unknown."""
        return Unknown(("broken", self.path), frozenset({f"function:{self.name}"}))


class Parser:
    """Turns plain data into plain containers with Function objects in them. Never raises."""

    def __init__(self, vocabulary: Vocabulary, functions: Mapping[str, type[Function]], limit: int) -> None:
        self.vocabulary = vocabulary
        self._functions = functions
        self.remaining = limit

    def parse(self, data: object, path: Path) -> object:
        """Parse the data at a path."""
        if not isinstance(data, (dict, list)):
            return data
        self.remaining -= 1
        if len(path) > DEEPEST or self.remaining < 0:
            return Broken("", None, path, "maximum recursion depth exceeded")
        if isinstance(data, list):
            return [self.parse(item, (*path, index)) for index, item in enumerate(data)]
        if len(data) == 1:
            name, arguments = next(iter(data.items()))
            kind = self._functions.get(name)
            if kind is not None:
                return self._call(kind, name, arguments, path)
        return {key: self.parse(item, (*path, step(key))) for key, item in data.items()}

    def parse_condition(self, data: object, path: Path) -> object:
        """Parse a condition that is written in place."""
        return Parser(self.vocabulary, self.vocabulary.condition_functions, self.remaining).parse(data, path)

    def _call(self, kind: type[Function], name: str, data: object, path: Path) -> Function:
        arguments = kind.parse_arguments(data, self, (*path, name))
        function = kind(name, arguments, path)
        try:
            function.check()
        except (ValueError, TypeError, KeyError) as error:
            return Broken(name, arguments, path, str(error))
        return function


def parse(data: object, vocabulary: Vocabulary, path: Path) -> object:
    """Parse plain data at a path of a template; invalid calls become Broken. Never raises."""
    return Parser(vocabulary, vocabulary.functions, LARGEST_ENTRY).parse(data, path)


def parse_condition(data: object, vocabulary: Vocabulary, path: Path) -> object:
    """Parse the definition of a condition, in which fewer functions are allowed. Never raises."""
    return Parser(vocabulary, vocabulary.condition_functions, LARGEST_ENTRY).parse(data, path)


class Evaluation:
    """One evaluation of parsed data against a stack, within a budget."""

    __slots__ = ("budget", "stack")

    def __init__(self, stack: StackView, budget: Budget | None = None) -> None:
        self.stack = stack
        self.budget = budget if budget is not None else Budget()

    def resolve(self, parsed: object) -> object:
        """The value of parsed data. An omitted value is None. Raises FunctionError, BudgetExceededError."""
        value = self.resolve_item(parsed)
        return None if value is OMITTED else value

    def resolve_item(self, parsed: object) -> object:
        """The value of an item of a list or map; OMITTED if the item is to be left out. Raises as `resolve`."""
        if isinstance(parsed, Function):
            return self.call(parsed)
        if isinstance(parsed, dict):
            return {key: value for key, item in parsed.items() if (value := self.resolve_item(item)) is not OMITTED}
        if isinstance(parsed, list):
            return [value for item in parsed if (value := self.resolve_item(item)) is not OMITTED]
        return parsed

    def call(self, function: Function) -> object:
        """The value of a call. Raises FunctionError, BudgetExceededError."""
        self.budget.spend(1)
        try:
            return function.result(self)
        except (RecursionError, MemoryError) as error:
            raise BudgetExceededError from error
        except EVALUATION_ERRORS as error:
            raise FunctionError(str(error), function.name_path) from error


def resolve(parsed: object, stack: StackView, *, nullable: bool = False) -> object:
    """The value of parsed data in a stack; parts may be Unknown. Raises FunctionError.

    An `if` without a value for false resolves to None, or to OMITTED if `nullable`.
    What is too large or too deep to compute is unknown.
    """
    evaluation = Evaluation(stack)
    try:
        return evaluation.resolve_item(parsed) if nullable else evaluation.resolve(parsed)
    except BudgetExceededError as error:
        kind = "unforeseeable" if isinstance(error, UnforeseeableError) else UNBOUNDED
        return Unknown((kind, object()), frozenset({"function:"}))
