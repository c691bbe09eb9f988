"""Groups with a number of members: which there are, which come and which go.

heat/engine/resources/openstack/heat/resource_group.py; aws/autoscaling/autoscaling_group.py, handle_update;
heat/scaling/template.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, islice

from msgspec import Struct

from heatstudio.catalog.update_rule import MemberRule
from heatstudio.stack.member_count import first_size
from heatstudio.stack.update.member_definitions import Members, indexed, keeps_members, launched
from heatstudio.stack.update.member_names import MemberNames
from heatstudio.stack.update.owner import Owner

MOST_MEMBERS = 30
"""Members of a group that are listed of each kind: those that come, that go, and that stay."""
MOST_NAMES = 10


class NumberedMembers(Struct, frozen=True):
    """The members before and after, as far as they are listed."""

    before: Members
    after: Members
    notes: tuple[str, ...]


def numbered(before: Owner, after: Owner, rule: MemberRule) -> NumberedMembers | None:
    """The members of a group; None where their number is not known."""
    old_size = len(before.running) if rule.scales and before.running else first_size(before.side.properties, rule)
    new_size = _new_size(after, rule, old_size) if old_size is not None else None
    if old_size is None or new_size is None:
        return None
    old_skipped = _removed(before, rule)
    old = MemberNames(old_size, old_skipped)
    asked = frozenset(name for name in _removed(after, rule) if name in old_skipped or name in old)
    new = MemberNames(new_size, asked if _forgets(after, rule) else old_skipped | asked)
    both = (name for name in new if name in old)
    shown = dict.fromkeys(chain(*(islice(n, MOST_MEMBERS) for n in (old.missing_in(new), new.missing_in(old), both))))
    then = _definitions(before, rule, [name for name in shown if name in old])
    now = _definitions(after, rule, [name for name in shown if name in new])
    notes = list(_notes(old, new, rule, new_size + old.how_many_missing_in(new) - len(shown)))
    if rule.launch is not None and keeps_members(before, after, rule.launch):
        kept = {name: then[name] for name in now if name in then}
        if any(now[name] != definition for name, definition in kept.items()):
            notes.append(f"Members that are there stay as they are: `update_policy` has no `{rule.launch.policy}`.")
        now |= kept
    return NumberedMembers(then, now, tuple(notes))


def _definitions(owner: Owner, rule: MemberRule, names: list[str]) -> dict[str, object]:
    if rule.launch is None:
        return {name: indexed(owner, rule, name) for name in names}
    return dict.fromkeys(names, launched(owner, rule.launch))


def _new_size(owner: Owner, rule: MemberRule, old_size: int) -> int | None:
    """How many members a group has after an update: as many as before, where nothing else is asked for."""
    if rule.limits is None:
        return first_size(owner.side.properties, rule)
    value = owner.side.properties.value
    wanted, least, most = value(rule.count[0]) or old_size, *map(value, rule.limits)
    if not isinstance(wanted, int) or not isinstance(least, int) or not isinstance(most, int):
        return None
    return max(least, min(wanted, most))


def _removed(owner: Owner, rule: MemberRule) -> frozenset[str]:
    if rule.removed is None:
        return frozenset()
    policies = owner.side.properties.value(rule.removed[0])
    found = (
        [policy.get(rule.removed[1]) for policy in policies if isinstance(policy, Mapping)]
        if isinstance(policies, list)
        else []
    )
    names = [name for names in found if isinstance(names, list) for name in names]
    return frozenset(str(name) for name in names if isinstance(name, (str, int)))


def _forgets(owner: Owner, rule: MemberRule) -> bool:
    return rule.forgets is not None and owner.side.properties.value(rule.forgets[0]) == rule.forgets[1]


def _notes(old: MemberNames, new: MemberNames, rule: MemberRule, hidden: int) -> Iterator[str]:
    going, coming = old.how_many_missing_in(new), new.how_many_missing_in(old)
    if going or coming:
        yield f"From {old.size:,} to {new.size:,} members: {coming:,} come, {going:,} go."
    if going and rule.scales:
        yield "The oldest members go, whatever they are called here; scaling may have changed their number."
    elif going and rule.removed:
        names = ", ".join(f"`{name}`" for name in islice(old.missing_in(new), MOST_NAMES))
        more = f" and {going - MOST_NAMES:,} more" if going > MOST_NAMES else ""
        yield f"Going: {names}{more}. Name others in `{rule.removed[0]}` to choose which members go."
    if hidden > 0:
        yield f"And {hidden:,} more members, in the same way."
