"""Rolling updates, which update the members of a group in batches (heat/scaling/rolling_update.py)."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from heatstudio.catalog.rules.update_rule import MemberRule, RollingRule, UpdateBehavior
from heatstudio.stack.groups.group_truth import seconds
from heatstudio.stack.values.properties import Properties
from heatstudio.update.plan.update_plan import Action, ResourceChange
from heatstudio.update.sides.update_side import ANY_PROPERTY, Side

STACK_TIMEOUT = 3600
"""Heat's default stack_action_timeout in seconds (heat/common/config.py)."""
MOST_BATCHES = 10_000
Batches = Sequence[tuple[int, int]]
"""For each batch, the size of the group afterwards, and the maximum number of members with a new definition."""


class RollingPolicy(NamedTuple):
    """The numbers of an update policy."""

    batch: int
    in_service: int
    pause: float
    """Seconds."""


def with_rolling_update(change: ResourceChange, behavior: UpdateBehavior, after: Side) -> ResourceChange:
    """Return the change, with a note on the batches if the change starts a rolling update."""
    rule = behavior.rolling
    touched = {cause.property for cause in change.causes if len(cause.path) > 1}
    if rule is None or not (touched if ANY_PROPERTY in rule.changed else touched & set(rule.changed)):
        return change
    policy = rolling_policy(rule, after)
    if policy is None:
        return change
    here = sum(1 + member.alike for member in change.members if member.action is not Action.ADDED)
    there = sum(1 + member.alike for member in change.members if member.action is not Action.DELETED)
    members = behavior.members
    scales = members is not None and members.scales
    steps = scaling_batches(policy, after, members, here) if members and scales else batches(there, here, policy)
    return replace(change, notes=(*change.notes, _note(policy, len(steps or ()))))


def scaling_batches(policy: RollingPolicy, after: Side, rule: MemberRule, size: int) -> Batches:
    """Return the batches that update a scaling group of a size, which a lower size takes effect in; empty if unknown.

    instance_group.py, _replace.
    """
    wanted = after.properties.value(rule.count[0]) or size
    return (batches(min(wanted, size), size, policy, scales=True) if isinstance(wanted, int) else None) or ()


def batches(target: int, size: int, policy: RollingPolicy, *, scales: bool = False) -> Batches | None:
    """Return the batches that update a group of a size to the target size; None if there are too many.

    _get_batches of resource_group.py, or of instance_group.py for a group that `scales`.
    """
    updated, found = 0, list[tuple[int, int]]()
    while updated < size or size != target:
        fresh = min(policy.batch, max(target - updated, 0))
        grown = fresh + max(min(size, target - fresh), min(policy.in_service, target, size))
        updated += fresh if scales else fresh - max(grown - max(size, target), 0)
        if len(found) == MOST_BATCHES or (grown == size and not fresh):
            return None
        size = grown
        found.append((size, fresh))
    return found


def after_batches(members: Collection[str], done: Batches, *, renews: bool) -> Mapping[str, bool]:
    """Return the members of a scaling group, oldest first, and whether each member has the new definition.

    heat/scaling/template.py, member_definitions. The group removes its oldest members first; `renews` is whether an
    updated member is replaced, which makes it the youngest.
    """
    found, number = dict.fromkeys(members, False), len(members)
    for size, fresh in done:
        kept = dict(list(found.items())[max(len(found) - size, 0) :])
        made = [str(number + more) for more in range(size - len(kept))]
        number += len(made)
        turn = [name for name, is_new in kept.items() if not is_new][: max(fresh - len(made), 0)]
        for name in turn if renews else ():
            del kept[name]
        found = kept | dict.fromkeys([*turn, *made], True)
    return found


def rolling_policy(rule: RollingRule, after: Side) -> RollingPolicy | None:
    """Return the rolling update policy of a group; None if there is none or it is unknown."""
    if rule.in_properties:
        values = after.properties.value(rule.policy)
    else:
        policies = after.written.get("update_policy")
        given = policies if isinstance(policies, Mapping) else {}
        values = Properties(after.type.update_policy, given).value(rule.policy) if given.get(rule.policy) else None
    if not isinstance(values, Mapping):
        return None
    batch, in_service, pause = values.get(rule.batch), values.get(rule.in_service, 0), values.get(rule.pause)
    pause = pause if isinstance(pause, int | float) else seconds(pause)
    if not isinstance(batch, int) or not isinstance(in_service, int) or pause is None:
        return None
    return RollingPolicy(batch, in_service, pause)


def _note(policy: RollingPolicy, count: int) -> str:
    batch, in_service, pause = policy
    words = [f"in batches of {batch}"]
    if in_service:
        words.append(f"with at least {in_service} in service")
    if pause:
        words.append(f"with a pause of {pause:g} s between batches")
    total = f", {count} batches in all" if count > 1 else ""
    note = f"Rolling update: members are updated {', '.join(words)}{total}."
    if count and pause * (count - 1) >= STACK_TIMEOUT:
        note += f" With the default stack timeout ({STACK_TIMEOUT} s), these pauses make the update fail."
    return note
