"""Machine-readable reports: JSON, GitHub annotations, and JUnit XML."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Self

from heatstudio import __version__
from heatstudio.service.pool.file_report import FileReport, PositionRange, Problem, ReportedEdit, ReportedFix
from heatstudio.text import Severity
from heatstudio.text.markup import Markup, Xml

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning"}


def as_json(reports: Iterable[FileReport]) -> dict[str, object]:
    """Return all reported problems, and the hash of each document to which ranges and edits refer."""
    found = list(reports)
    return {
        "version": 1,
        "heatstudio": __version__,
        "documents": [{"path": one.path, "sha256": one.sha256} for one in found],
        "problems": [_record(problem) for one in found for problem in one.reported],
    }


def _record(found: Problem) -> dict[str, object]:
    """Return a problem with its position and fixes; `heat_message` and `family` only if they add something."""
    made: dict[str, object] = {
        "path": found.path,
        "code": found.code,
        "severity": found.severity.word,
        "message": found.message,
        "range": _range(found.range),
        "resource": found.resource,
        "property": found.property,
        "fingerprint": found.fingerprint,
        "related": [{"message": message, "range": _range(range_)} for message, range_ in found.related],
        "fixes": list(map(_fix, found.fixes)),
    }
    made |= {"heat_message": found.heat} if found.heat else {}
    return made | {"family": found.family} if found.family else made


def _fix(fix: ReportedFix) -> dict[str, object]:
    return {"title": fix.title, "applicability": fix.applicability, "edits": list(map(edit_record, fix.edits))}


def edit_record(edit: ReportedEdit) -> dict[str, object]:
    """Return an edit with its range."""
    return {"range": _range(edit.range), "text": edit.text}


def _range(range_: PositionRange) -> dict[str, object]:
    return {"start": range_.start._asdict(), "end": range_.end._asdict()}


class Annotation(Markup):
    """A workflow command of GitHub Actions, whose properties have more special characters than its message."""

    __slots__ = ()

    @classmethod
    def property(cls, name: str, value: object) -> Self:
        """Return a property."""
        return cls(f"{name}={cls.escape(value).replace(':', '%3A').replace(',', '%2C')}")

    @classmethod
    def _escape(cls, text: str) -> str:
        return text.replace("%", "%25")


def as_github(reports: Iterable[FileReport]) -> Iterator[Annotation]:
    """Yield workflow commands for GitHub Actions, which annotate lines of a pull request."""
    for report in reports:
        for found in report.reported:
            start, end = found.range
            places: dict[str, object] = {"file": found.path, "line": start.line + 1, "endLine": end.line + 1}
            if start.line == end.line:
                places |= {"col": start.character + 1, "endColumn": end.character + 1}
            places["title"] = found.code
            known = Annotation(",").join(Annotation.property(*place) for place in places.items())
            yield Annotation("::{} {}::{}").fill(_COMMANDS.get(found.severity, "notice"), known, found.message)


def as_junit(reports: Iterable[FileReport]) -> Xml:
    """Return a test suite per file with a case per problem, failed for errors, or one passed case without problems."""
    return junit(map(_suite, reports))


def junit(suites: Iterable[Xml]) -> Xml:
    """Return a JUnit report with suites."""
    head = Xml('<?xml version="1.0" encoding="utf-8"?>\n<testsuites name="heatstudio">\n')
    return Xml("{}{}</testsuites>").fill(head, Xml("").join(suites))


def junit_suite(name: str, cases: Sequence[Xml], failures: int) -> Xml:
    """Return a suite with its cases."""
    suite = Xml('  <testsuite name="{}" tests="{}" failures="{}" errors="0">\n{}  </testsuite>\n')
    return suite.fill(name, len(cases), failures, Xml("").join(cases))


def _suite(report: FileReport) -> Xml:
    problems = list(report.reported)
    failures = sum(one.severity is Severity.ERROR for one in problems)
    passed = Xml('    <testcase classname="{}" name="no problems" />\n').fill(report.path)
    return junit_suite(report.path, [*map(_case, problems)] or [passed], failures)


def _case(found: Problem) -> Xml:
    line, character = found.range.start
    text = f"{found.path}:{line + 1}:{character + 1}: {found.severity.word}: {found.message} [{found.code}]"
    output = Xml("<system-out>{}</system-out>").fill(text)
    if found.severity is Severity.ERROR:
        output = Xml('<failure message="{}" type="{}">{}</failure>').fill(found.message, found.code, text)
    case = Xml('    <testcase classname="{}" name="{} {}:{}">{}</testcase>\n')
    return case.fill(found.path, found.code, line + 1, character + 1, output)
