"""Intrinsic functions as values: parsed once, evaluated for any stack (heat/engine/function.py)."""

from __future__ import annotations

import sys
from collections.abc import Container, Mapping
from enum import Enum
from typing import ClassVar, Protocol

from msgspec import Struct
from msgspec.structs import astuple

from heatstudio.stack.functions.budget import Budget, BudgetExceededError, UnforeseeableError, YaqlLimits
from heatstudio.stack.path import step
from heatstudio.stack.resource_proxy import ParentResourceProxy, ResourceProxy
from heatstudio.stack.unknown import UNBOUNDED, Unknown, derived
from heatstudio.template import TreePath

DEEPEST = 100
"""Maximum depth of nesting; Python's recursion limit is not much higher."""
LARGEST_ENTRY = 200_000
"""Maximum number of values parsed per entry; YAML aliases can expand a small text without limit."""

EVALUATION_ERRORS = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RuntimeError, AssertionError)
"""The exceptions that the evaluation of malformed data raises, in Heat and here; Heat reports their text."""


class StackView(Protocol):
    """The interface through which functions read a stack."""

    def parameter(self, name: str) -> object:
        """Return the value of a parameter, or Unknown. Raise KeyError if it is not declared."""

    def resource(self, name: object) -> ResourceProxy:
        """Return the proxy of a resource. Raise KeyError if it is missing or disabled, TypeError if unhashable."""

    def names_resource(self, name: object) -> bool:
        """Return whether the template has a resource, enabled or not. Raise TypeError if the name is unhashable."""

    def condition(self, name: object) -> bool | Unknown:
        """Return whether a condition holds. Raise ValueError if it does not exist, FunctionError if it fails."""

    def condition_definition(self, name: str) -> object:
        """Return the parsed definition of a condition. Raise KeyError for an unknown name."""

    def supposed(self, condition: object) -> bool | None:
        """Return whether a parsed condition is supposed to hold; None without a supposition on it."""

    def file(self, name: str) -> str | Unknown | None:
        """Return the content of a file, or None."""

    def mapping(self, name: object) -> object:
        """Return one map of the section Mappings. Raise KeyError for an unknown name."""

    def availability_zones(self) -> object:
        """Return the availability zones of the cloud, usually Unknown."""

    @property
    def yaql_limits(self) -> YaqlLimits:
        """The limits of the cloud for YAQL expressions."""

    @property
    def parent_resource(self) -> ParentResourceProxy | None:
        """The facade, if the stack is nested."""


class Marker(Enum):
    """The special values that a template cannot contain."""

    OMITTED = "omitted"
    """The result of an `if` without a value for false: the containing item is omitted."""
    ALL_ATTRIBUTES = "all attributes"
    """All attributes of a resource, in place of a name."""


OMITTED = Marker.OMITTED
ALL_ATTRIBUTES = Marker.ALL_ATTRIBUTES


class MissingKind(Enum):
    """The kind of a missing object that a call names."""

    PARAMETER = "parameter"
    RESOURCE = "resource"
    FILE = "file"


