"""What Heat reads in properties before and after a change: the proof that a remedy changes nothing.

The values of the properties that take part are computed with translation rules applied, as a plug-in gets them. An
intrinsic function counts as one value that nobody knows; it is equal only to itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

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
    old, new = _properties(resource_type, before, known), _properties(resource_type, after, known)
    touched = _touched(resource_type.translation_rules, before, after)
    judged = [name for name in resource_type.properties if name in touched]
    refused = {message for name in judged for message in _refusals(old, name)}
    refused_now = [message for name in judged for message in _refusals(new, name) if message not in refused]
    return Effect(
        all(same(old.value(name), new.value(name)) is True for name in judged),
        min(refused, default=None),
        refused_now[0] if refused_now else None,
    )


def _touched(
    rules: tuple[TranslationRule, ...], before: Mapping[object, object], after: Mapping[object, object]
) -> set[object]:
    """The top-level properties that are written in another way, and those that rules connect with them."""
    names = {*before, *after}
    found = {name for name in names if name not in before or name not in after or before[name] is not after[name]}
    connected = [{rule.path[0], *(rule.source or ())[:1], rule.when_set} for rule in rules if rule.path]
    return found.union(*(group for group in connected if group & found))


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


def _refusals(properties: Properties, name: str) -> Iterator[str]:
    try:
        properties.property_value(name, validate=True)
    except PropertyError as error:
        for problem in error.problems:
            yield problem.message


def _names(schemas: Mapping[str, PropertySchema]) -> Iterator[str]:
    for name, schema in schemas.items():
        yield name
        yield from _names(schema.children)
