"""Evaluation of the update rules of resource types, three-valued because values may be unknown."""

from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct

from heatstudio.catalog import ResourceType
from heatstudio.catalog.rules.update_rule import AllowedValuesOf, UpdateRule
from heatstudio.stack.unknown import Unknown, ValueSet, all_of, any_of, has_unknown
from heatstudio.stack.values.properties import Properties
from heatstudio.update.difference import compare

ANY_PROPERTY = "*"


class Side(Struct, frozen=True):
    """One resource on one side of an update."""

    type: ResourceType
    properties: Properties
    written: Mapping[str, object]
    """The resolved parts of the definition, without property translation: properties, metadata, depends_on, ..."""
    read_metadata: object = None
    """The unresolved metadata, if they read other resources."""


def applies(rule: UpdateRule, before: Side, after: Side, changed: frozenset[str], parts: set[str]) -> bool | None:
    """Return whether all conditions of a rule hold; None if that depends on unknown values."""
    if rule.section and rule.section not in parts:
        return False
    if rule.changed and not (changed if ANY_PROPERTY in rule.changed else changed.intersection(rule.changed)):
        return False
    truth = all_of(condition() for condition in _conditions(rule, before, after, changed))
    return None if truth and rule.only_may else truth


def _conditions(
    rule: UpdateRule, before: Side, after: Side, changed: frozenset[str]
) -> Iterator[Callable[[], bool | None]]:
    yield lambda: not _refers_to_resources(rule, after) and holds(rule.after, before, after)
    if rule.newly_set:
        yield lambda: any_of(_is_set(after, name) for name in rule.newly_set if name in changed)
    if rule.before_set:
        yield lambda: all_of(_is_given(before, name) for name in rule.before_set)
    if rule.decreased:
        yield lambda: _decreased(before.properties.value(rule.decreased), after.properties.value(rule.decreased))
    if rule.not_superset:
        yield (
            lambda: (
                rule.not_superset in changed
                and _lacks(before.properties.value(rule.not_superset), after.properties.value(rule.not_superset))
            )
        )
    if rule.one_side_empty:
        yield lambda: _is_set(before, rule.one_side_empty) is not _is_set(after, rule.one_side_empty)
    if rule.inner_changed:
        yield lambda: _inner_changed(rule.inner_changed, before, after)


def _refers_to_resources(rule: UpdateRule, after: Side) -> bool:
    """Return whether a tested value comes from resources: an ID or address never equals a plug-in's keyword."""
    values = (after.properties.value(name) for name in rule.after if name in rule.changed)
    origins = [value.origins for value in values if isinstance(value, Unknown)]
    return any(names and all(name.startswith("resource:") for name in names) for names in origins)


def _is_set(side: Side, name: str) -> bool | None:
    value = side.properties.value(name)
    return None if isinstance(value, Unknown) else bool(value)


def _is_given(side: Side, name: str) -> bool | None:
    value = side.properties.value(name)
    return None if isinstance(value, Unknown) else value is not None


def _decreased(old: object, new: object) -> bool | None:
    if not all(isinstance(value, (int, float, Unknown)) for value in (old, new)) or compare(old, new) is True:
        return False
    return new < old if isinstance(old, (int, float)) and isinstance(new, (int, float)) else None


def _lacks(old: object, new: object) -> bool | None:
    """Return whether the new list lacks an item of the old list; None if unknown."""
    if has_unknown(old) or has_unknown(new):
        return None
    return isinstance(new, list) and isinstance(old, list) and not all(map(ValueSet(new).include, old))


def _inner_changed(path: tuple[str, ...], before: Side, after: Side) -> bool | None:
    name, *inside = path
    equal = compare(_inner(before.properties.value(name), inside), _inner(after.properties.value(name), inside))
    return None if equal is None else not equal


def _inner(value: object, path: list[str]) -> object:
    for name in path:
        if isinstance(value, Unknown):
            return value
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def holds(wanted: AllowedValuesOf, before: Side, after: Side) -> bool | None:
    """Return whether all properties have one of their wanted values; an empty new value defaults to the old value."""
    return all_of(ValueSet(values).include(_newer(name, before, after)) for name, values in wanted.items())


def _newer(name: str, before: Side, after: Side) -> object:
    value = after.properties.value(name) if name in after.type.properties else None
    if value in (None, "") and name in before.type.properties:
        value = before.properties.value(name)
    return value
