"""Successors of deprecated types, properties and attributes, as Heat's translation rules and messages name them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from tests.catalog.harvest.protocols import Facts, PluginClass, StatusLike

Path = tuple[str, ...]
"""Names from the top-level property down, without list indices."""

_ADVICE = re.compile(r"\buse (?:the )?(?:property )?`*(\w+(?:::\w+)*)", re.IGNORECASE)
_ADVICE_IN_TYPE = re.compile(r"\buse the `(\w+)` property in the (\w+) resource", re.IGNORECASE)


def states(status: StatusLike) -> Iterator[StatusLike]:
    """Yield the states of a support status, newest first."""
    state: StatusLike | None = status
    while state is not None:
        yield state
        state = state.previous_status


def moves(rules: Iterable[Facts]) -> dict[Path, Path]:
    """Return the new path by the old path of each value that a translation rule moves."""
    moved: dict[Path, Path] = {}
    for rule in rules:
        target = _path(rule["path"])
        if rule["kind"] == "Replace" and "custom_value_path" not in rule:
            source = _path(rule["value_path"]) if "value_path" in rule else (*target[:-1], str(rule["value_name"]))
            moved[source] = target
        elif rule["kind"] == "Add" and "when_set" in rule:
            moved[str(rule["when_set"]),] = target
    return moved


def member_successor(
    path: Path, siblings: Collection[str], status: StatusLike, moved: Mapping[Path, Path]
) -> str | None:
    """Return the successor of a property or attribute: the target of its rule, else a sibling named in a message."""
    if path in moved:
        return moved[path][-1]
    advised = (name for state in states(status) for name in _ADVICE.findall(state.message or ""))
    return next((name for name in advised if name in siblings and name != path[-1]), None)


class TypeSuccessors:
    """The successors of resource types; `types` are all types of Heat."""

    def __init__(self, types: Mapping[str, PluginClass]) -> None:
        self._types = types
        self._names = {id(plugin): name for name, plugin in types.items()}

    def name(self, plugin: type) -> str | None:
        """Return the resource type for which a class is registered."""
        return self._names.get(id(plugin))

    def successor(self, name: str, before: frozenset[str] = frozenset()) -> str | None:
        """Return the successor of a type, or the successor of the successor if that is hidden."""
        found = next(self._candidates(name, self._types[name].support_status), None)
        if found is None or found in before:
            return None
        if self._types[found].support_status.status == "HIDDEN":
            return self.successor(found, before | {name})
        return found

    def _candidates(self, name: str, status: StatusLike) -> Iterator[str]:
        for state in states(status):
            if state.substitute_class is not None:
                yield self._names[id(state.substitute_class)]
        for state in states(status):
            yield from self._advised(name, state.message or "")

    def _advised(self, name: str, message: str) -> Iterator[str]:
        """Yield the types that a message names: by full name, by a service with a type of that name, by a property."""
        for word in _ADVICE.findall(message):
            if word in self._types and word != name:
                yield word
        group, _, last = name.rpartition("::")
        words = {word.casefold() for word in _ADVICE.findall(message)}
        for other in self._types:
            parts = other.split("::")
            if parts[-1] == last and other != name and words & {part.casefold() for part in parts[1:-1]}:
                yield other
        for member, noun in _ADVICE_IN_TYPE.findall(message):
            other = f"{group}::{noun.capitalize()}"
            if other in self._types and member in self._types[other].properties_schema:
                yield other


def needs_successor(state: StatusLike) -> bool:
    """Return whether a type, property or attribute in this state should be replaced."""
    return state.status in {"DEPRECATED", "HIDDEN"}


def _path(names: object) -> Path:
    return tuple(str(name) for name in names) if isinstance(names, list | tuple) else ()
