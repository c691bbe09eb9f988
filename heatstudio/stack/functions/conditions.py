"""The conditions of a template (heat/engine/conditions.py)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace

from msgspec import Struct

from heatstudio.stack.functions.cfn_functions import ParamRef
from heatstudio.stack.functions.condition_functions import And, Equals, Not
from heatstudio.stack.functions.examine import FunctionProblem, validate
from heatstudio.stack.functions.function import Function, FunctionError, StackView, Vocabulary, parse_condition, resolve
from heatstudio.stack.functions.hot_functions import GetParam
from heatstudio.stack.problem import ProblemKind, StackProblem
from heatstudio.stack.unknown import Unknown
from heatstudio.template import TreePath

Clause = tuple[object, bool]
"""A parsed condition, and whether it holds."""
FindCondition = Callable[[str], object]
"""A function that returns the parsed definition of a named condition, or raises KeyError if it does not exist."""
_PLAIN = (str, int, float)
MOST_PARTS = 100
"""Maximum number of parts of conditions evaluated per supposition: conditions may form a long chain."""
LONGEST_CHAIN = 40
"""Maximum length of a chain of conditions that refer to each other; longer chains are unknown."""
LONGEST_KEY = 1_000
"""Maximum length of the key of an unknown condition; longer keys, which grow along the chain, are hashed."""
ERROR = "Condition validation error"


class Supposition(Struct, frozen=True):
    """Conditions with supposed truth values, and the parameter values that follow."""

    facts: frozenset[tuple[str, bool]] = frozenset()
    """Truth values by the text of the parsed condition."""
    values: frozenset[tuple[str, str | float | Unknown]] = frozenset()
    """The parameters with the values that follow; Unknown if several values are possible."""
    words: str = ""
    """The supposition in words, such as "`prod` is true and `ha` is false"."""


def suppose(clauses: Iterable[Clause], find: FindCondition, given: Iterable[Clause] = ()) -> Supposition | None:
    """Return the supposition of all clauses and the `given` ones, which hold now.

    The words leave out a given clause if it follows from the others, or if their parameters do not affect it. Return
    None if the clauses contradict each other or have too many parts.
    """
    builder = _ConsequenceCollector(find)
    words: dict[str, None] = {}
    for condition, truth in clauses:
        builder.add(condition, truth)
        words[described(condition, truth=truth)] = None
    for condition, truth in given:
        if repr(condition) not in builder.facts and not builder.values.keys().isdisjoint(builder.parameters(condition)):
            words[described(condition, truth=truth)] = None
        builder.add(condition, truth)
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
        for name in self.parameters(parsed):
            self.values.setdefault(name, Unknown(("supposed", name), frozenset({f"parameter:{name}"})))

    def parameters(self, parsed: object) -> Iterator[str]:
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


class Conditions:
    """Named conditions, each parsed and evaluated on first access."""

    def __init__(self, data: object, vocabulary: Vocabulary, section: str, previous: Conditions | None = None) -> None:
        self._raw: Mapping[str, object] = data if isinstance(data, Mapping) else {}
        self._is_map = isinstance(data, Mapping)
        self._type_name = type(data).__name__
        self._vocabulary = vocabulary
        self._section = section
        self._parsed: dict[str, object] = previous.parsed_as(self._raw, vocabulary) if previous is not None else {}
        self._decided: dict[str, bool | Unknown | FunctionError] = {}
        self._in_progress: list[str] = []

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all conditions, in the template's order."""
        return tuple(self._raw)

    def parsed_as(self, data: Mapping[str, object], vocabulary: Vocabulary) -> dict[str, object]:
        """Return the parsed definitions of the entries that are the same objects in `data`."""
        if vocabulary is not self._vocabulary:
            return {}
        if data is self._raw:
            return self._parsed
        return {name: parsed for name, parsed in self._parsed.items() if data.get(name, self) is self._raw.get(name)}

    def written(self, name: object) -> object:
        """Return the plain data of a condition; None if there is none."""
        return self._raw.get(name) if isinstance(name, str) else None

    def definition(self, name: str) -> object:
        """Return the parsed definition of a condition. Raise KeyError for an unknown name."""
        if name not in self._parsed:
            self._parsed[name] = parse_condition(self._raw[name], self._vocabulary, self._path(name))
        return self._parsed[name]

    def problems(self, stack: StackView) -> Iterator[StackProblem | FunctionProblem]:
        """Yield the problems that Heat finds before it evaluates any condition."""
        if not self._is_map:
            message = f"Condition definitions must be a map. Found a {self._type_name} instead"
            yield StackProblem(ProblemKind.CONDITION, (self._section,), f"Conditions validation error: {message}")
        for name in self.names:
            definition = self.definition(name)
            if isinstance(definition, (bool, Function)):
                yield from validate(definition, stack)
            else:
                yield StackProblem(ProblemKind.CONDITION, self._path(name), _invalid(name, self._raw[name]))

    def is_enabled(self, name: object, stack: StackView) -> bool | Unknown:
        """Return whether a condition holds; the name None means a condition that always holds.

        Raise ValueError if there is no such condition, FunctionError if it cannot be evaluated.
        """
        supposed = stack.supposed(name)
        if supposed is not None:
            return supposed
        if name is None or isinstance(name, bool):
            return name is None or name
        if not isinstance(name, str) or name not in self._raw:
            raise ValueError(f'Invalid condition "{name}"')
        if name not in self._decided:
            self._decided[name] = self._decide(name, stack)
        decided = self._decided[name]
        if isinstance(decided, FunctionError):
            raise decided
        return decided

    def _decide(self, name: str, stack: StackView) -> bool | Unknown | FunctionError:
        if name in self._in_progress:
            return FunctionError(f'{ERROR}: Circular definition for condition "{name}"', self._path(name))
        if len(self._in_progress) > LONGEST_CHAIN:
            return Unknown(("condition", name), frozenset({f"condition:{name}"}))
        self._in_progress.append(name)
        try:
            value = resolve(self.definition(name), stack)
        except FunctionError as error:
            return error.with_traceback(None)  # the error is cached, and its frames would keep the stack alive
        finally:
            self._in_progress.pop()
        if isinstance(value, Unknown) and len(words := repr(value.key)) > LONGEST_KEY:
            value = replace(value, key=("condition", len(words), hash(words)))
        return value if isinstance(value, (bool, Unknown)) else FunctionError(_invalid(name, value), self._path(name))

    def _path(self, name: str) -> TreePath:
        return (self._section, name)


def decide(condition: object, stack: StackView) -> bool | Unknown | FunctionError:
    """Return whether a parsed condition of a resource or output holds, or the error if Heat cannot evaluate it."""
    supposed = stack.supposed(condition)
    if supposed is not None:
        return supposed
    try:
        value = resolve(condition, stack)
        return value if isinstance(value, Unknown) else stack.condition(value)
    except ValueError as error:
        return FunctionError(str(error))
    except FunctionError as error:
        return error.with_traceback(None)  # the error is cached, and its frames would keep the stack alive


def _invalid(name: str, definition: object) -> str:
    return f'{ERROR}: The definition of condition "{name}" is invalid: {definition}'
