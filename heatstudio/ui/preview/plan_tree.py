"""How an update plan becomes a tree of rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from operator import itemgetter
from typing import TYPE_CHECKING

from msgspec import Struct

from heatstudio.ui.outcome import Outcome, outcome_of
from heatstudio.ui.theme import Color
from heatstudio.ui.tree_model import Branch

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.stack.update.reason import Reason, Subject
    from heatstudio.stack.update.update_plan import Cause, ResourceChange, UpdatePlan

_FAILS = "The stack update will fail here."
_MAY_FAIL = "The stack update may fail here."


class LineKind(StrEnum):
    """What a line below a change tells."""

    PROPERTY = "property"
    SENTENCE = "sentence"
    BECAUSE = "because"
    NOTE = "note"
    WARNING = "warning"


class ChangeRow(Struct, frozen=True):
    """A resource and what becomes of it."""

    change: ResourceChange
    outcome: Outcome
    owners: tuple[ResourceChange, ...] = ()
    """The nested stacks that it is in, the outermost first."""

    @property
    def is_nested(self) -> bool:
        """Whether it stands in another template."""
        return bool(self.owners)

    @property
    def trail(self) -> tuple[ResourceChange, ...]:
        """From the resource of the shown template to this one."""
        return (*self.owners, self.change)


class ReasonRow(Struct, frozen=True):
    """One line of the reasons for a change."""

    row: ChangeRow
    kind: LineKind
    text: str
    color: Color = Color.TEXT
    cause: Cause | None = None
    """The difference that it belongs to; None for what concerns the whole resource."""
    subject: Subject | None = None
    """What it names, where that can be gone to."""


class RefusalRow(Struct, frozen=True):
    """Why Heat refuses the whole update before it looks at any resource."""

    text: str


_RANKS = {outcome: rank for rank, outcome in enumerate(Outcome)}


def plan_branches(plan: UpdatePlan, shown: frozenset[Outcome]) -> list[Branch]:
    """What Heat refuses, then the changes whose outcome is shown, the most serious ones first."""
    refusals = [Branch(RefusalRow(text)) for text in plan.refusals]
    return [*refusals, *_branches(plan.changes, shown, ())]


def _branches(
    changes: Iterable[ResourceChange], shown: frozenset[Outcome], owners: tuple[ResourceChange, ...]
) -> list[Branch]:
    kept = []
    for change in changes:
        row = ChangeRow(change, outcome_of(change), owners)
        members = _branches(change.members, shown, row.trail) if change.members else []
        if row.outcome in shown or members:
            gravest = min(_RANKS[row.outcome], *(_RANKS[outcome_of(inner)] for inner in change.inner), len(_RANKS))
            kept.append((gravest, _RANKS[row.outcome], change.name, row, members))
    kept.sort(key=itemgetter(0, 1, 2))
    return [Branch(row, (*map(Branch, _reasons(row)), *members)) for *_, row, members in kept]


def _reasons(row: ChangeRow) -> Iterator[ReasonRow]:
    change = row.change
    if row.outcome is Outcome.NOT_SUPPORTED:
        words = _FAILS if change.certain else _MAY_FAIL
        yield ReasonRow(row, LineKind.WARNING, words, Color.NOT_SUPPORTED)
    because = change.because
    if row.outcome is not Outcome.WITHOUT_EFFECT:
        from heatstudio.stack.update.plan_text import untold_reasons

        because = untold_reasons(change)
        for cause in change.causes:
            yield ReasonRow(row, LineKind.PROPERTY, _cause_words(cause), cause=cause)
            if cause.sentence:
                yield ReasonRow(row, LineKind.SENTENCE, cause.sentence, Color.MUTED, cause)
            yield from _because(row, cause.because, cause)
    yield from _because(row, because)
    for note in dict.fromkeys(change.notes):
        if note not in because:
            yield ReasonRow(row, LineKind.NOTE, _sentence(note), Color.MUTED)


def _because(row: ChangeRow, reasons: Iterable[Reason], cause: Cause | None = None) -> Iterator[ReasonRow]:
    """Each reason once."""
    for reason in dict.fromkeys(reasons):
        yield ReasonRow(row, LineKind.BECAUSE, _sentence(reason), Color.MUTED, cause, reason.subject)


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


def _cause_words(cause: Cause) -> str:
    from heatstudio.stack.update.plan_text import in_short

    name, before, after = in_short(cause)
    if before == after:
        return f"{name} changes with what it refers to"
    return f"{name}: {before} → {after}"
