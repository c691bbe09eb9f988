"""Evaluation under the assumption that a condition is true or false, whatever the parameter values are."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

from msgspec import Struct

from heatstudio.stack.functions.cfn_functions import ParamRef
from heatstudio.stack.functions.condition_functions import And, Equals, Not
from heatstudio.stack.functions.function import Function
from heatstudio.stack.functions.hot_functions import GetParam
from heatstudio.stack.unknown import Unknown

Clause = tuple[object, bool]
"""A parsed condition, and whether it holds."""
FindCondition = Callable[[str], object]
"""The parsed definition of a named condition. Raises KeyError."""
_PLAIN = (str, int, float)
MOST_PARTS = 200
"""Parts of conditions that are followed for one supposition: conditions may refer to each other in a long chain."""


class Supposition(Struct, frozen=True):
    """Assumed conditions, and the parameter values that imply them."""

    facts: frozenset[tuple[str, bool]] = frozenset()
    """By the text of the parsed condition."""
    values: frozenset[tuple[str, str | float | Unknown]] = frozenset()
    """Parameters with the value that follows, Unknown where there are several."""
    words: str = ""
    """What is supposed, such as "`prod` is true and `ha` is false"."""


def suppose(clauses: Iterable[Clause], find: FindCondition, given: Iterable[Clause] = ()) -> Supposition | None:
    """Assume all clauses in addition to the current assumptions.

    None if they contradict each other, or if there is too much to follow.
    """
    made = _Maker(find)
    for condition, truth in given:
        made.add(condition, truth)
    words: dict[str, None] = {}
    for condition, truth in clauses:
        made.add(condition, truth)
        words[described(condition, truth=truth)] = None
    if made.is_contradictory or made.parts > MOST_PARTS:
        return None
    return Supposition(frozenset(made.facts.items()), frozenset(made.values.items()), " and ".join(words))


class _Maker:
    """Collects the implications of clauses."""

    def __init__(self, find: FindCondition) -> None:
        self._find = find
        self.facts: dict[str, bool] = {}
        self.values: dict[str, str | float | Unknown] = {}
        self.is_contradictory = False
        self.parts = 0

    def add(self, condition: object, truth: bool) -> None:
        """Suppose one clause, and what follows from it."""
        left: list[Clause] = [(condition, truth)]
        while left and self.parts <= MOST_PARTS:
            self.parts += 1
            condition, truth = left.pop()
            key = repr(condition)
            if key in self.facts:
                self.is_contradictory |= self.facts[key] is not truth
                continue
            self.facts[key] = truth
            left += reversed(self._following(condition, truth))

    def _following(self, condition: object, truth: bool) -> list[Clause]:
        """The clauses that follow from one directly."""
        if isinstance(condition, str):
            return self._definition(condition, truth)
        if isinstance(condition, Not):
            return [(condition.arguments, not truth)]
        if isinstance(condition, And) and isinstance(condition.arguments, list) and truth is not condition.DECISIVE:
            return [(part, truth) for part in condition.arguments]
        if not (isinstance(condition, Equals) and truth and self._add_equality(condition.arguments)):
            self._forget_values(condition)
        return []

    def _definition(self, name: str, truth: bool) -> list[Clause]:
        try:
            definition = self._find(name)
        except KeyError:
            return []
        return [] if isinstance(definition, bool) else [(definition, truth)]

    def _add_equality(self, sides: object) -> bool:
        """The value of a parameter that is compared with a plain value."""
        pairs = [(sides[0], sides[1]), (sides[1], sides[0])] if isinstance(sides, list) and len(sides) == 2 else []
        for call, value in pairs:
            name = parameter_of(call)
            if name is not None and isinstance(value, _PLAIN):
                known = self.values.get(name, value)
                self.is_contradictory |= known != value and not isinstance(known, Unknown)
                self.values[name] = value
                return True
        return False

    def _forget_values(self, parsed: object) -> None:
        """The parameters that a condition reads may have any value."""
        for name in self._parameters(parsed):
            self.values.setdefault(name, Unknown(("supposed", name), frozenset({f"parameter:{name}"})))

    def _parameters(self, parsed: object) -> Iterator[str]:
        """The parameters that a condition reads, also by other conditions."""
        left, seen = [parsed], set[str]()
        while left and self.parts <= MOST_PARTS:
            self.parts += 1
            one = left.pop()
            if isinstance(one, (GetParam, ParamRef)):
                name = one.arguments[0] if isinstance(one.arguments, list) and one.arguments else one.arguments
                if isinstance(name, str):
                    yield name
            if isinstance(one, Function):
                left.append(one.arguments)
            elif isinstance(one, (list, dict)):
                left += one.values() if isinstance(one, dict) else one
            elif isinstance(one, str) and one not in seen:
                seen.add(one)
                with suppress(KeyError):
                    left.append(self._find(one))


def parameter_of(call: object) -> str | None:
    """The parameter that a call reads as a whole; None for any other call."""
    name = call.arguments if isinstance(call, (GetParam, ParamRef)) else None
    return name if isinstance(name, str) else None


def described(condition: object, *, truth: bool) -> str:
    """That a condition holds, or does not, in the words of the template."""
    if isinstance(condition, str):
        return f"`{condition}` is {str(truth).lower()}"
    if isinstance(condition, Not):
        return described(condition.arguments, truth=not truth)
    if isinstance(condition, Equals) and isinstance(condition.arguments, list):
        for call, value in (condition.arguments, reversed(condition.arguments)):
            name = parameter_of(call)
            if name is not None and isinstance(value, _PLAIN):
                return f"`{name}` is {'' if truth else 'not '}`{value}`"
    return f"the condition is {str(truth).lower()}"
