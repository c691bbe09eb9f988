"""The conditions of a template (heat/engine/conditions.py)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from heatstudio.stack.functions.examine import FunctionProblem, validate
from heatstudio.stack.functions.function import Function, FunctionError, StackView, Vocabulary, parse_condition, resolve
from heatstudio.stack.functions.text_functions import sha256_of
from heatstudio.stack.problem import ProblemKind, StackProblem
from heatstudio.stack.unknown import Unknown
from heatstudio.template import TreePath

LONGEST_CHAIN = 40
"""Maximum length of a chain of conditions that refer to each other; longer chains are unknown."""
LONGEST_KEY = 1_000
"""Maximum length of the key of an unknown condition; longer keys, which grow along the chain, are hashed."""
ERROR = "Condition validation error"


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
            message = (
                f"Conditions validation error: Condition definitions must be a map. Found a {self._type_name} instead"
            )
            yield StackProblem(ProblemKind.CONDITION, (self._section,), message)
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
            value = replace(value, key=("condition", sha256_of(words)))
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
