"""Completion: what may be written at the caret, in broken and half-typed text too."""

from __future__ import annotations

from collections.abc import Iterator

from heatstudio.analysis.assistance.completion_context import Writing, writing_at
from heatstudio.analysis.assistance.desk import Desk
from heatstudio.analysis.assistance.expectation import Expectation, Role, expectation_at
from heatstudio.analysis.assistance.key_proposals import keys_for
from heatstudio.analysis.assistance.layout import completion_of
from heatstudio.analysis.assistance.proposal import Completion, Proposal
from heatstudio.analysis.assistance.value_proposals import functions_for, values_for
from heatstudio.template import Path

__all__ = ["Completion", "complete"]

_FREE = frozenset({Role.TEXT, Role.VALUE, Role.CALL})
"""Roles of which nothing certain is known: functions are proposed there only when asked for."""


def complete(desk: Desk, offset: int, explicit: bool) -> list[Completion]:
    """What may be written at an offset, the likeliest first.

    `explicit` says that it was asked for by key, and not only typed.
    """
    writing = writing_at(desk, offset)
    if writing is None:
        return []
    expectation = expectation_at(writing.desk, writing.path)
    labels: dict[tuple[str, str], Proposal] = {}
    for proposal in _proposals(writing, expectation, explicit):
        labels.setdefault((proposal.label, proposal.kind), proposal)
    completions = [completion_of(proposal, writing) for proposal in labels.values()]
    return sorted(completions, key=lambda completion: completion.sort_key)


def _proposals(writing: Writing, expectation: Expectation, explicit: bool) -> Iterator[Proposal]:
    path: Path = writing.path
    if writing.is_key:
        yield from keys_for(writing, expectation)
    if writing.is_value and path:
        yield from values_for(writing, expectation)
    asked = explicit or bool(writing.prefix) or expectation.role not in _FREE
    if (writing.is_key or writing.is_value) and not writing.quote and asked:
        yield from functions_for(writing, expectation)
