"""The decision on the outcome of an update for one resource (heat/engine/resource.py, update and _needs_update).

Each difference has an effect, which follows from the property schema and the rules of the type; the most severe wins.
"""

from collections.abc import Iterator, Mapping
from posixpath import normpath

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.catalog.rules.update_rule import PLAIN, InputRule, UpdateBehavior, UpdateRule
from heatstudio.catalog.schema import Family, ResourceType
from heatstudio.stack.resource_proxy import NodeData
from heatstudio.stack.unknown import Unknown
from heatstudio.stack.values.property_problem import PropertyError
from heatstudio.update.decision.property_effect import concerns, schema_effect
from heatstudio.update.difference import compare, referred_resource
from heatstudio.update.plan.update_plan import ORDER, Action, Cause, ResourceChange
from heatstudio.update.running_stack import RunningResource
from heatstudio.update.sides.update_side import Side, StackSide, applies, holds

CHECKS_FAILED = "needs_replace_failed"
NEVER_MADE = "It was never created: its state is {}."
STILL_RUNS = "It still runs, although the stack's template does not contain it."
MAY_BE_OLDER = "The stack's last operation did not complete, so this resource may still have an earlier definition."


class Difference(Struct, frozen=True):
    """A property, or another part of the definition, that differs or may differ."""

    name: str
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
        note = "Resources of this type do nothing; Heat never updates or replaces them."
        return Decision(Action.UNCHANGED, notes=(note,))
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
    before: Side, after: Side, behavior: UpdateBehavior, differences: list[Difference], parts: list[Difference]
) -> Decision:
    """Return the decision for the differences of properties and of other parts.

    A property that requires replacement takes effect before Heat calls the plug-in, so the plug-in's own rejections
    do not apply (heat/engine/resource.py, update: update_template_diff_properties, then handle_update).
    """
    changed = frozenset(difference.name for difference in differences)
    changed_parts = {part.name for part in parts}
    truths = ((rule, applies(rule, before, after, changed, changed_parts)) for rule in behavior.rules)
    matching = [(rule, truth is True) for rule, truth in truths if truth is not False]
    effects = {name: schema_effect(after.type.properties[name]) for name in changed}
    if any(difference.certain and effects[difference.name][0] is Action.REPLACED for difference in differences):
        matching = [(rule, sure) for rule, sure in matching if not rule.refuses]
    causes: list[Cause] = []
    certain: dict[Action, bool] = {}
    for difference in differences:
        cause, sure = _cause(difference, effects[difference.name], matching)
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


def _cause(
    difference: Difference, by_schema: tuple[Action, str], matching: list[tuple[UpdateRule, bool]]
) -> tuple[Cause, bool]:
    """Return the cause for a difference, and whether the deciding rule certainly applies."""
    name, (effect, sentence), certain = difference.name, by_schema, True
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
    for name in after.type.properties:
        new = after.properties.value(name)
        try:
            old = before.properties[name]
        except PropertyError:
            old = before.properties.value(name)
            if compare(old, new) is not True:
                yield Difference(name, old, new, certain=name not in before.properties.given)
            continue
        except KeyError:
            yield Difference(name, None, new, certain=True)
            continue
        equal = compare(old, new)
        if equal is not True:
            yield Difference(name, old, new, certain=equal is False)


def _changed_parts(before: Side, after: Side) -> Iterator[Difference]:
    for name in dict.fromkeys((*after.written, *before.written)):
        old, new = before.written.get(name), after.written.get(name)
        equal = True if name == "type" and _is_same_file(old, new) else compare(old, new)
        if equal is not True:
            # With convergence, the old metadata also contain the new attribute values (heat/engine/resource.py, load).
            reads = after.read_metadata
            is_same = name == "metadata" and reads is not None and before.read_metadata == reads
            yield Difference(name, old, new, equal is False and not is_same)


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


