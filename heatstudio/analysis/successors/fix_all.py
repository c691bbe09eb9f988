"""Applies the ways out of many findings together, round by round until none is left."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from heatstudio.analysis.finding import Finding
from heatstudio.analysis.successors.composition import Composition
from heatstudio.analysis.successors.migration_report import Step, steps
from heatstudio.template import CannotEditError, Remedy, Template, parse_template, render
from heatstudio.text import Applicability, TextEdit, apply_edits

MOST_ROUNDS = 50
"""A remedy that brings up a finding that brings back the first one must not go on for ever."""


class Refusal(Struct, frozen=True):
    """A remedy that cannot be written into the text, and why."""

    finding: Finding
    remedy: Remedy
    reason: str


class Migration(Struct, frozen=True):
    """What came out of applying all remedies."""

    template: Template
    """As it is now."""
    edits: tuple[TextEdit, ...]
    """Of the text as it was."""
    steps: tuple[Step, ...]
    refusals: tuple[Refusal, ...]


def fix_all(
    template: Template,
    find: Callable[[Template], Iterable[Finding]],
    least: Applicability = Applicability.SAFE,
) -> Migration:
    """Apply the best remedy of every finding that is at least as applicable as `least`; what needs a decision stays.

    `find` gives the findings of a template; it is asked again after each round.
    """
    composition = Composition(template.text)
    told: list[Step] = []
    refusals: dict[str, Refusal] = {}
    for _ in range(MOST_ROUNDS):
        offered: dict[str, tuple[Finding, Remedy]] = {}
        for finding, remedy in _best(find(template), max(least, Applicability.UNSAFE)):
            if repr(remedy.changes) not in refusals:
                offered.setdefault(repr(remedy.changes), (finding, remedy))
        if not offered:
            break
        made, edits = _together(template, [remedy for _, remedy in offered.values()])
        if not made:
            key, (finding, remedy) = next(iter(offered.items()))
            refusals[key] = Refusal(finding, remedy, _reason(template, remedy))
            continue
        composition.apply(edits)
        told += steps(change for remedy in made for change in remedy.changes)
        template = parse_template(apply_edits(template.text, edits), template)
    return Migration(template, composition.edits(), tuple(told), tuple(refusals.values()))


def _best(findings: Iterable[Finding], least: Applicability) -> Iterator[tuple[Finding, Remedy]]:
    for finding in findings:
        best = max(finding.remedies, key=lambda remedy: remedy.applicability, default=None)
        if best is not None and best.applicability >= least:
            yield finding, best


def _together(template: Template, remedies: list[Remedy]) -> tuple[list[Remedy], tuple[TextEdit, ...]]:
    """As many of the remedies as can be made at once, from the first one that can be made, and their edits."""
    if not remedies:
        return [], ()
    try:
        return remedies, render(template, [change for remedy in remedies for change in remedy.changes])
    except CannotEditError:
        if len(remedies) == 1:
            return [], ()
    half = len(remedies) // 2
    made, edits = _together(template, remedies[:half])
    return (made, edits) if made else _together(template, remedies[half:])


def _reason(template: Template, remedy: Remedy) -> str:
    try:
        render(template, remedy.changes)
    except CannotEditError as error:
        return error.reason
    return "It does not go together with the other changes."
