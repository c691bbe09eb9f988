"""What an update does to one resource that is on both sides (heat/engine/resource.py, update and _needs_update).

Every difference of a property is held against its flags and against the rules of its type; the gravest outcome wins.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from heatstudio.catalog.resource_type import Family, ResourceType
from heatstudio.catalog.schema import PropertySchema
from heatstudio.catalog.update_rule import PLAIN, AllowedValuesOf, UpdateBehavior, UpdateRule
from heatstudio.stack.difference import compare
from heatstudio.stack.properties import Properties
from heatstudio.stack.property_problem import PropertyError
from heatstudio.stack.unknown import has_unknown
from heatstudio.stack.update_plan import ORDER, Action, Cause

ANY_PROPERTY = "*"


@dataclass(frozen=True, slots=True)
class Side:
    """One resource as one side of the update has it."""

    type: ResourceType
    properties: Properties
    written: Mapping[str, object]
    """The parts of the definition, resolved but not translated: properties, metadata, depends_on, ..."""
    given: frozenset[str]
    """The properties that are written."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A property whose values are not certainly equal."""

    schema: PropertySchema
    before: object
    after: object
    certain: bool


@dataclass(frozen=True, slots=True)
class Decision:
    """The outcome for one resource and what led to it."""

    action: Action
    causes: tuple[Cause, ...] = ()
    certain: bool = True
    notes: tuple[str, ...] = ()
    changed: frozenset[str] = frozenset()


def decide(before: Side, after: Side, behavior: UpdateBehavior = PLAIN) -> Decision:
    """The decision for a resource whose type stays the same."""
    if Family.NO_OP in after.type.families:
        return Decision(Action.UNCHANGED, notes=("This type does nothing: Heat never updates or replaces it.",))
    if behavior.always_replaced:
        return Decision(Action.REPLACED, notes=(f"Replaced in any case: {behavior.always_replaced}.",))
    if behavior.always_replaced_when and _holds(behavior.always_replaced_when, before, after):
        names = ", ".join(f"`{name}`" for name, _ in behavior.always_replaced_when)
        return Decision(Action.REPLACED, notes=(f"Replaced by every stack update, because {names} asks for it.",))
    differences = list(_differences(before, after))
    parts = list(_changed_parts(before, after))
    if behavior.replaced_by_keys is not None:
        causes = tuple(_changed_keys(behavior.replaced_by_keys, before, after))
        if causes:
            return Decision(Action.REPLACED, causes, changed=_names(differences))
    if not differences and not parts:
        return _without_difference(before, after, behavior)
    return _outcome(before, after, behavior, differences, parts)


def _without_difference(before: Side, after: Side, behavior: UpdateBehavior) -> Decision:
    if behavior.always_updated or {Family.STACK, Family.TEMPLATE} & after.type.families:
        return Decision(Action.UPDATED, notes=("Heat always submits this type again, even when nothing changed.",))
    if behavior.always_updated_when and _holds(behavior.always_updated_when, before, before):
        return Decision(Action.UPDATED, notes=("This resource asks to be updated by every stack update.",))
    return Decision(Action.UNCHANGED)


def _outcome(
    before: Side,
    after: Side,
    behavior: UpdateBehavior,
    differences: list[Difference],
    parts: list[tuple[str, object, object]],
) -> Decision:
    changed = _names(differences)
    broken = [rule for rule in behavior.rules if _applies(rule, before, after, changed, {name for name, *_ in parts})]
    causes: list[Cause] = []
    certain: dict[Action, bool] = {}
    for difference in differences:
        name = difference.schema.name
        effect, sentence = _effect(difference.schema)
        for rule in broken:
            outcome = Action.REPLACED if rule.replaces else Action.NOT_SUPPORTED
            if ORDER.index(outcome) < ORDER.index(effect) and _concerns(rule, name):
                effect, sentence = outcome, f"Because {rule.reason}."
        causes.append(Cause(name, difference.before, difference.after, effect, sentence, path=("properties", name)))
        certain[effect] = certain.get(effect, False) or difference.certain
    for name, old, new in parts:
        rule_of_part = next((rule for rule in broken if rule.section == name), None)
        effect = Action.REPLACED if rule_of_part else Action.UPDATED
        sentence = (
            f"Because {rule_of_part.reason}." if rule_of_part else "Updated in place, without effect on properties."
        )
        if name != "properties" or not differences:
            causes.append(Cause(name, old, new, effect, sentence, path=(name,)))
        certain[effect] = True
    action = min((cause.effect for cause in causes), key=ORDER.index, default=Action.UPDATED)
    causes.sort(key=lambda cause: ORDER.index(cause.effect))
    notes = () if differences else ("Updated without effect: no property has another value than before.",)
    return Decision(action, tuple(causes), certain.get(action, True), notes, changed)


