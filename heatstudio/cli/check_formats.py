"""The formats of reports: lines of text, JSON, SARIF, GitHub annotations, and JUnit XML.

SARIF is the format of code scanners (OASIS, Static Analysis Results Interchange Format 2.1.0).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Self
from unicodedata import category, east_asian_width
from urllib.parse import quote

from heatstudio import __version__
from heatstudio.analysis.pages import pages
from heatstudio.service.pool.file_report import FileReport, Problem, ReportedEdit, ReportedFix, SourceLine, TextRange
from heatstudio.text import CheckFamily, Severity, counted
from heatstudio.text.invisible import visible
from heatstudio.text.markup import Markup, Xml

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_BASE = "%SRCROOT%"
_BASES = {_BASE: {"description": {"text": "The working directory of the check."}}}
"""The base of relative URIs, which does not disclose the absolute folder (SARIF 3.14.14)."""
_FINGERPRINT = "codeAndPath/v1"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFORMATION: "note", Severity.HINT: "note"}
_SHARED = ("unknown-type", "nested-template")
"""The codes of problems whose cause is outside the file."""

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


def _range(range_: TextRange) -> dict[str, object]:
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


def listing(
    reports: Iterable[FileReport], *, with_source: bool, folds: bool = False, counts_advice: bool = False
) -> Iterator[str]:
    """Yield one line for each problem; `with_source` adds the source line with carets below the problem.

    If it `folds`, yield problems of several files with the same cause once, and their numbers at the end. If it
    `counts_advice`, yield only the numbers of advice that is not raised to a warning.
    """
    places: dict[str, list[str]] = {}
    advice = Counter[str]()
    for report in reports:
        for found in report.reported:
            if counts_advice and found.family is CheckFamily.ADVICE and found.severity >= Severity.INFORMATION:
                advice[found.code] += 1
                continue
            text = f"{found.severity.word}: {found.message} [{found.code}]"
            if folds and found.code in _SHARED:
                places.setdefault(text, []).append(found.path)
                if len(places[text]) > 1:
                    continue
            line, character = found.range.start
            place = f"{found.path}:{line + 1}:{character + 1}"
            yield f"{place}: {text}"
            if with_source and found.source.text:
                yield from excerpt(found.source)
    if advice:
        numbers = ", ".join(f"{number:,} {code}" for code, number in advice.most_common())
        yield f"Advice: {numbers}. To list it, add --advice, or check a single file."
    for text, paths in places.items():
        if len(paths) > 1:
            yield f"{counted(len(paths) - 1, 'more place')} in {counted(len(set(paths)), 'file')}: {text}"


def excerpt(line: SourceLine) -> Iterator[str]:
    """Yield the source line, and a line with carets below the columns of the problem."""
    start, end = line.span
    yield f"    {visible(line.text)}"
    blank = "".join("\t" if sign == "\t" else " " * _columns(sign) for sign in visible(line.text[:start]))
    yield f"    {blank}{'^' * max(1, _columns(visible(line.text[start:end])))}"


def _columns(text: str) -> int:
    """Return the width of a text in terminal columns."""
    return sum(0 if category(sign) in {"Mn", "Me", "Cf"} else 1 + (east_asian_width(sign) in "WF") for sign in text)


def sarif(reports: Sequence[FileReport], complete: bool) -> dict[str, object]:
    """Return a log with all problems, including suppressed ones; `complete` is whether every file could be read."""
    codes = sorted({found.code for report in reports for found in report.problems})
    places = {code: index for index, code in enumerate(codes)}
    driver = {"name": "Heat Studio", "semanticVersion": __version__, "rules": list(map(_rule, codes))}
    run = {
        "tool": {"driver": driver},
        "invocations": [{"executionSuccessful": complete}],
        "originalUriBaseIds": _BASES,
        "columnKind": "unicodeCodePoints",
        "results": [_result(found, report, places) for report in reports for found in report.problems],
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _artifact(path: Path) -> dict[str, str]:
    if path.is_absolute():
        return {"uri": path.as_uri()}
    return {"uri": quote(path.as_posix(), errors="surrogateescape"), "uriBaseId": _BASE}


def _rule(code: str) -> dict[str, object]:
    page = pages().get(code, code)
    title = page.partition("\n")[0].lstrip("# ")
    return {"id": code, "shortDescription": {"text": title}, "help": {"text": page, "markdown": page}}


def _result(found: Problem, report: FileReport, rules: Mapping[str, int]) -> dict[str, object]:
    result: dict[str, object] = {
        "ruleId": found.code,
        "ruleIndex": rules[found.code],
        "level": _LEVELS[found.severity],
        "message": {"text": found.message},
        "locations": [{"physicalLocation": _location(found.path, found.range)}],
        "partialFingerprints": {_FINGERPRINT: found.fingerprint},
    }
    if found.related:
        result["relatedLocations"] = [
            {"id": number, "message": {"text": message}, "physicalLocation": _location(report.path, range_)}
            for number, (message, range_) in enumerate(found.related)
        ]
    fixes = [_sarif_fix(report.path, fix) for fix in found.fixes if fix.edits]
    if fixes:
        result["fixes"] = fixes
    if found.is_suppressed:
        result["suppressions"] = [{"kind": "inSource"}]
    properties: dict[str, object] = {"resource": found.resource, "property": found.property}
    properties |= {"heat_message": found.heat or None, "tags": [found.family] if found.family else None}
    known = {name: value for name, value in properties.items() if value is not None}
    return {**result, "properties": known} if known else result


def _sarif_fix(path: str, fix: ReportedFix) -> dict[str, object]:
    replacements = [
        {"deletedRegion": _region(edit.range), "insertedContent": {"text": edit.text}} for edit in fix.edits
    ]
    change = {"artifactLocation": _artifact(Path(path)), "replacements": replacements}
    return {
        "description": {"text": fix.title},
        "artifactChanges": [change],
        "properties": {"applicability": fix.applicability},
    }


def _location(path: str, range_: TextRange) -> dict[str, object]:
    return {"artifactLocation": _artifact(Path(path)), "region": _region(range_)}


def _region(range_: TextRange) -> dict[str, int]:
    """Return a region with one-based lines and columns."""
    start, end = range_
    return {
        "startLine": start.line + 1,
        "startColumn": start.character + 1,
        "endLine": end.line + 1,
        "endColumn": end.character + 1,
    }
