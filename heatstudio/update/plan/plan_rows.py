"""Arrange an update plan as a tree of rows, the same for the window, the command line and Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.text import natural_key
from heatstudio.update.plan.outcome import SENTENCES, Outcome, outcome_of
from heatstudio.update.plan.property_lines import PropertyLine, property_lines
from heatstudio.update.plan.update_plan import Action, Cause, Reason, ResourceChange, Subject, SubjectKind, UpdatePlan


class PlanBranch(NamedTuple):
    """A row and the rows below it."""

    row: object
    """A `Refusal` of the plan, or one of the rows of this module."""
    below: tuple[PlanBranch, ...] = ()


class DetailKind(StrEnum):
    """The kind of a line below a change."""

    PROPERTY = "property"
    SENTENCE = "sentence"
    """Heat's explanation of the effect."""
    BECAUSE = "because"
    DIFF = "diff"
    """The differing lines of two texts, without a text of its own: they are computed when they are shown."""
    NOTE = "note"


class ChangeRow(Struct, frozen=True):
    """A resource and its outcome."""

    change: ResourceChange
    outcome: Outcome
    owners: tuple[ResourceChange, ...] = ()
    """The nested stacks with the resource, the outermost first."""
    is_quiet: bool = False
    """Whether the row above explains everything: the resource only follows the change there."""

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
    cause: Cause | None = None
    """The cause of the line; None if the line concerns the whole resource."""
    line: PropertyLine | None = None
    """The difference of a property; None for other lines, and for the parent of many differences."""
    subject: Subject | None = None
    """The subject that the line names, if it can be shown."""


class EqualRows(Struct, frozen=True):
    """One row for all resources of one type with the same outcome and the same or similar reasons."""

    rows: tuple[ChangeRow, ...]

    @property
    def names(self) -> str:
        """The first and the last name."""
        return f"{self.rows[0].change.name}{' … ' if len(self.rows) > 2 else ', '}{self.rows[-1].change.name}"


class EachRow(Struct, frozen=True):
    """The parent of the individual rows of `EqualRows`."""

    text: str


class BlockedRow(Struct, frozen=True):
    """The parent of the changes that Heat does not start, because it rejects the update."""

    text: str = "Changes once all errors are fixed"


Shown = Callable[[ChangeRow], bool]
"""Whether to show a row."""
_RANKS = {outcome: rank for rank, outcome in enumerate(Outcome)}
_FEWEST_EQUALS = 5
"""The minimum number of resources with the same outcome and reasons that share a row."""
_FEWEST_MEMBERS = 2
"""The same for the members of a group or nested stack."""
_FEWEST_ALIKE = 10
"""The minimum number of resources that share a row if their reasons differ only in names and values."""
_WAITS = "The update {} at the hook `{}` until the hook is cleared."
_MOST_LINES = 8
"""The maximum number of differences of one property that are listed directly below the resource."""
_GENERIC = (*SENTENCES.values(), "Updated in place")
"""The beginnings of sentences of Heat that say no more than the tag of a line."""


def is_changed(row: ChangeRow) -> bool:
    """Return whether a row is more than unchanged."""
    return row.outcome is not Outcome.UNCHANGED or bool(row.change.hooks)


def plan_branches(plan: UpdatePlan, is_shown: Shown = is_changed) -> list[PlanBranch]:
    """Return the shown changes, the most severe first; below the reasons if Heat rejects the update.

    The outcome of a resource with an error is unknown until the error is fixed.
    """
    wrong = {refusal.resource for refusal in plan.refusals}
    changes = _branches((change for change in plan.changes if not wrong & _names(change)), is_shown, ())
    if not plan.refusals:
        return changes
    otherwise = [PlanBranch(BlockedRow(), tuple(changes))] if changes else []
    return [*map(PlanBranch, plan.refusals), *otherwise]


def _names(change: ResourceChange) -> set[str]:
    """Return the names of a resource and of all subjects that cause its change."""
    return {change.name, *(reason.subject.name for reason in change.because if reason.subject is not None)}


def _branches(
    changes: Iterable[ResourceChange], is_shown: Shown, owners: tuple[ResourceChange, ...]
) -> list[PlanBranch]:
    kept = []
    for change in changes:
        row = ChangeRow(change, outcome_of(change), owners)
        members = _branches(change.members, is_shown, row.trail) if change.members else []
        if members or is_shown(row):
            gravest = min(_RANKS[row.outcome], *(_RANKS[outcome_of(inner)] for inner in change.inner), len(_RANKS))
            order = (gravest, _RANKS[row.outcome], len(_origins(change)), natural_key(change.name))
            kept.append(_Sorted(order, change, PlanBranch(row, (*_reasons(row), *members))))
    kept.sort(key=lambda one: one.order)
    fewest = _FEWEST_MEMBERS if owners else _FEWEST_EQUALS
    return _folded(_by_cause(kept, fewest), fewest)