def replacing_inputs(
    rule: InputRule, before: tuple[StackSide, Side], after: tuple[StackSide, Side]
) -> Iterator[tuple[Cause, bool]]:
    """Yield the input changes that replace a deployment, each with a flag: whether the change is certain.

    Heat's preview misses them (heat/engine/resources/openstack/heat/software_deployment.py, handle_update).
    """
    old, new = dict(_inputs(rule, *before)), dict(_inputs(rule, *after))
    for name, (value, replaces) in new.items():
        if not replaces or name not in old:
            continue
        equal = compare(old[name][0], value)
        if equal is not True:
            sentence = f"Because the config sets `{rule.replaces}` for the input `{name}`."
            path = ("properties", rule.values, name)
            yield Cause(f"{rule.values}.{name}", old[name][0], value, Action.REPLACED, sentence, path), equal is False


def _inputs(rule: InputRule, stack: StackSide, side: Side) -> Iterator[tuple[str, tuple[object, bool]]]:
    """Yield name, value and replace flag of each input that the config of a deployment declares."""
    given = side.properties.value(rule.values)
    values = given if isinstance(given, Mapping) else {}
    declared = _declared(rule, stack, side.properties.value(rule.config))
    for item in declared if isinstance(declared, list) else ():
        if isinstance(item, Mapping) and isinstance(name := item.get(rule.name), str):
            yield name, (values.get(name, item.get(rule.default)), item.get(rule.replaces) is True)


def _declared(rule: InputRule, stack: StackSide, config: object) -> object:
    """Return the inputs of the config that a value refers to; None if the config is outside the stack."""
    name = referred_resource(config) if isinstance(config, Unknown) else None
    if name is None or not stack.definition.names_resource(name):
        return None
    definition = stack.definition.resource_definition(name)
    kind = stack.found(name).type
    if kind is None or rule.inputs not in kind.properties:
        return None
    return stack.side(definition, kind).properties.value(rule.inputs)


def is_intact(data: NodeData) -> bool:
    """Return whether the existing resource has not failed; then only the definitions decide on the update."""
    return data.status != "FAILED"


def after_last_action(decision: Decision, data: NodeData, kind: ResourceType, behavior: UpdateBehavior) -> Decision:
    """Return the decision with the effect of the state of the existing resource.

    heat/engine/resource.py, _needs_update; stack_resource.py leaves the decision to the members of the nested stack.
    """
    if is_intact(data) or {Family.STACK, Family.TEMPLATE, Family.NO_OP} & kind.families:
        return decision
    state = f"{data.action}_{data.status}"
    failed_check = data.action == "CHECK" and not behavior.survives_failed_check
    if failed_check or CHECKS_FAILED not in kind.overrides:
        return Decision(Action.REPLACED, notes=(f"Its last action failed ({state}): Heat replaces the resource.",))
    if decision.action in (Action.REPLACED, Action.NOT_SUPPORTED):
        return decision
    note = f"Its last action failed ({state}): Heat checks the physical resource."
    doubts = (*decision.doubts, "whether the physical resource is healthy")
    return replace(decision, action=Action.REPLACED, certain=False, notes=(*decision.notes, note), doubts=doubts)


def of_older_definition(
    change: ResourceChange, running: RunningResource, kind: ResourceType | None, behavior: UpdateBehavior
) -> ResourceChange:
    """Return the change of a running resource whose present definition is unknown: its worst outcome is possible."""
    is_same_type = running.type in ("", change.type)
    if is_same_type and kind is not None and Family.NO_OP in kind.families:
        return change
    stays = is_same_type and kind is not None and all(one.update_allowed for one in kind.properties.values())
    replaces = behavior.replaced_by_inputs or behavior.replaced_by_keys or any(one.replaces for one in behavior.rules)
    worst = Action.UPDATED if stays and not replaces else Action.REPLACED
    action = min(change.action, worst, key=ORDER.index)
    return replace(change, action=action, certain=False, notes=(MAY_BE_OLDER, *change.notes))
