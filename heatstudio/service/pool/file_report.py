"""The report of a file, as plain values for printing, JSON and transfer between processes."""

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from heatstudio.analysis import Analysis, Diagnostic
from heatstudio.service.pool.questions import CheckResult
from heatstudio.text import CheckFamily, LineIndex, Position, Severity, Span, TextEdit

_WIDEST = 160
"""Maximum number of characters shown of a line."""
_BEFORE = 40
"""Maximum number of characters shown before the problem in a shortened line."""


class TextRange(NamedTuple):
    """The start and end positions."""

    start: Position
    end: Position


class ReportedEdit(NamedTuple):
    """The replacement of a range with a text."""

    range: TextRange
    text: str


class ReportedFix(NamedTuple):
    """A fix of a problem, with edits of the checked file."""

    title: str
    applicability: str
    edits: tuple[ReportedEdit, ...]


class SourceLine(NamedTuple):
    """The source line of a problem, shortened if it is long, and the span of the problem in this line."""

    text: str
    span: Span


class Problem(NamedTuple):
    """A diagnostic with its position."""

    path: str
    """The file that contains the problem: the checked file or an environment file."""
    range: TextRange
    code: str
    severity: Severity
    message: str
    source: SourceLine
    fingerprint: str
    """An ID that is stable when lines move: a hash of the code and the template path or message, and a counter."""
    resource: str | None = None
    property: str | None = None
    heat: str = ""
    """Heat's message, if it differs."""
    related: tuple[tuple[str, TextRange], ...] = ()
    """Related ranges in the checked file, with messages; for a cycle, the ranges of its edges."""
    fixes: tuple[ReportedFix, ...] = ()
    is_suppressed: bool = False
    has_safe_fix: bool = False
    """Whether `heatstudio fix` solves the problem."""
    family: CheckFamily = CheckFamily.PROBLEM


class FileReport(NamedTuple):
    """The report of a file."""

    path: str
    outcome: CheckResult
    sentence: str = ""
    """The reason why the file was not checked."""
    sha256: str = ""
    """The SHA-256 hash of the checked content, which ranges and edits refer to."""
    problems: tuple[Problem, ...] = ()

    @property
    def reported(self) -> Iterator[Problem]:
        """The problems that no comment suppresses."""
        return (one for one in self.problems if not one.is_suppressed)


def report_of(path: Path, analysis: Analysis, *, with_fixes: bool) -> FileReport:
    """Return the report of an analyzed file."""
    problems = tuple(_Reporter(path, analysis, with_fixes).problems())
    digest = sha256(analysis.template.text.encode("utf-8", "surrogatepass")).hexdigest()
    return FileReport(str(path), CheckResult.CHECKED, sha256=digest, problems=problems)


class Ranges:
    """A converter of spans of one text; a byte order mark does not count as a character."""

    def __init__(self, text: str) -> None:
        self.lines = LineIndex(text)
        self._mark = int(text.startswith("\ufeff"))

    def of(self, span: Span) -> TextRange:
        """Return the range of a span."""
        return TextRange(self._position(span.start), self._position(span.end))

    def of_edits(self, edits: Iterable[TextEdit]) -> tuple[ReportedEdit, ...]:
        """Return edits with their ranges."""
        return tuple(ReportedEdit(self.of(edit.span), edit.text) for edit in edits)

    def _position(self, offset: int) -> Position:
        line, character = self.lines.position(offset)
        return Position(line, max(0, character - self._mark) if line == 0 else character)


class _Reporter:
    def __init__(self, path: Path, analysis: Analysis, with_fixes: bool) -> None:
        self._path = str(path)
        self._analysis = analysis
        self._with_fixes = with_fixes
        self._ranges = Ranges(analysis.template.text)
        self._environments: dict[str, tuple[str, LineIndex]] = {}
        self._seen: Counter[str] = Counter()

    def problems(self) -> Iterator[Problem]:
        """Yield the reported problems, then the problems that comments suppress."""
        yield from map(self._problem, self._analysis.diagnostics)
        for found in self._analysis.suppressed:
            yield self._problem(found)._replace(is_suppressed=True)

    def _problem(self, found: Diagnostic) -> Problem:
        path, range_, span = self._path, self._ranges.of(found.span), found.span
        text, lines, message = self._analysis.template.text, self._ranges.lines, found.message
        if found.elsewhere is not None:
            path, span, *ends = found.elsewhere
            message = f"With `{beside(path, self._path)}`: {message}"
            range_, (text, lines) = TextRange(*ends), self._environment(path)
        related = (*((found.message, one) for one in found.also), *found.related)
        return Problem(
            path,
            range_,
            found.code,
            found.severity,
            message,
            self._source_line(text, lines, span),
            self._fingerprint(found),
            found.resource,
            found.property,
            found.heat,
            tuple((message, self._ranges.of(one)) for message, one in related),
            tuple(self._fixes(found)) if self._with_fixes else (),
            has_safe_fix=found.has_safe_fix,
            family=found.family,
        )

    def _source_line(self, text: str, lines: LineIndex, span: Span) -> SourceLine:
        found = source_line(text, lines, span)
        return SourceLine("", Span(0, 0)) if self._analysis.secrets.hides(found.text) else found

    def _environment(self, path: str) -> tuple[str, LineIndex]:
        if path not in self._environments:
            text = self._analysis.environment_text(path)
            self._environments[path] = text, LineIndex(text)
        return self._environments[path]

    def _fixes(self, found: Diagnostic) -> Iterator[ReportedFix]:
        for fix in self._analysis.fixes(found):
            yield ReportedFix(fix.title, fix.applicability.word, self._ranges.of_edits(fix.edits))

    def _fingerprint(self, found: Diagnostic) -> str:
        known: list[object] = [found.code, found.message]
        if found.finding is not None:
            where = found.finding.environment
            place = found.finding.place if where is None else where.place
            known = [found.code, [str(step) for step in place.path], place.part.name]
        text = json.dumps(known)
        self._seen[text] += 1
        return f"{sha256(text.encode()).hexdigest()[:16]}:{self._seen[text]}"


def source_line(text: str, lines: LineIndex, place: Span) -> SourceLine:
    """Return the line in which a span begins."""
    line = lines.line_span(lines.position(place.start).line)
    start = line.start if line.end - line.start <= _WIDEST else max(line.start, place.start - _BEFORE)
    shown = text[start : min(line.end, start + _WIDEST)].rstrip()
    return SourceLine(shown, Span(place.start - start, max(place.end - start, 0)))


def beside(file: str, other: str) -> str:
    """Return the path of another file, relative to the folder of a file."""
    try:
        return Path(os.path.relpath(other, Path(file).parent)).as_posix()
    except ValueError:  # another drive
        return other
