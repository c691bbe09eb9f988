"""The function `yaql`, evaluated by the yaql library with Heat's limits (heat/engine/hot/functions.py)."""

import re
import time
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial
from importlib import import_module
from itertools import islice
from types import ModuleType
from typing import Any, Protocol

from heatstudio.stack.functions import budget
from heatstudio.stack.functions.function import Evaluation, ExplainedError, Function
from heatstudio.stack.functions.pattern import Pattern
from heatstudio.stack.unknown import Unknown, has_unknown

LONGEST_RUN = 0.2
"""Maximum CPU time of one expression in seconds."""
LONGEST_EXPRESSION = 10_000
"""Maximum length of an expression."""
LARGEST_POWER = 100_000
"""Maximum number of bits of the result of a power or shift."""
MOST_COUNTED = 100_000
"""Maximum number of items of an iterator to count: the library also counts infinite iterators."""
_OPERATORS = ("+", "-", "*", "/", "<", ">", "<=", ">=")
UNFORESEEABLE = frozenset({"now", "random", "localtz", "format"})
"""The functions whose values depend on time or place, and `format`, whose value may have any length."""


class Statement(Protocol):
    """A parsed expression."""

    def evaluate(self, data: object, context: object) -> object:
        """Return the value of the expression."""


class Yaql(Function, frozen=True):
    """`yaql: {expression, data}`."""

    def check(self) -> None:
        """Require a map with an expression, optional data and no other keys."""
        if not isinstance(self.arguments, dict):
            raise TypeError(f'Arguments to "{self.name}" must be a map.')
        if "expression" not in self.arguments or set(self.arguments) - {"expression", "data"}:
            raise self.wrong_syntax("expression: $.data.var1.sum()", "data:", "  var1: [3, 2, 1]")

    def validate(self, evaluation: Evaluation) -> None:
        """Require an expression that can be parsed."""
        expression = self.arguments.get("expression") if isinstance(self.arguments, dict) else None
        if not isinstance(expression, Function):
            self._statement(expression, evaluation)

    def _statement(self, expression: object, evaluation: Evaluation) -> Statement:
        if not isinstance(expression, str):
            raise TypeError(f'The "expression" argument to {self.name} must contain a string.')
        if len(expression) > LONGEST_EXPRESSION:
            raise budget.BudgetExceededError
        statement = _parsed(expression, evaluation.stack.yaql_limits)
        if isinstance(statement, str):
            raise ValueError(f"Bad expression {statement}.")
        return statement

    def result(self, evaluation: Evaluation) -> object:
        """Return the value of the expression for the data; unknown if any part is unknown."""
        written = self.arguments if isinstance(self.arguments, dict) else {}
        expression = evaluation.resolve(written.get("expression"))
        statement = None if isinstance(expression, Unknown) else self._statement(expression, evaluation)
        data = evaluation.resolve(written.get("data", {}))
        if statement is None or has_unknown(data):
            return self.unknown(expression, data)
        return _evaluate(statement, {"data": data})


def expression_fault(expression: str) -> str:
    """Return why an expression cannot be parsed; empty if it can be."""
    parsed = _parsed(expression)
    return parsed if isinstance(parsed, str) else ""


def evaluate(expression: str, data: object, limits: budget.YaqlLimits) -> object:
    """Return the value of a valid expression, in which `$` is the data, without unknown values.

    Raise one of EVALUATION_ERRORS, or BudgetExceededError.
    """
    statement = _parsed(expression, limits)
    return None if isinstance(statement, str) else _evaluate(statement, data)


def _library() -> ModuleType:
    return import_module("yaql")


@lru_cache(maxsize=4)
def _engine(limits: budget.YaqlLimits) -> Callable[[str], Statement]:
    options = {"yaql.limitIterators": limits.iterators, "yaql.memoryQuota": limits.memory}
    engine: Callable[[str], Statement] = _library().YaqlFactory().create(options)
    return engine


@lru_cache(maxsize=512)
def _parsed(expression: str, limits: budget.YaqlLimits = budget.HEAT_LIMITS) -> Statement | str:
    """Return the parsed expression, or the error message."""
    errors = import_module("yaql.language.exceptions")
    try:
        return _engine(limits)(expression)
    except errors.YaqlException as error:
        return str(error)


@lru_cache(maxsize=1)
def _functions() -> object:
    """Return the context with all standard functions; bounded versions replace functions that may take long."""
    context = _library().create_context(context=_fallbacks()).create_child_context()
    context.register_function(_power, name="pow")
    context.register_function(_shift, name="shiftBitsLeft")
    _register_pattern_functions(context)
    _register_length(context)
    return context


def _fallbacks() -> object:
    """Return a context whose operators raise an error; YAQL asks the outermost context if no other function fits."""
    types, specs = import_module("yaql.language.yaqltypes"), import_module("yaql.language.specs")
    convention = import_module("yaql.language.conventions").CamelCaseConvention()
    context = import_module("yaql.language.contexts").Context(convention=convention)
    for symbol in _OPERATORS:
        definition = specs.get_function_definition(partial(_refuse, symbol), f"#operator_{symbol}", True, False)
        for name in ("left", "right"):
            definition.set_parameter(name, types.PythonType(object, nullable=True), overwrite=True)
        context.register_function(definition)
    return context


