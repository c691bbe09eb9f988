"""The upgrade report of templates for an OpenStack release: safe fixes and remaining decisions."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from heatstudio.analysis import Analysis
from heatstudio.service.safe_fixes import Done
from heatstudio.text import LineIndex, Severity, counted
from heatstudio.text.markup import Markdown


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
