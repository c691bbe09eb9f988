"""Findings in the format that code scanners exchange (OASIS, Static Analysis Results Interchange Format 2.1.0)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

from heatstudio import __version__
from heatstudio.analysis import Analysis, Diagnostic
from heatstudio.analysis.pages import pages
from heatstudio.analysis.scope.finding import Place
from heatstudio.text import Elsewhere, Fix, LineIndex, Position, Severity, Span

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_BASE = "%SRCROOT%"
_BASES = {_BASE: {"description": {"text": "The working directory of the check."}}}
"""What relative names start from; where that folder is on some machine is nobody's business (3.14.14)."""
_FINGERPRINT = "codeAndPath/v1"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFORMATION: "note", Severity.HINT: "note"}


def sarif(checked: Sequence[tuple[Path, Analysis]], complete: bool) -> dict[str, object]:
    """One run with all findings; it holds what comments suppress, too. `complete`: every file could be read."""
    codes = sorted({found.code for _, analysis in checked for found in (*analysis.diagnostics, *analysis.suppressed)})
    places = {code: index for index, code in enumerate(codes)}
    results = [result for path, analysis in checked for result in _File(path, analysis, places).results()]
    driver = {"name": "Heat Studio", "semanticVersion": __version__, "rules": _rules(codes)}
    run = {
        "tool": {"driver": driver},
        "invocations": [{"executionSuccessful": complete}],
        "originalUriBaseIds": _BASES,
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _artifact(path: Path) -> dict[str, str]:
    if path.is_absolute():
        return {"uri": path.as_uri()}
    return {"uri": quote(path.as_posix(), errors="surrogateescape"), "uriBaseId": _BASE}


def _location_elsewhere(where: Elsewhere) -> dict[str, object]:
    return {"artifactLocation": _artifact(Path(where.file)), "region": _between(where.start, where.end, 0)}


def _between(start: Position, end: Position, mark: int) -> dict[str, int]:
    """Lines and columns from 1; the first `mark` characters of the text are no columns."""
    return {
        "startLine": start.line + 1,
        "startColumn": max(1, start.character + 1 - (mark if start.line == 0 else 0)),
        "endLine": end.line + 1,
        "endColumn": max(1, end.character + 1 - (mark if end.line == 0 else 0)),
    }


def _rules(codes: Sequence[str]) -> list[dict[str, object]]:
    known = pages()
    return [_rule(code, known.get(code, code)) for code in codes]


def _rule(code: str, page: str) -> dict[str, object]:
    title = page.partition("\n")[0].lstrip("# ")
    return {"id": code, "shortDescription": {"text": title}, "help": {"text": page, "markdown": page}}


class _File:
    """The findings of one file."""

    def __init__(self, path: Path, analysis: Analysis, rules: dict[str, int]) -> None:
        self._artifact = _artifact(path)
        self._analysis = analysis
        self._rules = rules
        self._lines = LineIndex(analysis.template.text)
        self._marked = analysis.template.text.startswith("\ufeff")
        self._seen: Counter[str] = Counter()

    def results(self) -> Iterator[dict[str, object]]:
        """What is reported, then what is suppressed."""
        for found in self._analysis.diagnostics:
            yield self._result(found)
        for found in self._analysis.suppressed:
            yield {**self._result(found), "suppressions": [{"kind": "inSource"}]}

    def _result(self, found: Diagnostic) -> dict[str, object]:
        result: dict[str, object] = {
            "ruleId": found.code,
            "ruleIndex": self._rules[found.code],
            "level": _LEVELS[found.severity],
            "message": {"text": found.message},
            "locations": [{"physicalLocation": self._location(found.span)}],
        }
        if found.elsewhere is not None:
            result["locations"] = [{"physicalLocation": _location_elsewhere(found.elsewhere)}]
        if found.finding is not None:
            where = found.finding.environment
            place = found.finding.place if where is None else where.place
            result["partialFingerprints"] = {_FINGERPRINT: self._fingerprint(found.code, place)}
        related = [*((found.message, span) for span in found.also), *found.related]
        if related:
            result["relatedLocations"] = [
                {"id": number, "message": {"text": message}, "physicalLocation": self._location(span)}
                for number, (message, span) in enumerate(related)
            ]
        fixes = [self._fix(fix) for fix in self._analysis.fixes(found) if fix.edits]
        if fixes:
            result["fixes"] = fixes
        properties = {"resource": found.resource, "property": found.property, "heat_message": found.heat or None}
        known = {name: value for name, value in properties.items() if value is not None}
        return {**result, "properties": known} if known else result

    def _fingerprint(self, code: str, place: Place) -> str:
        """What a finding is known by when lines move: its code, its path, and which of several there it is."""
        text = json.dumps([code, [str(step) for step in place.path], place.part.name])
        self._seen[text] += 1
        return f"{sha256(text.encode()).hexdigest()[:16]}:{self._seen[text]}"

    def _fix(self, fix: Fix) -> dict[str, object]:
        replacements = [
            {"deletedRegion": self._region(edit.span), "insertedContent": {"text": edit.text}} for edit in fix.edits
        ]
        change = {"artifactLocation": self._artifact, "replacements": replacements}
        return {
            "description": {"text": fix.title},
            "artifactChanges": [change],
            "properties": {"applicability": fix.applicability.word},
        }

    def _location(self, span: Span) -> dict[str, object]:
        return {"artifactLocation": self._artifact, "region": self._region(span)}

    def _region(self, span: Span) -> dict[str, int]:
        """The place of a span; a byte order mark is no column."""
        return _between(self._lines.position(span.start), self._lines.position(span.end), int(self._marked))
