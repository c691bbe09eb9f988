"""Groups with a number of members: which members exist, are added and are removed.

heat/engine/resources/openstack/heat/resource_group.py; aws/autoscaling/autoscaling_group.py, handle_update;
heat/scaling/template.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, count, islice

from msgspec import Struct

from heatstudio.catalog.rules.update_rule import MemberRule
from heatstudio.stack.functions.examine import AttributeKey
from heatstudio.stack.unknown import has_unknown
from heatstudio.stack.values.member_count import first_size, member_count
from heatstudio.stack.values.properties import Properties
from heatstudio.update.difference import compare
from heatstudio.update.member_definitions import Members, indexed, keeps_members, launched
from heatstudio.update.owner import Owner

MOST_MEMBERS = 30
"""Members of a group that are listed of each kind: those that come, that go, and that stay."""
MOST_NAMES = 10
ONE_MEMBER = "resource."
"""How the attributes of single members begin."""


class MemberNames(Struct, frozen=True):
    """The names of a group's members; never listed completely, because a group can have any size.

    heat/engine/resources/openstack/heat/resource_group.py, _resource_names.
    """

    size: int
    skipped: frozenset[str] = frozenset()
    first: int = 0
    """The least number: those of the oldest members, where they were the first to go."""

    def __iter__(self) -> Iterator[str]:
        names = map(str, count(self.first))
        return islice((name for name in names if name not in self.skipped), max(self.size, 0))

    def __contains__(self, name: object) -> bool:
        number = _number(name)
        return number is not None and self.first <= number < self.end and name not in self.skipped

    @property
    def end(self) -> int:
        """One more than the largest number that is a name."""
        end = self.first + max(self.size, 0)
        for number in self._gaps:
            if number < end:
                end += 1
        return end

    @property
    def _gaps(self) -> list[int]:
        """The numbers that are skipped, in order."""
        return sorted(number for name in self.skipped if (number := _number(name)) is not None)

    def missing_in(self, other: MemberNames) -> Iterator[str]:
        """The names that the other does not have, in order."""
        end, skipped = self.end, self.skipped
        older = range(self.first, min(other.first, end))
        below = (number for number in other._gaps if self.first <= number < min(other.end, end))
        for numbers in (older, below, range(max(other.end, self.first), end)):
            yield from (name for name in map(str, numbers) if name not in skipped)

    def how_many_missing_in(self, other: MemberNames) -> int:
        """How many names the other does not have."""
        end, other_end = self.end, other.end
        older = max(min(other.first, end) - self.first, 0)
        below = sum(number < min(other_end, end) and str(number) not in self.skipped for number in other._gaps)
        above = max(end - max(other_end, self.first), 0)
        return older + below + above - sum(other_end <= number < end for number in self._gaps)


def _number(name: object) -> int | None:
    """The number that a name is; None if it is written in another way than Heat writes numbers."""
    if not isinstance(name, str) or not name.isdecimal():
        return None
    return number if str(number := int(name)) == name else None


class NumberedMembers(Struct, frozen=True):
    """The members before and after the update, as far as they are listed."""

    before: Members
    after: Members
    notes: tuple[str, ...]
    is_complete: bool
    """Whether all of them are."""
    names: MemberNames | None
    """All names after the update, positions in a group that scales; None if they are not certain."""


def created_names(properties: Properties, rule: MemberRule) -> MemberNames | None:
    """The names of the members of a new group, positions if it scales; None if they are not known."""
    size = None if rule.for_each or rule.launch else member_count(properties, rule)
    if size is None or (rule.removed is not None and has_unknown(properties.value(rule.removed[0]))):
        return None
    return MemberNames(size, _removed(properties, rule))


def absent_member(key: AttributeKey, names: MemberNames | None) -> str | None:
    """The member that an attribute of a group is read of, if the group certainly has no such member: then Heat fails.

    get_attribute of the groups; heat/common/grouputils.py, get_resource, for which an empty group has no stack.
    """
    name, *path = key if isinstance(key, tuple) else (key,)
    if names is None or not isinstance(name, str) or not name.startswith(ONE_MEMBER):
        return None
    member, _, attribute = name.removeprefix(ONE_MEMBER).partition(".")
    is_null = names.size == 0 and (attribute or path)
    is_odd = _number(member) is None and any(map(str.isdigit, member))  # `01` and `-1` may be positions
    return None if is_null or is_odd or member in names else member


def numbered(before: Owner, after: Owner, rule: MemberRule) -> NumberedMembers | None:
    """The members of a group; None where their number is not known, or which of them go."""
    old_size = len(before.running) if rule.scales and before.running else first_size(before.side.properties, rule)
    new_size = _new_size(after, rule, old_size) if old_size is not None else None
    if old_size is None or new_size is None or not _names_those_that_go(before, after, rule):
        return None
    old_skipped = _removed(before.side.properties, rule)
    old = MemberNames(old_size, old_skipped)
    asked = frozenset(name for name in _removed(after.side.properties, rule) if name in old_skipped or name in old)
    skipped = asked if _forgets(after, rule) else old_skipped | asked
    new = MemberNames(new_size, skipped, first=max(old_size - new_size, 0) if rule.scales else 0)
    both = (name for name in new if name in old)
    listed = chain(*(islice(names, MOST_MEMBERS) for names in (old.missing_in(new), new.missing_in(old), both)))
    shown = sorted(set(listed), key=int)
    then = _definitions(before, rule, [name for name in shown if name in old])
    now = _definitions(after, rule, [name for name in shown if name in new])
    hidden = new_size + old.how_many_missing_in(new) - len(shown)
    notes = list(_notes(old, new, rule, hidden))
    if rule.launch is not None and keeps_members(before, after, rule.launch):
        kept = {name: then[name] for name in now if name in then}
        if any(now[name] != definition for name, definition in kept.items()):
            notes.append(f"Existing members stay unchanged: `update_policy` has no `{rule.launch.policy}`.")
        now |= kept
    names = MemberNames(new_size) if rule.scales else new
    is_sure = after.side.properties.value(rule.count[0]) if rule.scales else all(name in old for name in before.running)
    return NumberedMembers(then, now, tuple(notes), hidden <= 0, names if is_sure else None)


def _definitions(owner: Owner, rule: MemberRule, names: list[str]) -> dict[str, object]:
    if rule.launch is None:
        return {name: indexed(owner, rule, name) for name in names}
    return dict.fromkeys(names, launched(owner, rule.launch))


def _new_size(owner: Owner, rule: MemberRule, old_size: int) -> int | None:
    """How many members a group has after an update: as many as before, where nothing else is requested."""
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
    found = (
        [policy.get(rule.removed[1]) for policy in policies if isinstance(policy, Mapping)]
        if isinstance(policies, list)
        else []
    )
    names = [name for names in found if isinstance(names, list) for name in names]
    return frozenset(str(name) for name in names if isinstance(name, (str, int)))


def _names_those_that_go(before: Owner, after: Owner, rule: MemberRule) -> bool:
    """Whether what is newly asked to go is named; Heat also takes reference ids of members for it."""
    if rule.removed is None:
        return True
    old, new = before.side.properties, after.side.properties
    policies = new.value(rule.removed[0])
    if compare(old.value(rule.removed[0]), policies) is True:
        return True
    return not has_unknown(policies) and all(map(str.isdecimal, _removed(new, rule) - _removed(old, rule)))


def _forgets(owner: Owner, rule: MemberRule) -> bool:
    return rule.forgets is not None and owner.side.properties.value(rule.forgets[0]) == rule.forgets[1]


def _notes(old: MemberNames, new: MemberNames, rule: MemberRule, hidden: int) -> Iterator[str]:
    going, coming = old.how_many_missing_in(new), new.how_many_missing_in(old)
    if going or coming:
        yield f"From {old.size:,} to {new.size:,} members: {coming:,} added, {going:,} removed."
    if going and rule.scales:
        yield "The oldest members are removed; scaling may have changed their number and names."
    elif going and rule.removed:
        names = ", ".join(f"`{name}`" for name in islice(old.missing_in(new), MOST_NAMES))
        more = f" and {going - MOST_NAMES:,} more" if going > MOST_NAMES else ""
        yield f"Removed: {names}{more}. Choose others with `{rule.removed[0]}`."
    if hidden > 0:
        yield f"And {hidden:,} more members change in the same way."