class FunctionError(Exception):
    """An error for a call that cannot be resolved: Heat's message, and the path to the name of the function.

    `argument` is the path below the function's name of the argument that is wrong, if it is known; `words` explain
    the error if Heat's message does not.
    """

    def __init__(
        self,
        message: str,
        path: TreePath = (),
        missing: MissingKind | None = None,
        argument: TreePath = (),
        words: str = "",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.words = words
        self.path = path
        self.missing = missing
        self.argument = argument


class ExplainedError(ValueError):
    """An error with a message of Heat that says too little, and with better words."""

    def __init__(self, message: str, words: str) -> None:
        super().__init__(message)
        self.words = words


class Vocabulary(Struct, frozen=True, eq=False):
    """The functions of a template version, by name."""

    functions: Mapping[str, type[Function]]
    condition_functions: Mapping[str, type[Function]]
    """The functions in conditions; all other functions of the version are Forbidden there."""


class Function(Struct, frozen=True, eq=False):
    """A call of a function: a map with exactly one key, the name of a function of the template version."""

    name: str
    arguments: object
    """The parsed arguments."""
    path: TreePath
    """The path to the map that is the call; ignored in comparisons."""

    @property
    def name_path(self) -> TreePath:
        """The path to the name of the function, as in Heat's messages."""
        return (*self.path, self.name)

    @classmethod
    def parse_arguments(cls, data: object, parser: Parser, path: TreePath) -> object:
        """Parse the raw arguments; macros override this."""
        return parser.parse(data, path)

    def check(self) -> None:
        """Raise ValueError, TypeError or KeyError if the arguments are invalid regardless of the stack."""

    def check_in(self, evaluation: Evaluation) -> None:
        """Raise if Heat fails to parse the arguments in this stack."""

    def validate(self, evaluation: Evaluation) -> None:
        """Raise if the arguments are invalid in this stack, without resolving the call."""

    def result(self, evaluation: Evaluation) -> object:
        """Return the value of the call; unknown for a function without an implementation.

        Raise any of EVALUATION_ERRORS, or FunctionError.
        """
        return Unknown((self.name, repr(self.arguments)), frozenset({f"function:{self.name}"}))

    def children(self, evaluation: Evaluation) -> tuple[tuple[object, ...], tuple[object, ...]]:
        """Return the parsed arguments that are evaluated, and the arguments that may be evaluated.

        Raise as `result`.
        """
        return (self.arguments,), ()

    def needed_resource(self, evaluation: Evaluation) -> object:
        """Return the name of the resource that the call needs; OMITTED for none. Raise as `result`."""
        return OMITTED

    def needed_attribute(self, evaluation: Evaluation) -> object:
        """Return the attribute that the call reads, as a name, a tuple of a name and a path into its value, or
        ALL_ATTRIBUTES; OMITTED for none. Raise as `result`.
        """
        return OMITTED

    def wrong_syntax(self, *lines: str) -> KeyError:
        """Return the error of a call without its keys; the lines of Heat's example follow the name."""
        example = "".join(f"\n{' ' * 14}{line}" for line in lines)
        return KeyError(f'"{self.name}" syntax should be {self.name}:{example}')

    def unknown(self, *sources: object) -> Unknown:
        """Return the unknown value of this call, derived from unknown sources."""
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


NESTED = (Function, dict, list)
"""The types of parsed data that may contain calls."""


class ListFunction(Function, frozen=True, eq=False):
    """A call whose arguments are a list."""

    TWO_OR_MORE: ClassVar[range] = range(2, sys.maxsize)
    LENGTHS: ClassVar[Container[int]] = (2,)
    USAGE: ClassVar[str]
    """Heat's message for a list of another length; `{0}` stands for the name and `{1}` for the number of items."""
    NO_LIST: ClassVar[str] = ""
    """Heat's message for other arguments; empty if it is the same."""

    @property
    def items(self) -> list[object]:
        """The arguments."""
        return self.arguments if isinstance(self.arguments, list) else []

    def check(self) -> None:
        """Require a list with an accepted number of items."""
        if not isinstance(self.arguments, list):
            raise TypeError((self.NO_LIST or self.USAGE).format(self.name))
        if len(self.arguments) not in self.LENGTHS:
            raise ValueError(self.USAGE.format(self.name, len(self.arguments)))


class Broken(Function, frozen=True, eq=False):
    """A call that cannot be parsed; its value is unknown, and the problem is reported at the call."""

    message: str = ""

    def result(self, evaluation: Evaluation) -> object:
        """Return an unknown value."""
        return Unknown(("broken", self.path), frozenset({f"function:{self.name}"}))


class Parser:
    """A parser of plain data into containers with Function objects; it never raises."""

    def __init__(self, vocabulary: Vocabulary, functions: Mapping[str, type[Function]], limit: int) -> None:
        self.vocabulary = vocabulary
        self._functions = functions
        self.remaining = limit

    def parse(self, data: object, path: TreePath) -> object:
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
        return {
            key: self.parse(item, (*path, step(key))) if isinstance(item, (dict, list)) else item
            for key, item in data.items()
        }

    def parse_condition(self, data: object, path: TreePath) -> object:
        """Parse an inline condition."""
        return Parser(self.vocabulary, self.vocabulary.condition_functions, self.remaining).parse(data, path)

    def _call(self, kind: type[Function], name: str, data: object, path: TreePath) -> Function:
        arguments = kind.parse_arguments(data, self, (*path, name))
        function = kind(name, arguments, path)
        try:
            function.check()
        except (ValueError, TypeError, KeyError) as error:
            return Broken(name, arguments, path, str(error))
        return function


def parse(data: object, vocabulary: Vocabulary, path: TreePath) -> object:
    """Parse plain data at a path of a template; invalid calls become Broken. Never raise."""
    return Parser(vocabulary, vocabulary.functions, LARGEST_ENTRY).parse(data, path)


def parse_condition(data: object, vocabulary: Vocabulary, path: TreePath) -> object:
    """Parse the definition of a condition, which allows fewer functions. Never raise."""
    return Parser(vocabulary, vocabulary.condition_functions, LARGEST_ENTRY).parse(data, path)


class Evaluation:
    """One evaluation of parsed data for a stack, within a budget."""

    def __init__(self, stack: StackView) -> None:
        self.stack = stack
        self.budget = Budget()

    def resolve(self, parsed: object) -> object:
        """Return the value of parsed data; None if it is omitted. Raise FunctionError or BudgetExceededError."""
        value = self.resolve_item(parsed)
        return None if value is OMITTED else value

    def resolve_item(self, parsed: object) -> object:
        """Return the value of an item of a list or map; OMITTED if the item is omitted. Raise as `resolve`."""
        if isinstance(parsed, Function):
            return self.call(parsed)
        if isinstance(parsed, dict):
            return {
                key: value
                for key, item in parsed.items()
                if (value := self.resolve_item(item) if isinstance(item, NESTED) else item) is not OMITTED
            }
        if isinstance(parsed, list):
            return [value for item in parsed if (value := self.resolve_item(item)) is not OMITTED]
        return parsed

    def call(self, function: Function) -> object:
        """Return the value of a call. Raise FunctionError or BudgetExceededError."""
        self.budget.spend(1)
        try:
            return function.result(self)
        except (RecursionError, MemoryError) as error:
            raise BudgetExceededError from error
        except EVALUATION_ERRORS as error:
            words = error.words if isinstance(error, ExplainedError) else ""
            raise FunctionError(str(error), function.name_path, words=words) from error


def resolve(parsed: object, stack: StackView, *, nullable: bool = False) -> object:
    """Return the value of parsed data in a stack, parts of which may be Unknown. Raise FunctionError if it fails.

    An `if` without a value for false resolves to None, or to OMITTED if `nullable`.
    A value that exceeds the budget is unknown.
    """
    evaluation = Evaluation(stack)
    try:
        return evaluation.resolve_item(parsed) if nullable else evaluation.resolve(parsed)
    except BudgetExceededError as error:
        kind = "unforeseeable" if isinstance(error, UnforeseeableError) else UNBOUNDED
        return Unknown((kind, object()), frozenset({"function:"}))
