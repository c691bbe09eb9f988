"""The safe fixes of a file: all that can be applied without a decision of the user."""

from typing import NamedTuple

from heatstudio.analysis import Analysis
from heatstudio.service.engine import Engine
from heatstudio.service.snapshot import Snapshot
from heatstudio.text import Applicability, Fix, LineIndex, Span, apply_edits


class SafeFixes(NamedTuple):
    """A file with all safe fixes."""

    analysis: Analysis
    """Of the fixed text."""
    fixes: tuple[str, ...]
    """`<resource path> <property> <action> <details>`, or the line and the title of a fix."""
    refusals: tuple[str, ...]
    """The fixes that cannot be written into the text, and why."""

    @property
    def text(self) -> str:
        """The fixed text."""
        return self.analysis.template.text


def safe_fixes(engine: Engine, snapshot: Snapshot) -> SafeFixes:
    """Return a file with all safe fixes, first those of what it means, then those of how it is written."""
    analysis = engine.analyze(snapshot, None)
    migration = engine.fix_all(analysis)
    if migration.edits:
        analysis = engine.analyze(snapshot._replace(text=migration.template.text), analysis)
    tidying = _tidying(analysis)
    if tidying:
        text = apply_edits(analysis.template.text, [edit for fix in tidying.values() for edit in fix.edits])
        analysis = engine.analyze(snapshot._replace(text=text), analysis)
    return SafeFixes(
        analysis,
        (*map(str, migration.steps), *(f"line {line + 1}: {fix.title}" for line, fix in tidying.items())),
        tuple(f"{one.remedy.title}: {one.reason}" for one in migration.refusals),
    )


def _tidying(analysis: Analysis) -> dict[int, Fix]:
    """The safe fixes of the writing and of comments, by the line that each begins in; one goes before what it hides."""
    lines = LineIndex(analysis.template.text)
    chosen: dict[int, Fix] = {}
    taken: list[Span] = []
    for found in analysis.diagnostics:
        for fix in found.ready_fixes:
            spans = [edit.span for edit in fix.edits]
            is_free = all(one.end <= other.start or other.end <= one.start for one in spans for other in taken)
            if fix.applicability is Applicability.SAFE and is_free:
                chosen[lines.position(found.span.start).line] = fix
                taken += spans
    return chosen
