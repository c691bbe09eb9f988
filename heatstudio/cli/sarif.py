"""Problems in SARIF, the format of code scanners (OASIS, Static Analysis Results Interchange Format 2.1.0)."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import quote

from heatstudio import __version__
from heatstudio.analysis.pages import pages
from heatstudio.service.pool.file_report import FileReport, PositionRange, Problem, ReportedFix
from heatstudio.text import Severity

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_BASE = "%SRCROOT%"
_BASES = {_BASE: {"description": {"text": "The working directory of the check."}}}
"""The base of relative URIs, which does not disclose the absolute folder (SARIF 3.14.14)."""
_FINGERPRINT = "codeAndPath/v1"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFORMATION: "note", Severity.HINT: "note"}


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
    fixes = [_fix(report.path, fix) for fix in found.fixes if fix.edits]
    if fixes:
        result["fixes"] = fixes
    if found.is_suppressed:
        result["suppressions"] = [{"kind": "inSource"}]
    properties: dict[str, object] = {"resource": found.resource, "property": found.property}
    properties |= {"heat_message": found.heat or None, "tags": [found.family] if found.family else None}
    known = {name: value for name, value in properties.items() if value is not None}
    return {**result, "properties": known} if known else result


def _fix(path: str, fix: ReportedFix) -> dict[str, object]:
    replacements = [
        {"deletedRegion": _region(edit.range), "insertedContent": {"text": edit.text}} for edit in fix.edits
    ]
    change = {"artifactLocation": _artifact(Path(path)), "replacements": replacements}
    return {
        "description": {"text": fix.title},
        "artifactChanges": [change],
        "properties": {"applicability": fix.applicability},
    }


def _location(path: str, range_: PositionRange) -> dict[str, object]:
    return {"artifactLocation": _artifact(Path(path)), "region": _region(range_)}


def _region(range_: PositionRange) -> dict[str, int]:
    """Return a region with one-based lines and columns."""
    start, end = range_
    return {
        "startLine": start.line + 1,
        "startColumn": start.character + 1,
        "endLine": end.line + 1,
        "endColumn": end.character + 1,
    }
