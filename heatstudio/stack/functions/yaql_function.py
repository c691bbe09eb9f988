"""The function `yaql`, by the real library with Heat's limits (heat/engine/hot/functions.py)."""

from __future__ import annotations

import importlib
import re
import time
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from types import ModuleType
from typing import Protocol

from heatstudio.stack.functions.budget import BudgetExceededError
from heatstudio.stack.functions.function import EVALUATION_ERRORS, Evaluation, Function
from heatstudio.stack.unknown import Unknown, has_unknown

LIMIT_ITERATORS = 200
MEMORY_QUOTA = 10_000
"""Both as in Heat's default configuration (group yaql)."""
LONGEST_RUN = 1.0
"""Seconds of work that an expression may take; what else the machine does at that time does not count."""
LARGEST_POWER = 100_000
"""Bits that an integer may get in one step."""
UNREPEATABLE = frozenset({"now", "random", "localtz"})
"""Functions whose value the editor cannot foretell."""
MATCHING = frozenset({"regex", "matches", "#operator_=~", "#operator_!~"})
NESTED_QUANTIFIERS = re.compile(r"[*+}][^()]*\)[*+{]")
MOST_STEPS = 10_000_000


class Statement(Protocol):
    """A parsed expression."""

    def evaluate(self, data: object, context: object) -> object:
        """The value of the expression."""
        ...


class Yaql(Function):
    """`yaql: {expression, data}`."""

    __slots__ = ()

    def check(self) -> None:
        """A map with an expression, perhaps data, and nothing else."""
        if not isinstance(self.arguments, dict):
            raise TypeError(f'Arguments to "{self.name}" must be a map.')
        if "expression" not in self.arguments or set(self.arguments) - {"expression", "data"}:
            margin = " " * 14
            lines = ("expression: $.data.var1.sum()", "data:", "  var1: [3, 2, 1]")
            example = f"{self.name}:" + "".join(f"\n{margin}{line}" for line in lines)
            raise KeyError(f'"{self.name}" syntax should be {example}')

    def validate(self, evaluation: Evaluation) -> None:
        """The expression can be parsed."""
        expression = self.arguments.get("expression") if isinstance(self.arguments, dict) else None
        if not isinstance(expression, Function):
            self._statement(expression)

    def _statement(self, expression: object) -> Statement:
        if not isinstance(expression, str):
            raise TypeError(f'The "expression" argument to {self.name} must contain a string.')
        statement = _parsed(expression)
        if isinstance(statement, str):
            raise ValueError(f"Bad expression {statement}.")
        return statement

    def result(self, evaluation: Evaluation) -> object:
        """The value of the expression over the data; unknown while any of the data is."""
        written = self.arguments if isinstance(self.arguments, dict) else {}
        expression = evaluation.resolve(written.get("expression"))
        statement = None if isinstance(expression, Unknown) else self._statement(expression)
        data = evaluation.resolve(written.get("data", {}))
        if statement is None or has_unknown(data):
            return self.unknown(expression, data)
        return _evaluate(statement, str(expression), data)


def _library() -> ModuleType:
    return importlib.import_module("yaql")


@lru_cache(maxsize=1)
def _engine() -> Callable[[str], Statement]:
    engine: Callable[[str], Statement] = (
        _library()
        .YaqlFactory()
        .create({"yaql.limitIterators": LIMIT_ITERATORS, "yaql.memoryQuota": MEMORY_QUOTA})
    )  # fmt: skip
    return engine


@lru_cache(maxsize=512)
def _parsed(expression: str) -> Statement | str:
    """The parsed expression, or what is wrong with it."""
    errors = importlib.import_module("yaql.language.exceptions")
    try:
        return _engine()(expression)
    except errors.YaqlException as error:
        return str(error)


@lru_cache(maxsize=1)
def _functions() -> object:
    """The context with all standard functions."""
    return _library().create_context()


def _evaluate(statement: Statement, expression: str, data: object) -> object:
    """The value of a statement. Raises ValueError with the words of the library, or BudgetExceededError."""
    errors = importlib.import_module("yaql.language.exceptions")
    slow = _slow_to_match([expression, *_texts(data)])
    try:
        return statement.evaluate({"data": data}, _guarded(_functions(), slow=slow))
    except (BudgetExceededError, RecursionError) as error:
        raise BudgetExceededError from error
    except (errors.YaqlException, re.error, StopIteration) as error:
        raise ValueError(str(error)) from error
    except EVALUATION_ERRORS:
        raise


def _guarded(functions: object, *, slow: bool) -> object:
    """A context that stops an evaluation which takes too long from now on or which cannot be foretold."""
    contexts = importlib.import_module("yaql.language.contexts")
    deadline = time.thread_time() + LONGEST_RUN

    def collect(context: object, name: str, *arguments: object, **options: object) -> object:
        if time.thread_time() > deadline or name in UNREPEATABLE or (slow and name in MATCHING) or name == "format":
            raise BudgetExceededError
        return contexts.Context.collect_functions(context, name, *arguments, **options)

    def child(context: object) -> object:
        return kind(context)

    kind = type("GuardedContext", (contexts.Context,), {"collect_functions": collect, "create_child_context": child})
    context = kind(functions)
    context.register_function(_power, name="pow")
    context.register_function(_shift, name="shiftBitsLeft")
    return context


def _power(a: int, b: int, c: int | None = None) -> object:
    if c is None and isinstance(a, int) and isinstance(b, int) and a.bit_length() * b > LARGEST_POWER:
        raise BudgetExceededError
    return pow(a, b, c)


def _shift(value: int, bits_number: int) -> int:
    if bits_number > LARGEST_POWER:
        raise BudgetExceededError
    return value << bits_number


def _texts(data: object) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, Mapping):
        for key, item in data.items():
            yield from _texts(key)
            yield from _texts(item)
    elif isinstance(data, list):
        for item in data:
            yield from _texts(item)


def _slow_to_match(texts: list[str]) -> bool:
    """Whether any of the texts, taken as a pattern, could take long on another of them."""
    longest = max(map(len, texts))
    if any(NESTED_QUANTIFIERS.search(text) for text in texts):
        return longest > 25
    most = max(sum(map(text.count, "*+{")) for text in texts)
    return bool(longest ** min(most, 10) > MOST_STEPS)
