"""Condition functions and `if` (heat/engine/hot/functions.py)."""

from collections.abc import Container
from typing import ClassVar

from heatstudio.stack.functions.function import OMITTED, Evaluation, Function, FunctionError, ListFunction, Parser
from heatstudio.stack.path import BranchIndex
from heatstudio.stack.unknown import Unknown, same
from heatstudio.template import TreePath


def truth(value: object, evaluation: Evaluation) -> bool | Unknown:
    """Return whether a resolved condition, a boolean or the name of a condition, holds.

    Raise ValueError if there is no condition of this name.
    """
    return value if isinstance(value, (bool, Unknown)) else evaluation.stack.condition(value)


class Equals(ListFunction, frozen=True):
    """`equals: [value, value]`."""

    USAGE = 'Arguments to "{0}" must be of the form: [value_1, value_2]'

    def result(self, evaluation: Evaluation) -> object:
        """Return whether the two values are equal; 1 and 1.0 are, 1 and '1' are not."""
        first, second = map(evaluation.resolve, self.items)
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


class And(ListFunction, frozen=True):
    """`and: [condition, condition, ...]`."""

    DECISIVE: ClassVar[bool] = False
    """The value of a single condition that determines the result."""
    LENGTHS = ListFunction.TWO_OR_MORE
    USAGE = 'The minimum number of condition arguments to "{0}" is 2.'
    NO_LIST = 'Arguments to "{0}" must be a list of conditions'

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


class If(ListFunction, frozen=True):
    """`if: [condition, value if true, value if false]`: only the chosen value is evaluated."""

    LENGTHS: ClassVar[Container[int]] = (3,)
    USAGE = 'Arguments to "{0}" must be of the form: [condition_name, value_if_true, value_if_false]'

    @classmethod
    def parse_arguments(cls, data: object, parser: Parser, path: TreePath) -> object:
        """Parse the condition with the condition functions, the values with all functions."""
        if not isinstance(data, list) or not data:
            return data
        condition = parser.parse_condition(data[0], (*path, BranchIndex(0)))
        values = [parser.parse(item, (*path, BranchIndex(index))) for index, item in enumerate(data[1:], 1)]
        return [condition, *values]

    def decided(self, evaluation: Evaluation) -> bool | Unknown:
        """Return whether the condition holds. Raise ValueError or FunctionError if it cannot be evaluated."""
        written = self.items[0]
        if isinstance(written, str):  # the name of a condition, which may be supposed
            return evaluation.stack.condition(written)
        supposed = evaluation.stack.supposed(written)
        return supposed if supposed is not None else truth(evaluation.resolve(written), evaluation)

    def _branches(self) -> tuple[object, object]:
        """Return the values for true and for false."""
        _, if_true, *if_false = self.items
        return if_true, if_false[0] if if_false else OMITTED

    def check_in(self, evaluation: Evaluation) -> None:
        """Require a condition that can be evaluated."""
        self.decided(evaluation)

    def children(self, evaluation: Evaluation) -> tuple[tuple[object, ...], tuple[object, ...]]:
        """Return the condition and the chosen value; both values as uncertain if the condition is unknown."""
        condition = self.items[0]
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

    LENGTHS = (2, 3)