class _Sorted(NamedTuple):
    """A branch and its sort key: the worst outcome inside, its own outcome, its number of origins, and its name."""

    order: tuple[int, int, int, list[tuple[bool, int, str]]]
    change: ResourceChange
    branch: PlanBranch


def _by_cause(kept: list[_Sorted], fewest: int) -> list[PlanBranch]:
    """Move the effects of a change below it, unless the change shares a row with equal ones."""
    said = {one.change.name: _said(one.branch) for one in kept}
    shared = Counter(said.values())
    causes = {name for name, words in said.items() if shared[words] < fewest}
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
        branches = _folded([_without_reasons(other.branch, one.change) for other in following], fewest)
        order = (min(other.order[0] for other in (one, *following)), *one.order[1:])
        top[at] = one._replace(order=order, branch=PlanBranch(one.branch.row, (*one.branch.below, *branches)))
    lost = [one for rest in below.values() for one in rest]
    return [one.branch for one in sorted((*top, *lost), key=lambda one: one.order)]


def _without_reasons(branch: PlanBranch, cause: ResourceChange) -> PlanBranch:
    """Return an effect of a change without the reasons that follow from its position below the change."""
    known = {*(reason.subject for reason in cause.because), Subject(SubjectKind.RESOURCE, cause.name)}

    def unknown(rows: Iterable[PlanBranch]) -> tuple[PlanBranch, ...]:
        return tuple(
            one
            for one in rows
            if not isinstance(one.row, ReasonRow) or one.row.subject is None or one.row.subject not in known
        )

    kept = [PlanBranch(one.row, unknown(one.below)) for one in unknown(branch.below)]
    whole = {id(one.row): len(one.below) for one in branch.below}
    is_quiet = all(_is_property(one.row) and len(one.below) < whole[id(one.row)] for one in kept)
    row = replace(branch.row, is_quiet=is_quiet) if isinstance(branch.row, ChangeRow) else branch.row
    return PlanBranch(row, tuple(kept))


def _is_property(row: object) -> bool:
    return isinstance(row, ReasonRow) and row.kind is DetailKind.PROPERTY


def _origins(change: ResourceChange) -> dict[str, None]:
    """Return the resources whose changes cause a change, in order, as keys."""
    subjects = (reason.subject for reason in change.because)
    return {one.name: None for one in subjects if one is not None and one.kind is SubjectKind.RESOURCE}


def _folded(branches: list[PlanBranch], fewest: int) -> list[PlanBranch]:
    """Combine many similar branches, and at least `fewest` equal ones, at the position of the first."""
    instead: dict[int, PlanBranch | None] = {}
    for group in _grouped(branches, map(_shape, branches)).values():
        equal = _with_equal_ones_combined(group, fewest) if len(group) >= _FEWEST_ALIKE else []
        if len(equal) > 1:
            instead.update({id(one): None for one in group} | {id(group[0]): _shared(group, equal)})
    kept = (instead.get(id(one), one) for one in branches)
    return _with_equal_ones_combined([one for one in kept if one is not None], fewest)


def _with_equal_ones_combined(branches: list[PlanBranch], fewest: int) -> list[PlanBranch]:
    groups = _grouped(branches, map(_said, branches)).values()
    return [one for group in groups for one in ([_shared(group, group)] if len(group) >= fewest else group)]


def _grouped(branches: list[PlanBranch], keys: Iterable[Hashable]) -> dict[Hashable, list[PlanBranch]]:
    groups: dict[Hashable, list[PlanBranch]] = {}
    for key, branch in zip(keys, branches, strict=True):
        groups.setdefault(key, []).append(branch)
    return groups


def _shared(branches: list[PlanBranch], each: list[PlanBranch]) -> PlanBranch:
    """Return one branch for several: common reasons are listed once, and different ones below each resource."""
    rows = tuple(branch.row for branch in branches if isinstance(branch.row, ChangeRow))
    lines = [[below for below in one.below if isinstance(below.row, ReasonRow)] for one in branches]
    common = list(filter(None, map(_common_line, zip(*lines, strict=True))))
    said = set(map(_key, common))
    own = [PlanBranch(one.row, tuple(below for below in one.below if _key(below) not in said)) for one in each]
    below = Counter(row.outcome for one in branches for row in _changes_below(one))
    words = ", ".join(f"{below[outcome]} {outcome.word}" for outcome in Outcome if below[outcome])
    title = f"Each of the {len(rows)} resources{f' (total in their nested stacks: {words})' if words else ''}"
    return PlanBranch(EqualRows(rows), (*common, PlanBranch(EachRow(title), tuple(own))))


