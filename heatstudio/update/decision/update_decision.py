"""The decision on the outcome of an update for one resource (heat/engine/resource.py, update and _needs_update).

Each difference has an effect, which follows from the property schema and the rules of the type; the most severe wins.
"""

from collections.abc import Iterator, Mapping
from posixpath import normpath

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.catalog.resource_type import Family
from heatstudio.catalog.rules.update_rule import PLAIN, UpdateBehavior, UpdateRule
from heatstudio.catalog.schema import PropertySchema
from heatstudio.stack.values.property_problem import PropertyError
from heatstudio.update.decision.property_effect import concerns, schema_effect
from heatstudio.update.difference import compare
from heatstudio.update.plan.update_plan import ORDER, Action, Cause
from heatstudio.update.sides.update_truth import Side, applies, holds


class ChangedPart(Struct, frozen=True):
    """A part of the definition that differs or may differ."""

    name: str
    before: object
    after: object
    certain: bool


class Difference(Struct, frozen=True):
    """A property whose values differ or may differ."""

    schema: PropertySchema
    before: object
    after: object
    certain: bool


class Decision(Struct, frozen=True):
    """The outcome for one resource and its causes."""

    action: Action
    causes: tuple[Cause, ...] = ()
    certain: bool = True
    notes: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    """Further conditions of an uncertain outcome, besides the values of the causes, as `whether ...`."""


def decide(before: Side, after: Side, behavior: UpdateBehavior = PLAIN) -> Decision:
    """Return the decision for a resource whose type stays the same."""
    if Family.NO_OP in after.type.families:
        return Decision(
            Action.UNCHANGED, notes=("Resources of this type do nothing; Heat never updates or replaces them.",)
        )
    if behavior.always_replaced:
        return Decision(Action.REPLACED, notes=(f"Always replaced: {behavior.always_replaced}.",))
    always_replaced = holds(behavior.always_replaced_when, before, after) if behavior.always_replaced_when else False
    if always_replaced is True:
        names = ", ".join(f"`{name}`" for name in behavior.always_replaced_when)
        return Decision(Action.REPLACED, notes=(f"Replaced by every stack update because of {names}.",))
    differences = list(_differences(before, after))
    parts = list(_changed_parts(before, after))
    if behavior.replaced_by_keys is not None:
        causes = tuple(_changed_keys(behavior.replaced_by_keys, before, after))
        if causes:
            return Decision(Action.REPLACED, causes)
    if not differences and not parts:
        return _without_difference(before, after, behavior)
    return _outcome(before, after, behavior, differences, parts)


def of_unknown_type(decision: Decision) -> Decision:
    """Return the decision for an unknown type: any change of a property may replace the resource."""
    if not any(cause.path == ("properties",) for cause in decision.causes):
        return decision
    sentence = "Unknown type: Heat may replace the resource or reject the update."
    causes = tuple(
        replace(cause, effect=Action.REPLACED, sentence=sentence) if cause.path == ("properties",) else cause
        for cause in decision.causes
    )
    doubts = ("whether the type can be updated in place",)
    return replace(decision, action=Action.REPLACED, certain=False, causes=causes, notes=(), doubts=doubts)


def _without_difference(before: Side, after: Side, behavior: UpdateBehavior) -> Decision:
    if behavior.always_updated or {Family.STACK, Family.TEMPLATE} & after.type.families:
        return Decision(Action.UPDATED, notes=("Heat always updates this type, even without changes.",))
    if behavior.always_updated_when and holds(behavior.always_updated_when, before, before) is not False:
        return Decision(Action.UPDATED, notes=("This resource is updated by every stack update.",))
    return Decision(Action.UNCHANGED)


