"""What a cloud has room for, and where an update does not fit."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct, field

from heatstudio.catalog.cloud.quota_rule import quota_facts
from heatstudio.catalog.facts import Facts
from heatstudio.update.plan.demand import NOTHING, Ask, CloudSize, DemandCase
from heatstudio.update.plan.demand_table import DemandRow, noun_of
from heatstudio.update.plan.update_plan import ResourceChange, UpdatePlan

_MOST_NAMES = 3


class Quota(NamedTuple):
    """The quota of one kind."""

    limit: int
    """Negative if there is none."""
    used: int

    @property
    def left(self) -> int | None:
        """What is left; None if there is no limit."""
        return max(0, self.limit - self.used) if self.limit >= 0 else None


class Capacity(Struct, frozen=True):
    """What a cloud has room for."""

    cloud: str
    quotas: Mapping[str, Quota] = field(default_factory=dict)
    """By kind; a missing one is unknown."""
    objects: Mapping[tuple[str, str], Facts] = field(default_factory=dict)
    """The facts of objects by custom constraint, and by ID or unique name."""
    failures: Mapping[str, str] = field(default_factory=dict)
    """Why the quotas of a service are unknown, by service."""

    def size_of(self, size: CloudSize) -> int | None:
        """Return a size; None if it is unknown."""
        found = self.objects.get((size.constraint, size.name), {}).get(size.field)
        return found if isinstance(found, int) and found >= 0 else None


class Shortage(NamedTuple):
    """Something for which an update does or may not fit."""

    text: str
    certain: bool
    """Whether the update would fail, not only may."""


def shortages(plan: UpdatePlan, rows: Sequence[DemandRow], capacity: Capacity) -> list[Shortage]:
    """Return why an update would or may fail in a cloud, the certain reasons first."""
    known: dict[Ask, str] = {}
    asked = (one for change in plan.accepted_changes for one in _misfits(change, capacity, known, certain=True))
    return sorted(dict.fromkeys((*asked, *_too_much(rows, capacity))), key=lambda one: not one.certain)


def notices(rows: Sequence[DemandRow], capacity: Capacity) -> list[str]:
    """Return one sentence for each service whose quota an update needs and that is unknown."""
    facts, missing = quota_facts(), dict[str, list[str]]()
    for row in rows:
        service = facts.kinds[row.kind].service if row.kind in facts.kinds else ""
        if service and row.adds != NOTHING and row.kind not in capacity.quotas:
            missing.setdefault(service, []).append(noun_of(row.kind, 2))
    return [
        f"Not checked: {', '.join(nouns)}. {facts.services[service].name}: "
        f"{capacity.failures.get(service, 'the service does not report this quota')}."
        for service, nouns in missing.items()
    ]


def _too_much(rows: Sequence[DemandRow], capacity: Capacity) -> Iterator[Shortage]:
    for row in rows:
        quota, peak = capacity.quotas.get(row.kind), row.peak
        left = quota.left if quota is not None else None
        if left is None or peak.most + bool(peak.unknown) <= left:
            continue
        certain = peak.least > left
        adding = sorted((one for one in row.changes if one.adds != NOTHING), key=lambda one: -one.adds.most)
        askers = list(dict.fromkeys(path[0] for one in adding for path in one.paths))
        names = ", ".join(f"`{name}`" for name in askers[:_MOST_NAMES])
        more = f" and {len(askers) - _MOST_NAMES} more" if len(askers) > _MOST_NAMES else ""
        text = f"{left:,} {noun_of(row.kind, left)} left, {peak.words()} needed by {names}{more}."
        yield Shortage(text, certain)


def _misfits(change: ResourceChange, capacity: Capacity, known: dict[Ask, str], *, certain: bool) -> Iterator[Shortage]:
    """Yield what the objects of the cloud lack for a change and for those of its nested stack."""
    certain, before = certain and change.certain, {unit for unit, _ in change.gives}
    for ask in (unit for unit, _ in change.takes if isinstance(unit, Ask) and unit not in before):
        if ask not in known:
            known[ask] = _misfit(ask, capacity)
        if known[ask]:
            yield Shortage(f"`{change.name}`: {known[ask]}", certain and ask.case is DemandCase.CERTAIN)
    for member in change.members:
        yield from _misfits(member, capacity, known, certain=certain)


def _misfit(ask: Ask, capacity: Capacity) -> str:
    """Return what is wrong with an object; empty if it is right or not known."""
    facts = capacity.objects.get((ask.object.constraint, ask.object.name))
    if facts is None:
        return ""
    value, other = facts.get(ask.object.field), ask.other
    limit: object = other
    if isinstance(other, CloudSize):
        limit = capacity.objects.get((other.constraint, other.name), {}).get(other.field, other.name)
    named = other.name if isinstance(other, CloudSize) else ""
    match ask.how:
        case "one_of":
            is_wrong = isinstance(value, str) and value.lower() not in ask.values
        case "at_most":
            is_wrong = isinstance(value, int) and isinstance(limit, int) and value > limit
        case "differs":
            is_wrong = value is not None and value == limit
        case _:
            is_wrong = True
    return ask.words.format(name=ask.object.name, value=value, other=named, limit=limit) if is_wrong else ""
