"""What an update adds to and removes from a project's use of its quota, kind by kind.

Heat creates a replacement before it deletes the old resource, so that both count for a time; when it deletes the
resources that the new template lacks depends on what else it does (heat/engine/stack.py, _compute_convg_dependencies).
"""

from collections.abc import Iterator, Mapping
from functools import cached_property, reduce

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.catalog.cloud.quota_rule import quota_facts
from heatstudio.update.plan.demand import (
    ANY_KIND,
    NOTHING,
    Amount,
    Demand,
    DemandCase,
    SizeOf,
    Unit,
    amount_of,
    no_cloud,
)
from heatstudio.update.plan.update_plan import Action, ResourceChange, UpdatePlan

Units = Mapping[Unit, int]
Known = dict[tuple[Demand, Demand, Action, bool, int], list[tuple[str, "DemandedChange"]]]
"""What changes demand by kind, by all that it depends on."""


class DemandedChange(Struct, frozen=True):
    """What the change of one resource adds and removes of one kind."""

    adds: Amount
    removes: Amount
    net: Amount
    """The difference at the end."""
    scaled: Amount
    """What comes on top once the scaling groups have their maximum sizes."""
    replacement: int = 0
    """What a certain replacement needs at least while the old resource exists."""
    path: tuple[str, ...] = ()
    """The owners of the nested stacks around the resource, the outermost first, and the resource."""


class DemandRow(Struct, frozen=True, dict=True):
    """What an update adds and removes of one kind."""

    kind: str
    changes: tuple[DemandedChange, ...]

    @cached_property
    def adds(self) -> Amount:
        """What the update creates."""
        return reduce(Amount.plus, (one.adds for one in self.changes))

    @cached_property
    def removes(self) -> Amount:
        """What the update deletes."""
        return reduce(Amount.plus, (one.removes for one in self.changes))

    @cached_property
    def end(self) -> Amount:
        """The difference at the end."""
        return reduce(Amount.plus, (one.net for one in self.changes))

    @cached_property
    def scaled(self) -> Amount:
        """The difference once the scaling groups that the update touches have their maximum sizes."""
        return reduce(Amount.plus, (one.scaled for one in self.changes), self.end)

    @cached_property
    def peak(self) -> Amount:
        """The largest difference on the way: nothing may be deleted before everything is created.

        Certain is only the difference at the end, and what each replacement needs after all others gave back theirs.
        """
        given_back = sum(min(0, one.net.least) for one in self.changes)
        replacements = (one.replacement + given_back - min(0, one.net.least) for one in self.changes if one.replacement)
        adds = self.adds
        return Amount(max(0, self.end.least, *replacements), adds.most, adds.unknown)


def demand_rows(plan: UpdatePlan, size_of: SizeOf = no_cloud) -> tuple[DemandRow, ...]:
    """Return the rows of the kinds that an update touches; that of unknown content comes last."""
    found: dict[str, list[DemandedChange]] = {}
    known: Known = {}
    for change in plan.accepted_changes:
        for kind, demanded in _demanded(change, (), 1, size_of, known):
            if {demanded.adds, demanded.removes, demanded.scaled} != {NOTHING}:
                found.setdefault(kind, []).append(demanded)
    return tuple(DemandRow(kind, tuple(found[kind])) for kind in (*quota_facts().kinds, ANY_KIND) if kind in found)


def _demanded(
    change: ResourceChange, owners: tuple[str, ...], times: int, size_of: SizeOf, known: Known
) -> Iterator[tuple[str, DemandedChange]]:
    """Yield what a change and the changes of its nested stack demand, by kind; equal changes are computed once."""
    path, times = (*owners, change.name), times * (1 + change.alike)
    key = (change.takes, change.gives, change.action, change.certain, times)
    if key not in known:
        takes, gives = (_by_kind(demand, times) for demand in (change.takes, change.gives))
        known[key] = [
            (kind, _of_kind(change, (takes.get(kind, {}), gives.get(kind, {})), times, size_of))
            for kind in dict.fromkeys((*takes, *gives))
        ]
    for kind, amounts in known[key]:
        yield kind, replace(amounts, path=path)
    for member in change.members:
        certain = member.certain and change.certain
        inner = member if certain is member.certain else replace(member, certain=certain)
        yield from _demanded(inner, path, times, size_of, known)


def _by_kind(demand: Demand, times: int) -> Mapping[str, Units]:
    found: dict[str, dict[Unit, int]] = {}
    for unit, count in ((unit, count) for unit, count in demand if isinstance(unit, Unit)):
        found.setdefault(unit.kind, {})[unit] = count * times
    return found


def _of_kind(change: ResourceChange, sides: tuple[Units, Units], times: int, size_of: SizeOf) -> DemandedChange:
    """Return what a change, made a number of times, adds and removes, given what it takes and gives of one kind."""
    scaled = amount_of({unit: count for unit, count in sides[0].items() if unit.case is DemandCase.SCALED}, size_of)
    new, old = ({unit: count for unit, count in side.items() if unit.case is not DemandCase.SCALED} for side in sides)
    more, less = amount_of(_rest(new, old), size_of), amount_of(_rest(old, new), size_of)
    adds, removes, net = amount_of(new, size_of), amount_of(old, size_of), more.minus(less)
    if change.action is Action.REPLACED and change.certain:
        return DemandedChange(adds, removes, net, scaled, replacement=adds.least // times)
    if change.action in (Action.REPLACED, Action.UPDATED):
        is_known = not more.unknown and not less.unknown
        in_place = (
            Amount(max(0, net.least), max(0, net.most)) if is_known else Amount(0, more.most, more.unknown),
            Amount(max(0, -net.most), max(0, -net.least)) if is_known else Amount(0, less.most, less.unknown),
        )
        if change.action is Action.UPDATED:
            adds, removes = in_place
        else:  # a replacement is not certain
            adds, removes = (
                whole._replace(least=part.least) for whole, part in zip((adds, removes), in_place, strict=True)
            )
    if change.certain or change.action is Action.REPLACED:
        return DemandedChange(adds, removes, net, scaled)
    return DemandedChange(adds.perhaps, removes.perhaps, net.perhaps, scaled)


def _rest(units: Units, others: Units) -> Units:
    """Return the units without those of the other side: equal units cancel even if the size of a unit is unknown."""
    return {unit: max(0, count - others.get(unit, 0)) if unit.known else count for unit, count in units.items()}