def _effect(schema: PropertySchema) -> tuple[Action, str]:
    if schema.immutable:
        return Action.NOT_SUPPORTED, schema.update_sentence
    return (Action.UPDATED if schema.update_allowed else Action.REPLACED), schema.update_sentence


def _differences(before: Side, after: Side) -> Iterator[Difference]:
    """The top-level properties whose values differ: Heat compares no deeper."""
    for name, schema in after.type.properties.items():
        try:
            new = after.properties[name]
        except PropertyError:
            new = after.properties.value(name)
        try:
            old = before.properties[name]
        except PropertyError:
            old = before.properties.value(name)
            if name in before.given and compare(old, new) is not True:
                yield Difference(schema, old, new, certain=False)
            continue
        except KeyError:
            yield Difference(schema, None, new, certain=True)
            continue
        alike = compare(old, new)
        if alike is not True:
            yield Difference(schema, old, new, certain=alike is False)


def _changed_parts(before: Side, after: Side) -> Iterator[tuple[str, object, object]]:
    for name in dict.fromkeys((*after.written, *before.written)):
        old, new = before.written.get(name), after.written.get(name)
        if compare(old, new) is not True:
            yield name, old, new


def _names(differences: list[Difference]) -> frozenset[str]:
    return frozenset(difference.schema.name for difference in differences)


def _concerns(rule: UpdateRule, name: str) -> bool:
    return name in rule.changed or ANY_PROPERTY in rule.changed or name in (rule.decreased, rule.not_superset)


def _applies(rule: UpdateRule, before: Side, after: Side, changed: frozenset[str], parts: set[str]) -> bool:
    """Whether all conditions of a rule hold."""
    if rule.section and rule.section not in parts:
        return False
    if rule.changed and ANY_PROPERTY not in rule.changed and not changed.intersection(rule.changed):
        return False
    if ANY_PROPERTY in rule.changed and not changed:
        return False
    if not _holds(rule.after, before, after):
        return False
    if rule.newly_set and not any(name in changed and after.properties.value(name) for name in rule.newly_set):
        return False
    if rule.before_set and not all(before.properties.value(name) is not None for name in rule.before_set):
        return False
    return _values_apply(rule, before, after, changed)


def _values_apply(rule: UpdateRule, before: Side, after: Side, changed: frozenset[str]) -> bool:
    if rule.decreased:
        old, new = before.properties.value(rule.decreased), after.properties.value(rule.decreased)
        if not (isinstance(old, (int, float)) and isinstance(new, (int, float)) and new < old):
            return False
    if rule.not_superset:
        old, new = before.properties.value(rule.not_superset), after.properties.value(rule.not_superset)
        known = isinstance(old, list) and isinstance(new, list) and not has_unknown(old) and not has_unknown(new)
        if rule.not_superset not in changed or not known or _covers(new, old):
            return False
    if rule.one_side_empty:
        sides = (before.properties.value(rule.one_side_empty), after.properties.value(rule.one_side_empty))
        if all(sides) or not any(sides):
            return False
    if rule.inner_changed:
        name, *path = rule.inner_changed
        return (
            compare(_inner(before.properties.value(name), path), _inner(after.properties.value(name), path)) is not True
        )
    return True


def _covers(new: object, old: object) -> bool:
    return isinstance(new, list) and isinstance(old, list) and all(item in new for item in old)


def _inner(value: object, path: list[str]) -> object:
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _holds(wanted: AllowedValuesOf, before: Side, after: Side) -> bool:
    """Whether properties have one of the wanted values: the new ones, or the old ones where those are empty."""
    for name, values in wanted:
        value = after.properties.value(name) if name in after.type.properties else None
        if value in (None, "") and name in before.type.properties:
            value = before.properties.value(name)
        if value not in values:
            return False
    return True


def _changed_keys(keys: tuple[str, str], before: Side, after: Side) -> Iterator[Cause]:
    names_property, map_property = keys
    names = after.properties.value(names_property)
    old, new = before.properties.value(map_property), after.properties.value(map_property)
    if not isinstance(names, list) or not isinstance(old, Mapping) or not isinstance(new, Mapping):
        return
    for name in names:
        if compare(old.get(name), new.get(name)) is not True:
            sentence = f"Because `{names_property}` names it."
            path = ("properties", map_property, str(name))
            yield Cause(f"{map_property}.{name}", old.get(name), new.get(name), Action.REPLACED, sentence, path)
