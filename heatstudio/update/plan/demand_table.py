"""What an update adds to and removes from a project's use of its quota, kind by kind, also in words and as data.

Heat creates a replacement before it deletes the old resource, so that both count for a time; when it deletes the
resources that the new template lacks depends on what else it does (heat/engine/stack.py, _compute_convg_dependencies).
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, reduce
from typing import NamedTuple

from msgspec import Struct

from heatstudio.catalog.cloud.quota_rule import quota_facts
from heatstudio.text import counted
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
HEADER = ("Quota", "Adds", "Removes", "At the peak", "At the end")
_AT_MAXIMUM = "At maximum size"
_CONTENT = "Content of unknown types"


class _Alike(NamedTuple):
    """All that the demand of a change depends on; the number is that of alike members that the change stands for."""

    takes: Demand
    gives: Demand
    action: Action
    certain: bool
    times: int


class DemandedChange(Struct, frozen=True):
    """What alike changes of resources add and remove of one kind, together."""

    adds: Amount
    removes: Amount
    net: Amount
    """The difference at the end."""
    scaled: Amount
    """What comes on top once the scaling groups have their maximum sizes."""
    paths: tuple[tuple[str, ...], ...]
    """The resources, each after the owners of the nested stacks around it, the outermost first."""
    replacement: int = 0
    """What a certain replacement of one resource needs at least while the old resource exists."""
    own: int = 0
    """What that resource gives back at the end, as a negative number."""


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
        replacements = (one.replacement + given_back - one.own for one in self.changes if one.replacement)
        adds = self.adds
        return Amount(max(0, self.end.least, *replacements), adds.most, adds.unknown)


def demand_rows(plan: UpdatePlan, size_of: SizeOf = no_cloud) -> tuple[DemandRow, ...]:
    """Return the rows of the kinds that an update touches; that of unknown content comes last."""
    places: dict[_Alike, list[tuple[str, ...]]] = {}
    for change in plan.accepted_changes:
        _collect(change, (), 1, places, certain=True)
    found: dict[str, list[DemandedChange]] = {}
    for alike, paths in places.items():
        for kind, demanded in _demanded(alike, tuple(paths), size_of):
            if {demanded.adds, demanded.removes, demanded.scaled} != {NOTHING}:
                found.setdefault(kind, []).append(demanded)
    return tuple(DemandRow(kind, tuple(found[kind])) for kind in (*quota_facts().kinds, ANY_KIND) if kind in found)


def _collect(
    change: ResourceChange,
    owners: tuple[str, ...],
    times: int,
    places: dict[_Alike, list[tuple[str, ...]]],
    *,
    certain: bool,
) -> None:
    """Add a change and the changes of its nested stack to those that are alike."""
    path, times, certain = (*owners, change.name), times * (1 + change.alike), certain and change.certain
    if change.takes or change.gives:
        places.setdefault(_Alike(change.takes, change.gives, change.action, certain, times), []).append(path)
    for member in change.members:
        _collect(member, path, times, places, certain=certain)


def _demanded(
    alike: _Alike, paths: tuple[tuple[str, ...], ...], size_of: SizeOf
) -> Iterator[tuple[str, DemandedChange]]:
    takes, gives = (_by_kind(demand, alike.times * len(paths)) for demand in (alike.takes, alike.gives))
    for kind in dict.fromkeys((*takes, *gives)):
        yield kind, _of_kind(alike, (takes.get(kind, {}), gives.get(kind, {})), paths, size_of)


def _by_kind(demand: Demand, times: int) -> Mapping[str, Units]:
    found: dict[str, dict[Unit, int]] = {}
    for unit, count in ((unit, count) for unit, count in demand if isinstance(unit, Unit)):
        found.setdefault(unit.kind, {})[unit] = count * times
    return found


def _of_kind(
    alike: _Alike, sides: tuple[Units, Units], paths: tuple[tuple[str, ...], ...], size_of: SizeOf
) -> DemandedChange:
    """Return what alike changes add and remove of one kind, given what they take and give."""
    scaled = amount_of({unit: count for unit, count in sides[0].items() if unit.case is DemandCase.SCALED}, size_of)
    new, old = ({unit: count for unit, count in side.items() if unit.case is not DemandCase.SCALED} for side in sides)
    more, less = amount_of(_rest(new, old), size_of), amount_of(_rest(old, new), size_of)
    adds, removes, net = amount_of(new, size_of), amount_of(old, size_of), more.minus(less)
    if alike.action is Action.REPLACED and alike.certain:
        number = alike.times * len(paths)
        return DemandedChange(adds, removes, net, scaled, paths, adds.least // number, min(0, net.least) // number)
    if alike.action in (Action.REPLACED, Action.UPDATED):
        is_known = not more.unknown and not less.unknown
        in_place = (
            Amount(max(0, net.least), max(0, net.most)) if is_known else Amount(0, more.most, more.unknown),
            Amount(max(0, -net.most), max(0, -net.least)) if is_known else Amount(0, less.most, less.unknown),
        )
        if alike.action is Action.UPDATED:
            adds, removes = in_place
        else:  # a replacement is not certain
            adds, removes = (
                whole._replace(least=part.least) for whole, part in zip((adds, removes), in_place, strict=True)
            )
    if not alike.certain and alike.action is not Action.REPLACED:
        adds, removes, net = adds.perhaps, removes.perhaps, net.perhaps
    return DemandedChange(adds, removes, net, scaled, paths)


def _rest(units: Units, others: Units) -> Units:
    """Return the units without those of the other side: equal units cancel even if the size of a unit is unknown."""
    return {unit: max(0, count - others.get(unit, 0)) if unit.known else count for unit, count in units.items()}


def demand_sentence(rows: Sequence[DemandRow]) -> str:
    """Return what an update adds and removes, else what later scaling adds; empty without rows."""
    sides = {"Adds": [(row.kind, row.adds) for row in rows], "removes": [(row.kind, row.removes) for row in rows]}
    known = [f"{verb} {_enumerated(side)}" for verb, side in sides.items() if any(amount.most for _, amount in side)]
    unknown = [noun_of(row.kind, 2) for row in rows if row.adds.unknown]
    if unknown:
        known.append(f"not known: {', '.join(unknown)}")
    if not known and (later := _enumerated([(row.kind, row.scaled) for row in rows])):
        known.append(f"adds nothing; scaling groups may add {later}")
    sentence = "; ".join(known)
    return f"{sentence[:1].upper()}{sentence[1:]}." if sentence else ""


def _enumerated(side: Sequence[tuple[str, Amount]]) -> str:
    return ", ".join(_number(amount, kind) for kind, amount in side if amount.most)


def _number(amount: Amount, kind: str) -> str:
    if amount.least == amount.most and not amount.unknown:
        return counted(amount.most, noun_of(kind, 1), noun_of(kind, 2))
    return f"{amount.words()} {noun_of(kind, 2)}"


def noun_of(kind: str, number: int) -> str:
    """Return the noun for a number of things of a kind."""
    words = quota_facts().kinds.get(kind)
    return _CONTENT.lower() if words is None else words.one if number == 1 else words.many


def demand_cells(rows: Sequence[DemandRow]) -> list[tuple[str, ...]]:
    """Return the header and the rows of a table."""
    scales = any(row.scaled != row.end for row in rows)
    return [line if scales else line[:-1] for line in ((*HEADER, _AT_MAXIMUM), *map(row_words, rows))]


def row_words(row: DemandRow) -> tuple[str, ...]:
    """Return the texts of the columns, the last one for scaling."""
    noun = _CONTENT if row.kind == ANY_KIND else noun_of(row.kind, 2)
    amounts = (row.adds.words(), row.removes.words(), row.peak.words())
    return f"{noun[:1].upper()}{noun[1:]}", *amounts, row.end.words(signed=True), row.scaled.words(signed=True)


def demand_lines(rows: Sequence[DemandRow]) -> list[str]:
    """Return the lines of a table in plain text."""
    cells = demand_cells(rows)
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return ["  ".join(f"{cell:{'>' if at else '<'}{widths[at]}}" for at, cell in enumerate(line)) for line in cells]


def demand_data(rows: Sequence[DemandRow]) -> list[dict[str, object]]:
    """Return the rows as plain data for JSON; a bound that is unknown is None."""
    return [
        {
            "kind": row.kind or None,
            "adds": row.adds.data,
            "removes": row.removes.data,
            "at_the_peak": row.peak.data,
            "at_the_end": row.end.data,
            "at_maximum_size": row.scaled.data,
            "resources": [
                {"resource": list(path), "adds": adds.data, "removes": removes.data}
                for one in row.changes
                for adds, removes in ((one.adds.share(len(one.paths)), one.removes.share(len(one.paths))),)
                for path in one.paths
            ],
        }
        for row in rows
    ]
