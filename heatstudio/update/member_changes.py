"""Changes of the members of a resource, and rolling updates (heat/scaling/rolling_update.py)."""

import re
from collections.abc import Collection, Iterator, Mapping

from msgspec.structs import replace

from heatstudio.catalog.rules.update_rule import MemberRule, RollingRule, UpdateBehavior
from heatstudio.stack.values.properties import Properties
from heatstudio.update.nested_stack import NestedStacks
from heatstudio.update.update_notes import equivalence_notes
from heatstudio.update.update_plan import Action, ResourceChange, UpdatePlan
from heatstudio.update.update_truth import ANY_PROPERTY, Side

STACK_TIMEOUT = 3600
"""Seconds; Heat's default stack_action_timeout (heat/common/config.py)."""
MOST_BATCHES = 10_000
_DURATION = re.compile(r"PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?")


def with_plan(
    change: ResourceChange, plan: UpdatePlan, nested: NestedStacks, outputs: tuple[str, ...] = ()
) -> ResourceChange:
    """Return an owner's change with the changes of its nested stack; `outputs` are the changed outputs."""
    if plan.refusals:
        return replace(change, action=Action.NOT_SUPPORTED, notes=(*change.notes, *map(str, plan.refusals)))
    members = plan.changes
    if not nested.certain:
        members = tuple(
            replace(m, certain=m.certain and m.action not in (Action.ADDED, Action.DELETED)) for m in members
        )
    notes = [*change.notes, *nested.notes]
    if not any(member.has_effect for member in members):
        notes.append(_outputs_note(outputs) if outputs else "No changes in the nested stack.")
    return replace(change, notes=tuple(notes), members=members, members_known=True, outputs=outputs)


def keeps_order(members: Collection[ResourceChange], rule: MemberRule | None) -> bool:
    """Return whether the members after the update and their order are known.

    A scaling group orders its members by age, and scaling may have changed their number.
    """
    if rule is None or not rule.scales:
        return True
    moved = [member for member in members if member.action not in (Action.UNCHANGED, Action.UPDATED)]
    replaced = sum(member.action is Action.REPLACED for member in moved)
    return replaced in (0, len(members)) and all(member.certain for member in moved)


def _outputs_note(outputs: tuple[str, ...]) -> str:
    names = ", ".join(f"`{name}`" for name in outputs)
    return f"Only these outputs of the nested stack change: {names}."


def no_effect_notes(change: ResourceChange, before: Side, after: Side) -> Iterator[str]:
    """Yield why a change that changes no property value has no effect."""
    if all(cause.path[:1] != ("properties",) or len(cause.path) == 1 for cause in change.causes):
        yield from equivalence_notes(before, after)


def with_rolling_update(change: ResourceChange, behavior: UpdateBehavior, after: Side) -> ResourceChange:
    """Return a note on how members are updated, if the change starts a rolling update."""
    rule = behavior.rolling
    touched = {cause.property for cause in change.causes if len(cause.path) > 1}
    if rule is None or not (touched if ANY_PROPERTY in rule.changed else touched & set(rule.changed)):
        return change
    size = sum(member.action is not Action.ADDED for member in change.members)
    target = sum(member.action is not Action.DELETED for member in change.members)
    note = rolling_note(rule, after, after.written.get("update_policy"), (size, target) if change.members else None)
    return replace(change, notes=(*change.notes, note)) if note else change


def batches(target: int, size: int, batch: int, in_service: int) -> int | None:
    """Return the number of batches from a size to the target; None if it never ends or takes too many."""
    updated = count = 0
    while updated < size or size != target:
        if count == MOST_BATCHES:
            return None
        updatable = min(batch, max(target - updated, 0))
        new_size = updatable + max(min(size, target - updatable), min(in_service, target, size))
        updated += updatable - max(new_size - max(size, target), 0)
        if new_size == size and not updatable:
            return None
        size = new_size
        count += 1
    return count


def rolling_note(rule: RollingRule, after: Side, policies: object, sizes: tuple[int, int] | None) -> str | None:
    """Return a note on the rolling update; `sizes` are the sizes of the group before and after it."""
    policy = _policy(rule, after, policies)
    if policy is None:
        return None
    batch, in_service, pause = policy
    words = [f"in batches of {batch}"]
    if in_service:
        words.append(f"with at least {in_service} in service")
    if pause:
        words.append(f"with a pause of {pause:g} s between batches")
    count = batches(sizes[1], sizes[0], batch, in_service) if sizes is not None and batch > 0 else None
    total = f", {count} in all" if count else ""
    note = f"Rolling update: members are updated {', '.join(words)}{total}."
    if count and pause * (count - 1) >= STACK_TIMEOUT:
        note += f" The pauses exceed the default timeout of a stack ({STACK_TIMEOUT} s); the update would fail."
    return note


def _policy(rule: RollingRule, after: Side, policies: object) -> tuple[int, int, float] | None:
    """Return the batch size, the minimum number in service, and the pause in seconds; None if unknown."""
    if rule.in_properties:
        values = after.properties.value(rule.policy)
    else:
        given = policies if isinstance(policies, Mapping) else {}
        values = Properties(after.type.update_policy, given).value(rule.policy) if given.get(rule.policy) else None
    if not isinstance(values, Mapping):
        return None
    batch, in_service = values.get(rule.batch), values.get(rule.in_service, 0)
    pause = _seconds(values.get(rule.pause))
    if not isinstance(batch, int) or not isinstance(in_service, int) or pause is None:
        return None
    return batch, in_service, pause


def _seconds(value: object) -> float | None:
    if isinstance(value, (int, float)):
        return float(value)
    found = _DURATION.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        return None
    hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return float(hours * 3600 + minutes * 60 + seconds)
