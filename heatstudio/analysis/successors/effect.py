"""What Heat reads in properties before and after a change: the proof that a remedy changes nothing.

The values of the properties that take part are computed with translation rules applied, as a plug-in gets them. An
intrinsic function counts as one value that nobody knows; it is equal only to itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from heatstudio.analysis.successors.move import MISSING
from heatstudio.catalog import PropertySchema, ResourceType, TranslationRule
from heatstudio.stack.properties import Properties
from heatstudio.stack.property_problem import PropertyError
from heatstudio.stack.translation import Translation, active_rules
from heatstudio.stack.unknown import Unknown, freeze, same


@dataclass(frozen=True, slots=True)
class Effect:
    """What a change of properties leads to."""

    same: bool
    """Every property that takes part certainly has the value that it had."""
    was_refused: str | None
    """Why Heat refuses the properties as they are."""
    is_refused: str | None
    """Why Heat would refuse them after the change, but not before."""

    @property
    def breaks(self) -> bool:
        """Whether Heat refuses them because of the change alone."""
        return self.is_refused is not None and self.was_refused is None


def effect(resource_type: ResourceType, before: Mapping[object, object], after: Mapping[object, object]) -> Effect:
    """Compare two versions of the properties of one resource."""
    known = frozenset(_names(resource_type.properties))
    rules = resource_type.translation_rules
    changed = {name for name in {*before, *after} if before.get(name, MISSING) is not after.get(name, MISSING)}
    connected = [group for group in map(_connected, rules) if group & changed]
    before, after = _shortened(before, after, changed.difference(*(group for group in connected if len(group) > 1)))
    old, new = _properties(resource_type, before, known), _properties(resource_type, after, known)
    touched = changed.union(*connected)
    pairs = [(_reading(old, name), _reading(new, name)) for name in resource_type.properties if name in touched]
    refused = {message for reading, _ in pairs for message in reading.refusals}
    refused_now = [message for _, reading in pairs for message in reading.refusals if message not in refused]
    return Effect(
        all(same(one.value, other.value) is True for one, other in pairs),
        min(refused, default=None),
        refused_now[0] if refused_now else None,
    )


@dataclass(frozen=True, slots=True)
class _Reading:
    """What Heat makes of one property."""

    value: object
    refusals: tuple[str, ...] = ()


def _reading(properties: Properties, name: str) -> _Reading:
    try:
        return _Reading(properties.property_value(name, validate=True))
    except PropertyError as error:
        return _Reading(properties.value(name), tuple(problem.message for problem in error.problems))


def _connected(rule: TranslationRule) -> set[object]:
    """The top-level properties that a rule connects."""
    switch = () if rule.when_set is None else (rule.when_set,)
    return {*rule.path[:1], *(rule.source or ())[:1], *switch}


def _shortened(
    before: Mapping[object, object], after: Mapping[object, object], names: set[object]
) -> tuple[Mapping[object, object], Mapping[object, object]]:
    """Both versions, of some lists only the items that differ: rules inside a list see one item at a time."""
    for name in names:
        old, new = before.get(name), after.get(name)
        if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
            items = [(one, other) for one, other in zip(old, new, strict=True) if one is not other]
            before = {**before, name: [one for one, _ in items]}
            after = {**after, name: [other for _, other in items]}
    return before, after


def may_be_function(value: object, known: frozenset[str] = frozenset()) -> bool:
    """Whether a value looks like an intrinsic function: a map with one key, which is no property's name."""
    return isinstance(value, Mapping) and len(value) == 1 and next(iter(value)) not in known


def has_function(value: object) -> bool:
    """Whether there may be an intrinsic function in a value."""
    if may_be_function(value):
        return True
    parts = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return any(map(has_function, parts))


def _properties(resource_type: ResourceType, data: Mapping[object, object], known: frozenset[str]) -> Properties:
    def resolve(value: object) -> object:
        if may_be_function(value, known):
            return Unknown(("function", freeze(value)))
        if isinstance(value, Mapping):
            return {key: resolve(below) for key, below in value.items()}
        if isinstance(value, list):
            return [resolve(item) for item in value]
        return value

    rules = active_rules(resource_type.translation_rules, lambda name: bool(data.get(name)))
    written = {str(name): value for name, value in data.items()}
    return Properties(resource_type.properties, written, resolve=resolve, translation=Translation(rules))


def _names(schemas: Mapping[str, PropertySchema]) -> Iterator[str]:
    for name, schema in schemas.items():
        yield name
        yield from _names(schema.children)
