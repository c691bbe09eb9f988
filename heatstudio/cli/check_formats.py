"""Machine-readable reports: JSON, GitHub annotations, and JUnit XML."""

from collections.abc import Iterable, Iterator
from xml.etree import ElementTree

from heatstudio import __version__
from heatstudio.cli.problem_lines import printable
from heatstudio.service.pool.file_report import FileReport, PositionRange, Problem, ReportedFix
from heatstudio.text import Severity

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
    """Return a problem with its position and fixes, and with `heat_message` only if Heat's message differs."""
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
    return {**made, "heat_message": found.heat} if found.heat else made


def _fix(fix: ReportedFix) -> dict[str, object]:
    edits = [{"range": _range(edit.range), "text": edit.text} for edit in fix.edits]
    return {"title": fix.title, "applicability": fix.applicability, "edits": edits}


def _range(range_: PositionRange) -> dict[str, object]:
    return {"start": range_.start._asdict(), "end": range_.end._asdict()}


def as_github(reports: Iterable[FileReport]) -> Iterator[str]:
    """Yield workflow commands for GitHub Actions, which annotate lines of a pull request."""
    for report in reports:
        for found in report.reported:
            start, end = found.range
            places = {"file": found.path, "line": start.line + 1, "endLine": end.line + 1}
            if start.line == end.line:
                places |= {"col": start.character + 1, "endColumn": end.character + 1}
            known = ",".join(f"{name}={_property(str(value))}" for name, value in places.items())
            command = _COMMANDS.get(found.severity, "notice")
            yield f"::{command} {known},title={_property(found.code)}::{_data(found.message)}"


def _data(text: str) -> str:
    return printable(text).replace("%", "%25")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def as_junit(reports: Iterable[FileReport]) -> str:
    """Return a test suite per file with a case per problem, failed for errors, or one passed case without problems."""
    root = ElementTree.Element("testsuites", name="heatstudio")
    for report in reports:
        problems = list(report.reported)
        failures = sum(one.severity is Severity.ERROR for one in problems)
        counts = {"tests": str(max(1, len(problems))), "failures": str(failures), "errors": "0"}
        suite = ElementTree.SubElement(root, "testsuite", {"name": printable(report.path), **counts})
        if not problems:
            ElementTree.SubElement(suite, "testcase", classname=printable(report.path), name="no problems")
        for found in problems:
            _case(suite, found)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(root, encoding="unicode")


def _case(suite: ElementTree.Element, found: Problem) -> None:
    line, character = found.range.start
    name = f"{found.code} {line + 1}:{character + 1}"
    case = ElementTree.SubElement(suite, "testcase", classname=printable(found.path), name=name)
    text = printable(f"{found.path}:{line + 1}:{character + 1}: {found.severity.word}: {found.message} [{found.code}]")
    if found.severity is Severity.ERROR:
        ElementTree.SubElement(case, "failure", message=printable(found.message), type=found.code).text = text
    else:
        ElementTree.SubElement(case, "system-out").text = text
