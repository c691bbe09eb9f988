"""The consequences of supposed truth values of conditions, independent of the current values of parameters."""

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
"""A function that returns the parsed definition of a named condition, or raises KeyError if it does not exist."""
_PLAIN = (str, int, float)
MOST_PARTS = 100
"""Maximum number of parts of conditions evaluated per supposition: conditions may form a long chain."""


class Supposition(Struct, frozen=True):
    """Conditions with supposed truth values, and the parameter values that follow."""

    facts: frozenset[tuple[str, bool]] = frozenset()
    """Truth values by the text of the parsed condition."""
    values: frozenset[tuple[str, str | float | Unknown]] = frozenset()
    """The parameters with the values that follow; Unknown if several values are possible."""
    words: str = ""
    """The supposition in words, such as "`prod` is true and `ha` is false"."""


def suppose(clauses: Iterable[Clause], find: FindCondition, given: Iterable[Clause] = ()) -> Supposition | None:
    """Return the supposition of all clauses and the `given` clauses, described by the former.

    Return None if the clauses contradict each other or have too many parts.
    """
    builder = _ConsequenceCollector(find)
    for condition, truth in given:
        builder.add(condition, truth)
    words: dict[str, None] = {}
    for condition, truth in clauses:
        builder.add(condition, truth)
        words[described(condition, truth=truth)] = None
    if builder.is_contradictory or builder.parts > MOST_PARTS:
        return None
    return Supposition(frozenset(builder.facts.items()), frozenset(builder.values.items()), " and ".join(words))


class _ConsequenceCollector:
    """A collector of the consequences of clauses."""

    def __init__(self, find: FindCondition) -> None:
        self._find = find
        self.facts: dict[str, bool] = {}
        self.values: dict[str, str | float | Unknown] = {}
        self.is_contradictory = False
        self.parts = 0

    def add(self, condition: object, truth: bool) -> None:
        """Add one clause and its consequences."""
        pending: list[Clause] = [(condition, truth)]
        while pending and self.parts <= MOST_PARTS:
            self.parts += 1
            condition, truth = pending.pop()
            key = repr(condition)
            if key in self.facts:
                self.is_contradictory |= self.facts[key] is not truth
                continue
            self.facts[key] = truth
            pending += reversed(self._following(condition, truth))

    def _following(self, condition: object, truth: bool) -> list[Clause]:
        """Return the direct consequences of a clause, and record the parameter values that follow."""
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
        """Record the value of a parameter compared with a plain value; return whether there is one."""
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
        """Record an unknown value for each parameter that a condition reads and whose value is not recorded yet."""
        for name in self._parameters(parsed):
            self.values.setdefault(name, Unknown(("supposed", name), frozenset({f"parameter:{name}"})))

    def _parameters(self, parsed: object) -> Iterator[str]:
        """Yield the parameters that a condition reads, directly or through other conditions."""
        pending, seen = [parsed], set[str]()
        while pending and self.parts <= MOST_PARTS:
            self.parts += 1
            part = pending.pop()
            if isinstance(part, (GetParam, ParamRef)):
                name = part.arguments[0] if isinstance(part.arguments, list) and part.arguments else part.arguments
                if isinstance(name, str):
                    yield name
            if isinstance(part, Function):
                pending.append(part.arguments)
            elif isinstance(part, (list, dict)):
                pending += part.values() if isinstance(part, dict) else part
            elif isinstance(part, str) and part not in seen:
                seen.add(part)
                with suppress(KeyError):
                    pending.append(self._find(part))


def parameter_of(call: object) -> str | None:
    """Return the parameter that a call reads without a path; None for any other call."""
    name = call.arguments if isinstance(call, (GetParam, ParamRef)) else None
    return name if isinstance(name, str) else None


def described(condition: object, *, truth: bool) -> str:
    """Describe the truth of a condition with the names of the template."""
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
