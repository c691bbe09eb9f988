"""What follows if a condition holds, or does not, whatever the present values of the parameters say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

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


class Supposition(Struct, frozen=True):
    """Conditions that are decided, and the values of the parameters that decide them."""

    facts: frozenset[tuple[str, bool]] = frozenset()
    """By the text of the parsed condition."""
    values: frozenset[tuple[str, str | float | Unknown]] = frozenset()
    """Parameters with the value that follows, Unknown where there are several."""
    words: str = ""
    """What is supposed, such as "`prod` is true and `ha` is false"."""


def suppose(clauses: Iterable[Clause], find: FindCondition, given: Iterable[Clause] = ()) -> Supposition | None:
    """Suppose that all clauses hold, besides those that hold already; None if they contradict each other."""
    made = _Maker(find)
    for condition, truth in given:
        made.add(condition, truth)
    words: dict[str, None] = {}
    for condition, truth in clauses:
        made.add(condition, truth)
        words[described(condition, truth=truth)] = None
    if made.is_contradictory:
        return None
    return Supposition(frozenset(made.facts.items()), frozenset(made.values.items()), " and ".join(words))


class _Maker:
    """Collects what follows from clauses."""

    def __init__(self, find: FindCondition) -> None:
        self._find = find
        self.facts: dict[str, bool] = {}
        self.values: dict[str, str | float | Unknown] = {}
        self.is_contradictory = False

    def add(self, condition: object, truth: bool) -> None:
        """Suppose one clause, and what follows from it."""
        key = repr(condition)
        if key in self.facts:
            self.is_contradictory |= self.facts[key] is not truth
            return
        self.facts[key] = truth
        if isinstance(condition, str):
            self._add_definition(condition, truth)
        elif isinstance(condition, Not):
            self.add(condition.arguments, not truth)
        elif isinstance(condition, And) and isinstance(condition.arguments, list) and truth is not condition.DECISIVE:
            for part in condition.arguments:
                self.add(part, truth)
        elif isinstance(condition, Equals) and truth and self._add_equality(condition.arguments):
            return
        else:
            self._forget_values(condition)

    def _add_definition(self, name: str, truth: bool) -> None:
        try:
            definition = self._find(name)
        except KeyError:
            return
        if not isinstance(definition, bool):
            self.add(definition, truth)

    def _add_equality(self, sides: object) -> bool:
        """The value of a parameter that is compared with a plain value."""
        pairs = [(sides[0], sides[1]), (sides[1], sides[0])] if isinstance(sides, list) and len(sides) == 2 else []
        for call, value in pairs:
            name = parameter_of(call)
            if name is not None and isinstance(value, _PLAIN):
                self.is_contradictory |= self.values.get(name, value) != value and self._is_known(name)
                self.values[name] = value
                return True
        return False

    def _is_known(self, name: str) -> bool:
        return not isinstance(self.values.get(name), Unknown)

    def _forget_values(self, parsed: object) -> None:
        """The parameters that a condition reads may have any value."""
        for name in _parameters(parsed, self._find, set()):
            self.values.setdefault(name, Unknown(("supposed", name), frozenset({f"parameter:{name}"})))


def parameter_of(call: object) -> str | None:
    """The parameter that a call reads as a whole; None for any other call."""
    name = call.arguments if isinstance(call, (GetParam, ParamRef)) else None
    return name if isinstance(name, str) else None


def _parameters(parsed: object, find: FindCondition, seen: set[str]) -> Iterator[str]:
    """The parameters that a condition reads, also by other conditions."""
    if isinstance(parsed, (GetParam, ParamRef)):
        name = parsed.arguments[0] if isinstance(parsed.arguments, list) and parsed.arguments else parsed.arguments
        if isinstance(name, str):
            yield name
    if isinstance(parsed, Function):
        yield from _parameters(parsed.arguments, find, seen)
    elif isinstance(parsed, (list, dict)):
        for item in parsed.values() if isinstance(parsed, dict) else parsed:
            yield from _parameters(item, find, seen)
    elif isinstance(parsed, str) and parsed not in seen:
        seen.add(parsed)
        try:
            yield from _parameters(find(parsed), find, seen)
        except KeyError:
            return


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
