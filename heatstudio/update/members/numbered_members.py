"""Groups with a numeric size: the existing, added and removed members.

heat/engine/resources/openstack/heat/resource_group.py; aws/autoscaling/autoscaling_group.py, handle_update;
heat/scaling/template.py; heat/scaling/rolling_update.py for updates in batches.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, count, islice
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.catalog.rules.update_rule import MemberRule, RollingRule, UpdateBehavior
from heatstudio.stack.functions.examine import AttributeKey
from heatstudio.stack.groups.group_context import DEFAULT_STACK_TIMEOUT
from heatstudio.stack.groups.group_truth import seconds
from heatstudio.stack.unknown import has_unknown
from heatstudio.stack.values.member_count import first_size, member_count
from heatstudio.stack.values.properties import Properties
from heatstudio.text import counted
from heatstudio.update.difference import compare
from heatstudio.update.members.member_definitions import Members, indexed, keeps_members, launched
from heatstudio.update.plan.update_plan import Action, ResourceChange
from heatstudio.update.running_stack import Resources
from heatstudio.update.sides.update_side import ANY_PROPERTY, Owner, Side

MOST_BATCHES = 10_000
Batches = Sequence[tuple[int, int]]
"""For each batch, the size of the group afterwards, and the maximum number of members with a new definition."""
MOST_MEMBERS = 30
"""Maximum number of listed members of each kind: added, removed, kept."""
_MOST_DIGITS = 18
_SCALED = "; scaling may have changed the number and names of the members"
ONE_MEMBER = "resource."
"""Prefix of the attributes of single members."""


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
    if count and pause * (count - 1) >= DEFAULT_STACK_TIMEOUT:
        note += f" With the default stack timeout ({DEFAULT_STACK_TIMEOUT} s), these pauses make the update fail."
    return note


class MemberNames(Struct, frozen=True, dict=True):
    """The names of a group's members, generated lazily because a group can have any size.

    heat/engine/resources/openstack/heat/resource_group.py, _resource_names.
    """

    size: int
    skipped: frozenset[str] = frozenset()
    first: int = 0
    """The smallest number; greater than 0 after a scaling group removed its oldest members."""

    def __iter__(self) -> Iterator[str]:
        names = map(str, count(self.first))
        return islice((name for name in names if name not in self.skipped), max(self.size, 0))

    def __contains__(self, name: object) -> bool:
        number = _number(name)
        return number is not None and self.first <= number < self.end and name not in self.skipped

    @cached_property
    def end(self) -> int:
        """One more than the largest number in the names."""
        end = self.first + max(self.size, 0)
        for number in self._gaps:
            if number < end:
                end += 1
        return end

    @cached_property
    def _gaps(self) -> list[int]:
        """The skipped numbers, in order."""
        return sorted(number for name in self.skipped if (number := _number(name)) is not None)

    def missing_in(self, other: MemberNames) -> Iterator[str]:
        """Yield the names that `other` lacks, in order."""
        end, skipped = self.end, self.skipped
        older = range(self.first, min(other.first, end))
        below = (number for number in other._gaps if self.first <= number < min(other.end, end))
        for numbers in (older, below, range(max(other.end, self.first), end)):
            yield from (name for name in map(str, numbers) if name not in skipped)

    def how_many_missing_in(self, other: MemberNames) -> int:
        """Return the number of names that `other` lacks."""
        start, end = max(self.first, other.first), min(self.end, other.end)
        gaps = {number for number in (*self._gaps, *other._gaps) if start <= number < end}
        return max(self.size, 0) - max(end - start - len(gaps), 0)


def _number(name: object) -> int | None:
    """Return the number that a name consists of; None for other names, including numbers such as `01`."""
    if not isinstance(name, str) or not name.isdecimal() or len(name) > _MOST_DIGITS:
        return None
    return number if str(number := int(name)) == name else None


class NumberedMembers(Struct, frozen=True):
    """The listed members before and after the update."""

    before: Members
    after: Members
    notes: tuple[str, ...] = ()
    is_complete: bool = True
    """Whether all members are listed."""
    grows_meanwhile: bool = False
    """Whether a rolling update makes the group larger for a time and removes the oldest members at its end."""
    names: MemberNames | None = None
    """All names after the update, or positions for a scaling group; None if uncertain."""
    unlisted: Mapping[tuple[bool, bool], int] = {}
    """The number of members that are not listed, by whether they exist before and after the update."""
    doubtful: Mapping[str, bool] = {}
    """The members whose definition or existence after the update is uncertain, by whether they may be absent."""

    def how_many_unlisted(self, *, after: bool) -> int:
        """Return the number of members before or after the update that are not listed."""
        return sum(number for exists, number in self.unlisted.items() if exists[after])


def created_names(properties: Properties, rule: MemberRule) -> MemberNames | None:
    """Return the member names of a new group, or positions for a scaling group; None if unknown."""
    size = None if rule.for_each or rule.launch else member_count(properties, rule)
    if size is None or (rule.removed is not None and has_unknown(properties.value(rule.removed[0]))):
        return None
    return MemberNames(size, _removed(properties, rule))


def absent_member(key: AttributeKey, names: MemberNames | None) -> str | None:
    """Return the member named by an attribute of a group if the group certainly lacks it: Heat fails to read it.

    get_attribute of the groups; heat/common/grouputils.py, get_resource, for which an empty group has no stack.
    """
    name, *path = key if isinstance(key, tuple) else (key,)
    if names is None or not isinstance(name, str) or not name.startswith(ONE_MEMBER):
        return None
    member, _, attribute = name.removeprefix(ONE_MEMBER).partition(".")
    is_null = names.size == 0 and (attribute or path)
    is_odd = _number(member) is None and any(map(str.isdigit, member))  # `01` and `-1` may be positions
    return None if is_null or is_odd or member in names else member


def numbered(before: Owner, after: Owner, rule: MemberRule, renews: Collection[bool]) -> NumberedMembers | None:
    """Return the members of a group before and after; None if their number or the removed members are unknown.

    `renews` says whether updated members are replaced, which makes them the youngest, or both if uncertain; if empty,
    the result is that of an update without batches.
    """
    same = compare(*(definitions(owner, rule, ["0"])["0"] for owner in (before, after)))
    stays = rule.launch is not None and keeps_members(before, after, rule.launch)
    equal = True if stays else same if before.is_current else None
    sides = _sides(before, after, rule, equal=equal)
    if sides is None:
        return None
    old, new = sides
    shown = _listed(old, new)
    hidden = new.size + old.how_many_missing_in(new) - len(shown)
    old_members = definitions(before, rule, [name for name in shown if name in old])
    new_members = definitions(after, rule, [name for name in shown if name in new])
    real_names = _names_by_age(before.running) if rule.scales else {}
    notes = list(_notes(old, new, rule, hidden, are_known=bool(real_names)))
    if rule.launch is not None and stays:
        if same is not True:
            notes.append(f"Existing members stay unchanged: `update_policy` has no `{rule.launch.policy}`.")
        new_members = {name: old_members.get(name, member) for name, member in new_members.items()}
    rolling = after.behavior.rolling if rule.scales and not equal else None
    policy = rolling_policy(rolling, after.side) if rolling is not None else None
    steps = scaling_batches(policy, after.side, rule, old.size) if policy is not None else ()
    grows_meanwhile = any(size > old.size for size, _ in steps)
    if grows_meanwhile and hidden > 0:
        return None
    doubtful: dict[str, bool] = {}
    if grows_meanwhile and renews:
        fresh = next(iter(new_members.values()))
        ends = [after_batches(old_members, [*steps, (new.size, 0)], renews=one) for one in renews]
        if stale := sum(not is_fresh for is_fresh in ends[0].values()):
            verb = "leaves" if equal is False and len(ends) == 1 else "may leave"
            notes.append(f"The rolling update {verb} {counted(stale, 'member')} with the old definition.")
        if equal is None:
            ends.append({name: name not in old_members for name in new_members})
        if any(one.status == "FAILED" for one in before.running.values()):  # replaced on the way, they become young
            ends += [dict.fromkeys(old_members, True), {}]
        left = {name: {end.get(name) for end in ends} for name in chain.from_iterable(ends)}
        new_members = {name: fresh if True in found else old_members[name] for name, found in left.items()}
        doubtful = {real_names.get(name, name): None in found for name, found in left.items() if len(found) > 1}
    old_members, new_members = (
        {real_names.get(name, name): member for name, member in side.items()} for side in (old_members, new_members)
    )
    names = _certain_names(before, after, rule, old, new)
    unlisted = _unlisted(old, new, shown) if hidden > 0 else {}
    return NumberedMembers(
        old_members, new_members, tuple(notes), hidden <= 0, grows_meanwhile, names, unlisted, doubtful
    )


def _sides(
    before: Owner, after: Owner, rule: MemberRule, *, equal: bool | None
) -> tuple[MemberNames, MemberNames] | None:
    """Return the names of the members before and after, with an `equal` definition or not; None if uncertain.

    A scaling group without a desired size keeps the number of its members that have not failed, unless a rolling update
    replaces these first (get_size of heat/common/grouputils.py).
    """
    running = before.running if rule.scales else {}
    old_size = len(running) or first_size(before.side.properties, rule)
    healthy = sum(one.status != "FAILED" for one in running.values()) if running else old_size
    kept = {False: {old_size}, True: {healthy}, None: {old_size, healthy}}[equal]
    new_sizes = {_new_size(after, rule, size) for size in kept if size is not None}
    new_size = new_sizes.pop() if len(new_sizes) == 1 else None
    if old_size is None or new_size is None or not _removes_by_name(before, after, rule):
        return None
    old_skipped = _removed(before.side.properties, rule)
    old = MemberNames(old_size, old_skipped)
    removed = frozenset(name for name in _removed(after.side.properties, rule) if name in old_skipped or name in old)
    forgets = rule.forgets is not None and after.side.properties.value(rule.forgets[0]) == rule.forgets[1]
    skipped = removed if forgets else old_skipped | removed
    return old, MemberNames(new_size, skipped, first=max(old_size - new_size, 0) if rule.scales else 0)


def _listed(old: MemberNames, new: MemberNames) -> list[str]:
    """Return the names of the members to show: of each kind the first ones."""
    kinds = (old.missing_in(new), new.missing_in(old), (name for name in new if name in old))
    return sorted(set(chain.from_iterable(islice(names, MOST_MEMBERS) for names in kinds)), key=int)


def _unlisted(old: MemberNames, new: MemberNames, shown: list[str]) -> Mapping[tuple[bool, bool], int]:
    """Return the number of members of each kind that are not shown."""
    added, removed = new.how_many_missing_in(old), old.how_many_missing_in(new)
    all_of_them = {(False, True): added, (True, False): removed, (True, True): max(new.size, 0) - added}
    listed = Counter((name in old, name in new) for name in shown)
    return {kind: number - listed[kind] for kind, number in all_of_them.items()}


def _certain_names(
    before: Owner, after: Owner, rule: MemberRule, old: MemberNames, new: MemberNames
) -> MemberNames | None:
    """Return all names after the update, or positions for a scaling group; None if uncertain."""
    if rule.scales:
        return MemberNames(new.size) if after.side.properties.value(rule.count[0]) else None
    return new if all(name in old for name in before.running) else None


def _names_by_age(running: Resources) -> Mapping[str, str]:
    """Return the member names that Heat generated, by position; empty if the age of a member is unknown.

    heat/common/grouputils.py, _get_member_data: failed members come first, then the oldest.
    """
    if not all(one.created for one in running.values()):
        return {}
    names = sorted(running, key=lambda name: (running[name].status != "FAILED", running[name].created, name))
    return {str(position): name for position, name in enumerate(names)}


def definitions(owner: Owner, rule: MemberRule, names: Iterable[str]) -> Members:
    """Return the definitions of the members with these names."""
    if rule.launch is not None:
        return dict.fromkeys(names, launched(owner, rule.launch))
    return indexed(owner.side.properties, rule, names)


def _new_size(owner: Owner, rule: MemberRule, old_size: int) -> int | None:
    """Return the size after an update, or None if unknown."""
    if rule.limits is None:
        return first_size(owner.side.properties, rule)
    value = owner.side.properties.value
    wanted, least, most = value(rule.count[0]) or old_size, *map(value, rule.limits)
    if not isinstance(wanted, int) or not isinstance(least, int) or not isinstance(most, int):
        return None
    return max(least, min(wanted, most))


def _removed(properties: Properties, rule: MemberRule) -> frozenset[str]:
    if rule.removed is None:
        return frozenset()
    policies = properties.value(rule.removed[0])
    given = policies if isinstance(policies, list) else []
    found = [policy.get(rule.removed[1]) for policy in given if isinstance(policy, Mapping)]
    names = [name for names in found if isinstance(names, list) for name in names]
    return frozenset(str(name) for name in names if isinstance(name, (str, int)))


def _removes_by_name(before: Owner, after: Owner, rule: MemberRule) -> bool:
    """Return whether all members newly listed for removal are given by name, not by reference ID."""
    if rule.removed is None:
        return True
    old, new = before.side.properties, after.side.properties
    policies = new.value(rule.removed[0])
    if compare(old.value(rule.removed[0]), policies) is True:
        return True
    return not has_unknown(policies) and all(map(str.isdecimal, _removed(new, rule) - _removed(old, rule)))


def _notes(old: MemberNames, new: MemberNames, rule: MemberRule, hidden: int, *, are_known: bool) -> Iterator[str]:
    removed, added = old.how_many_missing_in(new), new.how_many_missing_in(old)
    if removed or added:
        both = f": {added:,} added, {removed:,} removed" if removed and added else ""
        yield f"From {old.size:,} to {new.size:,} members{both}{_choice(rule, are_known=are_known) if removed else ''}."
    if hidden > 0:
        yield f"And {hidden:,} more members change in the same way."


def _choice(rule: MemberRule, *, are_known: bool) -> str:
    """Return which members are removed, or what chooses them."""
    if rule.scales:
        return f"; the oldest go{'' if are_known else _SCALED}"
    return f"; choose with `{rule.removed[0]}`" if rule.removed else ""
