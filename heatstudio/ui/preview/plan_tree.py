"""How an update plan becomes a tree of rows, and a report in Markdown."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from heatstudio.ui.preview.outcome import Outcome, count_outcomes, outcome_of, totals_line
from heatstudio.ui.theme import Color
from heatstudio.ui.tree_model import Branch

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.stack.update_plan import Cause, ResourceChange

_LONGEST_VALUE = 48
_FAILS = "The stack update will fail here."


class LineKind(StrEnum):
    """What a line below a change tells."""

    PROPERTY = "property"
    SENTENCE = "sentence"
    BECAUSE = "because"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """A resource and what becomes of it."""

    change: ResourceChange
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class ReasonRow:
    """One line of the reasons for a change."""

    change: ResourceChange
    kind: LineKind
    text: str
    detail: str = ""
    color: Color = Color.TEXT


def value_words(value: object) -> str:
    """A property value in few characters; values that are not known before the update say so."""
    if value is None:
        return "not set"
    if isinstance(value, str):
        words = value if value and "\n" not in value else json.dumps(value, ensure_ascii=False)
    elif isinstance(value, bool | int | float | list | dict):
        words = json.dumps(value, ensure_ascii=False, default=lambda _: "…")
    else:
        return "known after the update"
    return words if len(words) <= _LONGEST_VALUE else words[: _LONGEST_VALUE - 1] + "…"


def plan_branches(changes: Iterable[ResourceChange], shown: frozenset[Outcome]) -> list[Branch]:
    """The changes whose outcome is shown, the most serious ones first, with their reasons below."""
    rows = [ChangeRow(change, outcome_of(change)) for change in changes]
    order = list(Outcome)
    rows.sort(key=lambda row: (order.index(row.outcome), row.change.name))
    return [Branch(row, (*map(Branch, _reasons(row)), *_members(row, shown))) for row in rows if row.outcome in shown]


def _members(row: ChangeRow, shown: frozenset[Outcome]) -> list[Branch]:
    """What happens inside a nested stack."""
    return plan_branches(row.change.members, shown)


def _reasons(row: ChangeRow) -> Iterator[ReasonRow]:
    change = row.change
    if row.outcome is Outcome.NOT_SUPPORTED:
        yield ReasonRow(change, LineKind.WARNING, _FAILS, color=Color.NOT_SUPPORTED)
    told: set[str] = set()
    for cause in change.causes:
        yield ReasonRow(change, LineKind.PROPERTY, _cause_words(cause))
        if cause.sentence:
            yield ReasonRow(change, LineKind.SENTENCE, cause.sentence, color=Color.MUTED)
        yield from _reason_lines(change, cause.because, told)
    yield from _reason_lines(change, (*change.because, *change.notes), told)


def _reason_lines(change: ResourceChange, reasons: Iterable[str], told: set[str]) -> Iterator[ReasonRow]:
    """Each reason once, as a sentence."""
    for reason in reasons:
        if reason not in told:
            told.add(reason)
            yield ReasonRow(change, LineKind.BECAUSE, reason[:1].upper() + reason[1:], color=Color.MUTED)


def _cause_words(cause: Cause) -> str:
    before, after = value_words(cause.before), value_words(cause.after)
    if before == after:
        return f"{cause.property} changes with what it refers to"
    return f"{cause.property}: {before} → {after}"


def plan_markdown(changes: Iterable[ResourceChange], against: str) -> str:
    """The plan as a report that can be pasted into a review."""
    changes = tuple(changes)
    lines = [f"**Update preview** against {against}: {totals_line(count_outcomes(changes))}", ""]
    shown = frozenset(Outcome) - {Outcome.UNCHANGED}
    for branch in plan_branches(changes, shown):
        row = branch.value
        if isinstance(row, ChangeRow):
            may = "" if row.change.certain else " (may)"
            lines.append(f"- `{row.outcome.symbol}` **{row.change.name}** ({row.change.type}): {row.outcome.word}{may}")
        lines += [f"  - {child.value.text}" for child in branch.children if isinstance(child.value, ReasonRow)]
    return "\n".join(lines) + "\n"