def _outcome(
    before: Side, after: Side, behavior: UpdateBehavior, differences: list[Difference], parts: list[ChangedPart]
) -> Decision:
    """Return the decision for the differences of properties and of other parts.

    A property that requires replacement takes effect before Heat calls the plug-in, so the plug-in's own rejections
    do not apply (heat/engine/resource.py, update: update_template_diff_properties, then handle_update).
    """
    changed = frozenset(difference.schema.name for difference in differences)
    changed_parts = {part.name for part in parts}
    truths = ((rule, applies(rule, before, after, changed, changed_parts)) for rule in behavior.rules)
    matching = [(rule, truth is True) for rule, truth in truths if truth is not False]
    if any(difference.certain and schema_effect(difference.schema)[0] is Action.REPLACED for difference in differences):
        matching = [(rule, sure) for rule, sure in matching if not rule.refuses]
    causes: list[Cause] = []
    certain: dict[Action, bool] = {}
    for difference in differences:
        cause, sure = _cause(difference, matching)
        causes.append(cause)
        certain[cause.effect] = certain.get(cause.effect, False) or (difference.certain and sure)
    for part in parts:
        reason = next((rule.reason for rule, _ in matching if rule.section == part.name), None)
        effect = Action.REPLACED if reason else Action.UPDATED
        sentence = f"Because {reason}." if reason else "Updated in place; no effect on properties."
        if part.name != "properties" or not differences:
            causes.append(Cause(part.name, part.before, part.after, effect, sentence, path=(part.name,)))
        certain[effect] = certain.get(effect, False) or part.certain
    action = min((cause.effect for cause in causes), key=ORDER.index, default=Action.UPDATED)
    if action is Action.UPDATED:
        causes = [_with_explanation(cause, matching) for cause in causes]
    causes.sort(key=lambda cause: ORDER.index(cause.effect))
    notes = () if differences else ("All property values stay the same.",)
    doubts = tuple(f"whether {rule.reason}" for rule, sure in matching if not sure and not rule.explains)
    return Decision(action, tuple(causes), certain.get(action, True), notes, doubts)


def _cause(difference: Difference, matching: list[tuple[UpdateRule, bool]]) -> tuple[Cause, bool]:
    """Return the cause for a difference, and whether the deciding rule certainly applies."""
    name = difference.schema.name
    effect, sentence = schema_effect(difference.schema)
    certain = True
    for rule, sure in matching:
        if not concerns(rule, name):
            continue
        outcome = Action.REPLACED if rule.replaces else Action.NOT_SUPPORTED
        if not rule.explains and ORDER.index(outcome) < ORDER.index(effect):
            word = "Because" if sure else "Only if"
            effect, sentence, certain = outcome, f"{word} {rule.reason}.", sure
    return Cause(name, difference.before, difference.after, effect, sentence, path=("properties", name)), certain


def _with_explanation(cause: Cause, matching: list[tuple[UpdateRule, bool]]) -> Cause:
    """Return the cause; its sentence includes the explanations of matching rules for the update in place."""
    reasons = [rule.reason for rule, sure in matching if sure and rule.explains and concerns(rule, cause.property)]
    return replace(cause, sentence=" ".join((cause.sentence, *reasons))) if reasons else cause


def _differences(before: Side, after: Side) -> Iterator[Difference]:
    """Yield the top-level properties whose values differ or may differ; Heat does not compare nested properties."""
    for name, schema in after.type.properties.items():
        try:
            new = after.properties[name]
        except PropertyError:
            new = after.properties.value(name)
        try:
            old = before.properties[name]
        except PropertyError:
            old = before.properties.value(name)
            if compare(old, new) is not True:
                yield Difference(schema, old, new, certain=name not in before.properties.given)
            continue
        except KeyError:
            yield Difference(schema, None, new, certain=True)
            continue
        equal = compare(old, new)
        if equal is not True:
            yield Difference(schema, old, new, certain=equal is False)


def _changed_parts(before: Side, after: Side) -> Iterator[ChangedPart]:
    for name in dict.fromkeys((*after.written, *before.written)):
        old, new = before.written.get(name), after.written.get(name)
        equal = True if name == "type" and _is_same_file(old, new) else compare(old, new)
        if equal is not True:
            # With convergence, the old metadata also contain the new attribute values (heat/engine/resource.py, load).
            is_same = (
                name == "metadata" and after.read_metadata is not None and before.read_metadata == after.read_metadata
            )
            yield ChangedPart(name, old, new, equal is False and not is_same)


def _is_same_file(old: object, new: object) -> bool:
    """Return whether the old type is the URL that python-heatclient creates from the new type, a relative path."""
    if not isinstance(old, str) or not isinstance(new, str) or not old.startswith("file://"):
        return False
    return "://" not in new and old.endswith(f"/{normpath(new).removeprefix('../')}")


def _changed_keys(keys: tuple[str, str], before: Side, after: Side) -> Iterator[Cause]:
    names_property, map_property = keys
    names = after.properties.value(names_property)
    old, new = before.properties.value(map_property), after.properties.value(map_property)
    if not isinstance(names, list) or not isinstance(old, Mapping) or not isinstance(new, Mapping):
        return
    for name in (name for name in names if isinstance(name, str)):
        if compare(old.get(name), new.get(name)) is not True:
            sentence = f"Because the key is listed in `{names_property}`."
            path = ("properties", map_property, name)
            yield Cause(f"{map_property}.{name}", old.get(name), new.get(name), Action.REPLACED, sentence, path)