def _refuse(symbol: str, left: object, right: object) -> object:
    words = f"YAQL's `{symbol}` does not take {_kind(left)} and {_kind(right)}"
    converts = symbol == "+" and (isinstance(left, str) or isinstance(right, str))
    message = f'No function "#operator_{symbol}" matches supplied arguments'
    raise ExplainedError(message, f"{words}; convert with `str(...)`." if converts else f"{words}.")


def _kind(value: object) -> str:
    kinds = {str: "a string", bool: "a boolean", int: "an integer", float: "a number", type(None): "null"}
    return kinds.get(type(value)) or ("a map" if isinstance(value, Mapping) else "a list")


def _register_pattern_functions(context: Any) -> None:
    """Register the library's pattern functions with bounded patterns instead of `re` patterns."""
    library, specs = import_module("yaql.standard_library.regex"), import_module("yaql.language.specs")
    for function in (
        library.matches,
        library.matches_operator_regex,
        library.not_matches_operator_regex,
        library.search,
        library.search_all,
        library.split,
        library.split_string,
        library.replace,
        library.replace_string,
        library.replace_by,
        library.replace_by_string,
    ):
        definition = specs.get_function_definition(function, convention=context.convention)
        definition.set_parameter("regexp", Pattern, overwrite=True)
        context.register_function(definition)
    text = import_module("yaql.language.yaqltypes").String()
    for own, name in ((_matches, "matches"), (_matches, "#operator_=~"), (_differs, "#operator_!~")):
        is_method = name == "matches"
        definition = specs.get_function_definition(own, name, not is_method, is_method, context.convention)
        definition.set_parameter("string", text, overwrite=True)
        definition.set_parameter("regexp", text, overwrite=True)
        context.register_function(definition)
    definition = specs.get_function_definition(_regex, "regex", convention=context.convention)
    definition.set_parameter("pattern", text, overwrite=True)
    context.register_function(definition)
    context.register_function(_is_regex, name="isRegex")


def _register_length(context: Any) -> None:
    """Register a bounded `len` for iterators instead of the library's function, which may never return."""
    definition = import_module("yaql.language.specs").get_function_definition(_length, "len", True, True)
    definition.set_parameter("collection", import_module("yaql.language.utils").IteratorType, overwrite=True)
    context.register_function(definition)


def _evaluate(statement: Statement, data: object) -> object:
    """Return the value of a statement. Raise ValueError with the library's message, or BudgetExceededError."""
    errors = import_module("yaql.language.exceptions")
    functions = _functions()
    try:
        with budget.timed_call(LONGEST_RUN) as seconds:
            return statement.evaluate(data, _guarded(functions, time.thread_time() + seconds))
    except RecursionError as error:
        raise budget.BudgetExceededError from error
    except (errors.YaqlException, re.error, StopIteration) as error:
        raise ValueError(str(error)) from error


def _guarded(functions: object, deadline: float) -> object:
    """Return a context that stops an evaluation that takes too long or calls an unforeseeable function."""
    contexts = import_module("yaql.language.contexts")

    def collect(context: object, name: str, *arguments: object, **options: object) -> object:
        if name in UNFORESEEABLE:
            raise budget.UnforeseeableError
        if time.thread_time() > deadline:
            raise budget.BudgetExceededError
        return contexts.Context.collect_functions(context, name, *arguments, **options)

    def child(context: object) -> object:
        return kind(context)

    kind = type("GuardedContext", (contexts.Context,), {"collect_functions": collect, "create_child_context": child})
    return kind(functions)


def _power(a: int, b: int, c: int | None = None) -> object:
    if c is None and isinstance(a, int) and isinstance(b, int) and a.bit_length() * b > LARGEST_POWER:
        raise budget.BudgetExceededError
    return pow(a, b, c)


def _shift(value: int, bits_number: int) -> int:
    if bits_number > LARGEST_POWER:
        raise budget.BudgetExceededError
    return value << bits_number


def _length(collection: Iterable[object]) -> int:
    count = sum(1 for _ in islice(collection, MOST_COUNTED + 1))
    if count > MOST_COUNTED:
        raise budget.BudgetExceededError
    return count


def _regex(pattern: str, ignore_case: bool = False, multi_line: bool = False, dot_all: bool = False) -> Pattern:
    chosen = ((ignore_case, re.IGNORECASE), (multi_line, re.MULTILINE), (dot_all, re.DOTALL))
    return Pattern(pattern, sum(flag for is_set, flag in chosen if is_set))


def _is_regex(value: object) -> bool:
    return isinstance(value, Pattern)


def _matches(string: str, regexp: str) -> bool:
    return Pattern(regexp).search(string) is not None


def _differs(string: str, regexp: str) -> bool:
    return not _matches(string, regexp)
