"""Condition functions and `if` (heat/engine/hot/functions.py)."""

from typing import ClassVar

from heatstudio.stack.functions.function import OMITTED, Evaluation, Function, FunctionError, Parser
from heatstudio.stack.path import BranchIndex
from heatstudio.stack.unknown import Unknown, same
from heatstudio.template import TreePath


def truth(value: object, evaluation: Evaluation) -> bool | Unknown:
    """Return whether a resolved condition, a boolean or the name of a condition, holds.

    Raise ValueError if there is no condition of this name.
    """
    return value if isinstance(value, (bool, Unknown)) else evaluation.stack.condition(value)


class Equals(Function, frozen=True):
    """`equals: [value, value]`."""

    def check(self) -> None:
        """Require a list of exactly two items."""
        if not isinstance(self.arguments, list) or len(self.arguments) != 2:
            raise ValueError(f'Arguments to "{self.name}" must be of the form: [value_1, value_2]')

    def result(self, evaluation: Evaluation) -> object:
        """Return whether the two values are equal; 1 and 1.0 are, 1 and '1' are not."""
        first, second = map(evaluation.resolve, self.arguments if isinstance(self.arguments, list) else [])
        equal = same(first, second, _differ_in_type)
        return self.unknown(first, second) if equal is None else equal


def _differ_in_type(first: object, second: object) -> bool:
    """Return whether the type of an unknown value alone shows that the two values differ."""
    if isinstance(first, Unknown):
        return not isinstance(second, Unknown) and not first.shape.may_be(second)
    return isinstance(second, Unknown) and not second.shape.may_be(first)


class Not(Function, frozen=True):
    """`not: condition`."""

    def check(self) -> None:
        """Reject null."""
        if self.arguments is None:
            raise ValueError(f'Argument to "{self.name}" must be a condition')

    def _condition(self) -> object:
        return self.arguments

    def result(self, evaluation: Evaluation) -> object:
        """Return the negation of the condition."""
        value = truth(evaluation.resolve(self._condition()), evaluation)
        return self.unknown(value) if isinstance(value, Unknown) else not value


class And(Function, frozen=True):
    """`and: [condition, condition, ...]`."""

    DECISIVE: ClassVar[bool] = False
    """The value of a single condition that determines the result."""

    def check(self) -> None:
        """Require a list of at least two items."""
        if not isinstance(self.arguments, list):
            raise ValueError(f'Arguments to "{self.name}" must be a list of conditions')
        if len(self.arguments) < 2:
            raise ValueError(f'The minimum number of condition arguments to "{self.name}" is 2.')

    def result(self, evaluation: Evaluation) -> object:
        """Return the combined truth. Heat stops at the first condition with the decisive value."""
        resolved = evaluation.resolve(self.arguments)
        unknown: list[object] = []
        for item in resolved if isinstance(resolved, list) else []:
            try:
                value = truth(item, evaluation)
            except (ValueError, FunctionError):
                if unknown:
                    break
                raise
            if isinstance(value, Unknown):
                unknown.append(value)
            elif value is self.DECISIVE:
                return value
        return self.unknown(*unknown) if unknown else not self.DECISIVE


class Or(And, frozen=True):
    """`or: [condition, condition, ...]`."""

    DECISIVE = True


class If(Function, frozen=True):
    """`if: [condition, value if true, value if false]`: only the chosen value is evaluated."""

    @classmethod
    def parse_arguments(cls, data: object, parser: Parser, path: TreePath) -> object:
        """Parse the condition with the condition functions, the values with all functions."""
        if not isinstance(data, list) or not data:
            return data
        condition = parser.parse_condition(data[0], (*path, BranchIndex(0)))
        values = [parser.parse(item, (*path, BranchIndex(index))) for index, item in enumerate(data[1:], 1)]
        return [condition, *values]

    def check(self) -> None:
        """Require a list of exactly three items."""
        if not isinstance(self.arguments, list) or not self._is_right_length(len(self.arguments)):
            form = "[condition_name, value_if_true, value_if_false]"
            raise ValueError(f'Arguments to "{self.name}" must be of the form: {form}')

    def _is_right_length(self, length: int) -> bool:
        return length == 3

    def decided(self, evaluation: Evaluation) -> bool | Unknown:
        """Return whether the condition holds. Raise ValueError or FunctionError if it cannot be evaluated."""
        written = self.arguments[0] if isinstance(self.arguments, list) else None
        if isinstance(written, str):  # the name of a condition, which may be supposed
            return evaluation.stack.condition(written)
        supposed = evaluation.stack.supposed(written)
        return supposed if supposed is not None else truth(evaluation.resolve(written), evaluation)

    def _branches(self) -> tuple[object, object]:
        """Return the values for true and for false."""
        values = self.arguments[1:] if isinstance(self.arguments, list) else []
        return (values[0], values[1]) if len(values) == 2 else (values[0], OMITTED)

    def check_in(self, evaluation: Evaluation) -> None:
        """Require a condition that can be evaluated."""
        self.decided(evaluation)

    def children(self, evaluation: Evaluation) -> tuple[tuple[object, ...], tuple[object, ...]]:
        """Return the condition and the chosen value; both values as uncertain if the condition is unknown."""
        condition = self.arguments[0] if isinstance(self.arguments, list) else None
        try:
            chosen = self.decided(evaluation)
        except (ValueError, FunctionError):
            return (condition,), ()
        if_true, if_false = self._branches()
        if isinstance(chosen, Unknown):
            return (condition,), (if_true, if_false)
        return (condition, if_true if chosen else if_false), ()

    def result(self, evaluation: Evaluation) -> object:
        """Return the chosen value; unknown if the condition is unknown or invalid."""
        try:
            chosen = self.decided(evaluation)
        except (ValueError, FunctionError):
            return Unknown(("broken", self.path), frozenset({f"function:{self.name}"}))
        if_true, if_false = self._branches()
        if isinstance(chosen, Unknown):
            return Unknown((self.name, chosen.key, repr(if_true), repr(if_false)), chosen.origins)
        return evaluation.resolve_item(if_true if chosen else if_false)


class IfNullable(If, frozen=True):
    """`if` since 2021-04-16: without a value for false, the containing item is omitted."""

    def _is_right_length(self, length: int) -> bool:
        return length in (2, 3)
