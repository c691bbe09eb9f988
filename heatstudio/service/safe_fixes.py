"""Application of all safe fixes of a file."""

from bisect import bisect, insort
from collections.abc import Sequence
from typing import NamedTuple

from heatstudio.analysis import Analysis
from heatstudio.service.engine import Engine
from heatstudio.service.inputs.snapshot import Snapshot
from heatstudio.text import Applicability, Fix, LineIndex, Span, TextEdit, apply_edits
from heatstudio.text.line_diff import line_edits

Done = tuple[int, str]
"""The line of a fix, starting at 1, and a sentence about it."""


class SafeFixes(NamedTuple):
    """A file after all safe fixes."""

    analysis: Analysis
    """The analysis of the fixed text."""
    edits: tuple[TextEdit, ...]
    """The edits that turn the original text into the fixed text."""
    refusals: tuple[str, ...]
    """The fixes that could not be applied, with the reasons."""
    done: tuple[Done, ...]

    @property
    def text(self) -> str:
        """The fixed text."""
        return self.analysis.template.text


def safe_fixes(
    engine: Engine, snapshot: Snapshot, analysis: Analysis, codes: frozenset[str] | None = None
) -> SafeFixes:
    """Return an analyzed snapshot with all safe fixes applied, or only the fixes for the given codes.

    Migration fixes come first, then fixes of the YAML syntax and of comments.
    """
    migration, template = engine.fix_all(analysis, codes), analysis.template
    lines = LineIndex(template.text)
    places = [(template.locate((*step.place, step.name)).start, step) for step in migration.steps]
    done = [(lines.position(place).line + 1, step.sentence) for place, step in places]
    if migration.steps:
        analysis = engine.analyze(snapshot._replace(text=migration.template.text), analysis)
    tidying = _tidying(analysis, codes)
    if tidying:
        text = apply_edits(analysis.template.text, [edit for _, fix in tidying for edit in fix.edits])
        analysis = engine.analyze(snapshot._replace(text=text), analysis)
    return SafeFixes(
        analysis,
        tuple(line_edits(template.text, analysis.template.text)),
        migration.refusals,
        tuple(sorted((*done, *((line + 1, f"{fix.title}.") for line, fix in tidying)), key=lambda one: one[0])),
    )


def _tidying(analysis: Analysis, codes: frozenset[str] | None) -> list[tuple[int, Fix]]:
    """Return the safe fixes of syntax and comments with their lines; of overlapping fixes, only the first."""
    lines = LineIndex(analysis.template.text)
    chosen: list[tuple[int, Fix]] = []
    taken: list[Span] = []  # sorted
    for found in analysis.diagnostics:
        for fix in found.ready_fixes if codes is None or found.code in codes else ():
            spans = [edit.span for edit in fix.edits]
            if fix.applicability is Applicability.SAFE and all(_is_free(span, taken) for span in spans):
                chosen.append((lines.position(found.span.start).line, fix))
                for span in spans:
                    insort(taken, span)
    return chosen


def _is_free(span: Span, taken: Sequence[Span]) -> bool:
    at = bisect(taken, span)
    return all(one.end <= span.start or span.end <= one.start for one in taken[max(at - 1, 0) : at + 1])
