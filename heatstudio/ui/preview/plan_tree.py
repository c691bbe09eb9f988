"""Convert an update plan to a tree of rows."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from enum import StrEnum
from itertools import compress
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.text import natural_key
from heatstudio.ui.widgets.theme import Color
from heatstudio.ui.widgets.tree_model import Branch
from heatstudio.update.plan.outcome import Outcome, outcome_of
from heatstudio.update.plan.plan_text import further_reasons, in_short
from heatstudio.update.plan.update_plan import Cause, Reason, Refusal, ResourceChange, Subject, SubjectKind, UpdatePlan

_FAILS = "The stack update will fail here."
_MAY_FAIL = "The stack update may fail here."


class DetailKind(StrEnum):
    """The kind of a line below a change."""

    PROPERTY = "property"
    SENTENCE = "sentence"
    BECAUSE = "because"
    NOTE = "note"
    WARNING = "warning"


class ChangeRow(Struct, frozen=True):
    """A resource and its outcome."""

    change: ResourceChange
    outcome: Outcome
    owners: tuple[ResourceChange, ...] = ()
    """The nested stacks with the resource, the outermost first."""

    @property
    def is_nested(self) -> bool:
        """Whether the resource is in a nested stack."""
        return bool(self.owners)

    @property
    def trail(self) -> tuple[ResourceChange, ...]:
        """The changes from a resource of the template to this one."""
        return (*self.owners, self.change)


class ReasonRow(Struct, frozen=True):
    """One line of the reasons for a change."""

    row: ChangeRow
    kind: DetailKind
    text: str
    color: Color = Color.TEXT
    cause: Cause | None = None
    """The cause of the line; None if the line concerns the whole resource."""
    subject: Subject | None = None
    """The subject that the line names, if it can be shown."""


class EqualRows(Struct, frozen=True):
    """One row for all resources of one type with the same outcome and the same or similar reasons."""

    rows: tuple[ChangeRow, ...]

    @property
    def names(self) -> str:
        """The first and the last name."""
        return f"{self.rows[0].change.name} … {self.rows[-1].change.name}"


class EachRow(Struct, frozen=True):
    """The parent of the individual rows of `EqualRows`."""

    text: str


class RefusalRow(Struct, frozen=True):
    """A reason why Heat rejects the whole update before it changes any resource."""

    refusal: Refusal


class BlockedRow(Struct, frozen=True):
    """The parent of the changes that Heat does not start, because it rejects the update."""

    text: str = "Changes once all errors are fixed"


_RANKS = {outcome: rank for rank, outcome in enumerate(Outcome)}
_FEWEST_EQUALS = 5
"""The minimum number of resources with the same outcome and reasons that share a row."""
_FEWEST_ALIKE = 10
"""The minimum number of resources that share a row if their reasons differ only in names and values."""


def plan_branches(plan: UpdatePlan, shown: frozenset[Outcome]) -> list[Branch]:
    """Return the changes with shown outcomes, the most severe first; below the reasons if Heat rejects the update.

    The outcome of a resource with an error is unknown until the error is fixed.
    """
    wrong = {refusal.resource for refusal in plan.refusals}
    changes = _branches((change for change in plan.changes if not wrong & _names(change)), shown, ())
    if not plan.refusals:
        return changes
    otherwise = [Branch(BlockedRow(), tuple(changes))] if changes else []
    return [*(Branch(RefusalRow(refusal)) for refusal in plan.refusals), *otherwise]


def _names(change: ResourceChange) -> set[str]:
    """Return the names of a resource and of all subjects that cause its change."""
    return {change.name, *(reason.subject.name for reason in change.because if reason.subject is not None)}


def _branches(
    changes: Iterable[ResourceChange], shown: frozenset[Outcome], owners: tuple[ResourceChange, ...]
) -> list[Branch]:
    kept = []
    for change in changes:
        row = ChangeRow(change, outcome_of(change), owners)
        members = _branches(change.members, shown, row.trail) if change.members else []
        if row.outcome in shown or members:
            gravest = min(_RANKS[row.outcome], *(_RANKS[outcome_of(inner)] for inner in change.inner), len(_RANKS))
            order = (gravest, _RANKS[row.outcome], len(_origins(change)), natural_key(change.name))
            kept.append(_Sorted(order, change, Branch(row, (*map(Branch, _reasons(row)), *members))))
    kept.sort(key=_order)
    return _folded(_by_cause(kept))


class _Sorted(NamedTuple):
    """A branch and its sort key: the worst outcome inside, its own outcome, its number of origins, and its name."""

    order: tuple[int, int, int, list[tuple[bool, int, str]]]
    change: ResourceChange
    branch: Branch


def _order(one: _Sorted) -> tuple[int, int, int, list[tuple[bool, int, str]]]:
    return one.order


def _by_cause(kept: list[_Sorted]) -> list[Branch]:
    """Move the effects of a change below it, unless the change shares a row with equal ones."""
    said = {one.change.name: _said(one.branch) for one in kept}
    shared = Counter(said.values())
    causes = {name for name, words in said.items() if shared[words] < _FEWEST_EQUALS}
    below: dict[str, list[_Sorted]] = {}
    top = []
    for one in kept:
        cause = next(iter(_origins(one.change)), "")
        if cause in causes and cause != one.change.name:
            below.setdefault(cause, []).append(one)
        else:
            top.append(one)
    for at, one in enumerate(top):
        following = below.pop(one.change.name, [])
        branches = _folded([_without_reasons(other.branch, one.change) for other in following])
        order = (min(other.order[0] for other in (one, *following)), *one.order[1:])
        top[at] = one._replace(order=order, branch=Branch(one.branch.value, (*one.branch.children, *branches)))
    lost = [one for rest in below.values() for one in rest]
    return [one.branch for one in sorted((*top, *lost), key=_order)]


def _without_reasons(branch: Branch, cause: ResourceChange) -> Branch:
    """Return an effect of a change without the reasons that follow from its position below the change."""
    known = {*(reason.subject for reason in cause.because), Subject(SubjectKind.RESOURCE, cause.name)}
    rows = (below.value for below in branch.children)
    kept = [not isinstance(row, ReasonRow) or row.subject is None or row.subject not in known for row in rows]
    return Branch(branch.value, tuple(compress(branch.children, kept)))


def _origins(change: ResourceChange) -> dict[str, None]:
    """Return the resources whose changes cause a change, in order, as keys."""
    subjects = (reason.subject for reason in change.because)
    return {one.name: None for one in subjects if one is not None and one.kind is SubjectKind.RESOURCE}


def _folded(branches: list[Branch]) -> list[Branch]:
    """Combine many similar branches, and equal ones, at the position of the first."""
    instead: dict[int, Branch | None] = {}
    for group in _grouped(branches, map(_shape, branches)).values():
        equal = _with_equal_ones_combined(group) if len(group) >= _FEWEST_ALIKE else []
        if len(equal) > 1:
            instead.update({id(one): None for one in group} | {id(group[0]): _shared(group, equal)})
    kept = (instead.get(id(one), one) for one in branches)
    return _with_equal_ones_combined([one for one in kept if one is not None])


def _with_equal_ones_combined(branches: list[Branch]) -> list[Branch]:
    groups = _grouped(branches, map(_said, branches)).values()
    return [one for group in groups for one in ([_shared(group, group)] if len(group) >= _FEWEST_EQUALS else group)]


def _grouped(branches: list[Branch], keys: Iterable[Hashable]) -> dict[Hashable, list[Branch]]:
    groups: dict[Hashable, list[Branch]] = {}
    for key, branch in zip(keys, branches, strict=True):
        groups.setdefault(key, []).append(branch)
    return groups


def _shared(branches: list[Branch], each: list[Branch]) -> Branch:
    """Return one branch for several: common reasons are listed once, and different ones below each resource."""
    rows = tuple(branch.value for branch in branches if isinstance(branch.value, ChangeRow))
    lines = [[below.value for below in one.children if isinstance(below.value, ReasonRow)] for one in branches]
    common: list[ReasonRow] = []
    for same in zip(*lines, strict=True):
        first = same[0]
        if len({line.text for line in same}) == 1:
            common.append(first)
        elif first.kind is DetailKind.PROPERTY and first.cause is not None:
            common.append(replace(first, text=f"{in_short(first.cause)[0]}: different values"))
    said = {(line.kind, line.text) for line in common}
    own = [Branch(one.value, tuple(row for row in one.children if not _is_among(row.value, said))) for one in each]
    below = Counter(row.outcome for one in branches for row in _changes_below(one))
    words = ", ".join(f"{below[outcome]} {outcome.word}" for outcome in Outcome if below[outcome])
    title = f"Each of the {len(rows)} resources{f' (total in their nested stacks: {words})' if words else ''}"
    return Branch(EqualRows(rows), (*map(Branch, common), Branch(EachRow(title), tuple(own))))


def _changes_below(branch: Branch) -> Iterator[ChangeRow]:
    for below in branch.children:
        if isinstance(below.value, ChangeRow):
            yield below.value
        yield from _changes_below(below)


def _is_among(row: object, said: set[tuple[DetailKind, str]]) -> bool:
    return isinstance(row, ReasonRow) and (row.kind, row.text) in said


def _said(branch: Branch) -> Hashable:
    """Return a key that is equal for resources with the same visible outcome and reasons."""
    row, reasons = branch.value, [below.value for below in branch.children]
    if not isinstance(row, ChangeRow) or not all(isinstance(reason, ReasonRow) for reason in reasons):
        return id(branch)
    texts = tuple((reason.kind, reason.text) for reason in reasons if isinstance(reason, ReasonRow))
    return row.outcome, row.change.certain, row.change.type, texts


def _shape(branch: Branch) -> Hashable:
    """Return a key that is equal for changes which differ only in names and values, at every depth."""
    row, below = branch.value, tuple(map(_shape, branch.children))
    match row:
        case ChangeRow():
            return row.outcome, row.change.certain, row.change.type, below
        case ReasonRow(kind=DetailKind.PROPERTY, cause=Cause(path=path)):
            return DetailKind.PROPERTY, path
        case ReasonRow(subject=subject):
            return row.kind, row.text.replace(f"`{subject.name}`", "") if subject is not None else row.text
        case EqualRows():
            return len(row.rows), below
        case EachRow():
            return EachRow, below
        case _:
            return id(branch)


def _reasons(row: ChangeRow) -> Iterator[ReasonRow]:
    change = row.change
    if row.outcome is Outcome.NOT_SUPPORTED:
        words = _FAILS if change.certain else _MAY_FAIL
        yield ReasonRow(row, DetailKind.WARNING, words, Color.NOT_SUPPORTED)
    because = change.because
    if row.outcome is not Outcome.WITHOUT_EFFECT:
        because = further_reasons(change)
        for cause in change.causes:
            yield ReasonRow(row, DetailKind.PROPERTY, _cause_words(cause), cause=cause)
            if cause.sentence:
                yield ReasonRow(row, DetailKind.SENTENCE, cause.sentence, Color.MUTED, cause)
            yield from _because(row, cause.because, cause)
    yield from _because(row, because)
    for note in dict.fromkeys(change.notes):
        if note not in because:
            yield ReasonRow(row, DetailKind.NOTE, _sentence(note), Color.MUTED)


def _because(row: ChangeRow, reasons: Iterable[Reason], cause: Cause | None = None) -> Iterator[ReasonRow]:
    """Yield each reason once."""
    for reason in dict.fromkeys(reasons):
        yield ReasonRow(row, DetailKind.BECAUSE, _sentence(reason), Color.MUTED, cause, reason.subject)


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


def _cause_words(cause: Cause) -> str:
    name, before, after = in_short(cause)
    if before == after:
        return f"{name} changes because of its references"
    return f"{name}: {before} → {after}"