def _common_line(same: tuple[PlanBranch, ...]) -> PlanBranch | None:
    """Return the line that stands for the corresponding lines of several resources; None if there is none."""
    first = same[0]
    if len(set(map(_key, same))) == 1:
        return first
    if not isinstance(first.row, ReasonRow) or first.row.line is None:
        return None
    line = replace(first.row.line, words="different values")
    sentences = (one for one in first.below if isinstance(one.row, ReasonRow) and one.row.kind is DetailKind.SENTENCE)
    return PlanBranch(replace(first.row, text=line.text(), line=line), tuple(sentences))


def _changes_below(branch: PlanBranch) -> Iterator[ChangeRow]:
    for below in branch.below:
        if isinstance(below.row, ChangeRow):
            yield below.row
        yield from _changes_below(below)


def _said(branch: PlanBranch) -> Hashable:
    """Return a key that is equal for resources with the same visible outcome and reasons."""
    row = branch.row
    if not isinstance(row, ChangeRow) or not all(isinstance(below.row, ReasonRow) for below in branch.below):
        return id(branch)
    return row.outcome, row.change.certain, row.change.type, tuple(map(_key, branch.below))


def _key(branch: PlanBranch) -> Hashable:
    """Return a key that is equal for lines with the same text, whole values and lines below."""
    row = branch.row
    if not isinstance(row, ReasonRow):
        return id(branch)
    line = row.line
    values = (line.cause.before, line.cause.after) if line is not None and line.is_multiline else ()
    return row.kind, row.text, line.tag if line is not None else "", values, tuple(map(_key, branch.below))


def _shape(branch: PlanBranch) -> Hashable:
    """Return a key that is equal for changes which differ only in names and values, at every depth."""
    row, below = branch.row, tuple(map(_shape, branch.below))
    match row:
        case ChangeRow():
            return row.outcome, row.change.certain, row.change.type, below
        case ReasonRow(line=PropertyLine() as line):
            return line.name, line.tag, below
        case ReasonRow(subject=subject):
            return row.kind, row.text.replace(f"`{subject.name}`", "") if subject is not None else row.text, below
        case EqualRows():
            return len(row.rows), below
        case EachRow():
            return EachRow, below
        case _:
            return id(branch)


def _reasons(row: ChangeRow) -> Iterator[PlanBranch]:
    change = row.change
    because = change.because
    notes = dict.fromkeys(change.notes)
    if row.outcome is not Outcome.WITHOUT_EFFECT:
        because = change.further_reasons
        yield from _properties(row)
        notes = dict.fromkeys((*filter(None, map(_warning, change.causes)), *change.notes))
    yield from _because(row, because)
    for hook in change.hooks:
        notes[_WAITS.format("waits" if change.certain or hook == "pre-update" else "may wait", hook)] = None
    yield from (PlanBranch(ReasonRow(row, DetailKind.NOTE, note)) for note in notes if note not in because)


def _properties(row: ChangeRow) -> Iterator[PlanBranch]:
    """Yield a line for each difference, with its explanation below; no sentence is repeated."""
    sentences = set[str]()
    for cause, lines in property_lines(row.change):
        because = tuple(_because(row, cause.because, cause))
        if cause.sentence and cause.sentence not in sentences and not cause.sentence.startswith(_GENERIC):
            because = (PlanBranch(ReasonRow(row, DetailKind.SENTENCE, cause.sentence, cause)), *because)
            sentences.add(cause.sentence)
        rows = [
            PlanBranch(
                ReasonRow(row, DetailKind.PROPERTY, line.text(), cause, line),
                (PlanBranch(ReasonRow(row, DetailKind.DIFF, "", line.cause)),) if line.is_multiline else (),
            )
            for line in lines
        ]
        if len(rows) > _MOST_LINES:
            title = f"{cause.property}: {len(rows)} differences"
            yield PlanBranch(ReasonRow(row, DetailKind.PROPERTY, title, cause), (*because, *rows))
        else:
            yield from (PlanBranch(one.row, (*because, *one.below)) for one in rows)


def _warning(cause: Cause) -> str:
    """Return what an update in place does, beyond the value: for example, that it rebuilds the server."""
    start = f"{SENTENCES[Outcome.UPDATED]}. "
    is_in_place = cause.effect is Action.UPDATED and cause.sentence.startswith(start)
    return cause.sentence.removeprefix(start) if is_in_place else ""


def _because(row: ChangeRow, reasons: Iterable[Reason], cause: Cause | None = None) -> Iterator[PlanBranch]:
    """Yield each reason once."""
    for reason in dict.fromkeys(reasons):
        yield PlanBranch(ReasonRow(row, DetailKind.BECAUSE, str(reason), cause, subject=reason.subject))
