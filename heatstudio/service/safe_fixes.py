"""Application of all safe fixes of a file, and the report of an upgrade to an OpenStack release."""

from bisect import bisect, insort
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from heatstudio.analysis import Analysis
from heatstudio.service.engine import Engine
from heatstudio.service.inputs.snapshot import Snapshot
from heatstudio.text import Applicability, Fix, LineIndex, Severity, Span, TextEdit, apply_edits, counted
from heatstudio.text.line_diff import line_edits
from heatstudio.text.markup import Markdown

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


class RemainingProblem(NamedTuple):
    """A problem that remains after the safe fixes."""

    line: int
    """The line in the fixed text, starting at 1."""
    severity: Severity
    message: str
    code: str


class Upgrade(NamedTuple):
    """The safe fixes of a template for a release, and the remaining decisions."""

    name: str
    fixes: tuple[Done, ...]
    decisions: tuple[RemainingProblem, ...]

    @property
    def errors(self) -> int:
        """The number of remaining errors."""
        return sum(one.severity is Severity.ERROR for one in self.decisions)


def decisions_of(analysis: Analysis) -> tuple[RemainingProblem, ...]:
    """Return the errors and warnings that remain in a text after its safe fixes."""
    lines = LineIndex(analysis.template.text)
    return tuple(
        RemainingProblem(lines.position(one.span.start).line + 1, one.severity, one.message, one.code)
        for one in analysis.diagnostics
        if one.severity <= Severity.WARNING
    )


def upgrade_summary(found: Sequence[Upgrade], release: str, *, applied: bool) -> str:
    """Return the numbers of templates, safe fixes and remaining problems in a sentence."""
    fixes = sum(len(one.fixes) for one in found)
    left, errors = sum(len(one.decisions) for one in found), sum(one.errors for one in found)
    done = f"{counted(fixes, 'safe fix', 'safe fixes')} {'applied' if applied else 'available'}"
    decisions = f"{counted(left, 'problem')} left, including {counted(errors, 'error')}"
    return f"Upgrade to {release}: {counted(len(found), 'template')}, {done}, {decisions}."


def upgrade_markdown(found: Sequence[Upgrade], release: str, *, applied: bool) -> Iterator[Markdown]:
    """Yield the lines of a report for a pull request."""
    yield Markdown("# Upgrade to {}\n").fill(release)
    yield Markdown("{}\n").fill(upgrade_summary(found, release, applied=applied))
    columns = ("Template", "Safe fixes", "Problems left", "Errors left")
    yield Markdown.table(columns, ((one.name, len(one.fixes), len(one.decisions), one.errors) for one in found))
    problem = Markdown("- [ ] Line {}: {} ({})")
    for one in found:
        if one.fixes or one.decisions:
            yield Markdown("\n## {}\n").fill(one.name)
        word = "Fixed" if applied else "Safe fix"
        fix = Markdown("- {}, line {}: {}")
        yield from (fix.fill(word, line, Markdown.sentence(sentence)) for line, sentence in one.fixes)
        yield from (problem.fill(left.line, Markdown.sentence(left.message), left.code) for left in one.decisions)
