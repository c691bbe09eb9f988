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
from heatstudio.analysis.checks import pages
from heatstudio.analysis.finding import Place
from heatstudio.text import Fix, LineIndex, Severity, Span

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_BASE = "%SRCROOT%"
_BASES = {_BASE: {"description": {"text": "The folder in which the check was started."}}}
"""What relative names start from; where that folder is on some machine is nobody's business (3.14.14)."""
_FINGERPRINT = "codeAndPath/v1"
_LEVELS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "note",
    Severity.HINT: "note",
}


def sarif(checked: Sequence[tuple[Path, Analysis]], complete: bool) -> dict[str, object]:
    """One run with all findings; what comments mute is in it as suppressed. `complete`: every file could be read."""
    codes = sorted({found.code for _, analysis in checked for found in (*analysis.diagnostics, *analysis.muted)})
    places = {code: index for index, code in enumerate(codes)}
    results = [result for path, analysis in checked for result in _File(path, analysis, places).results()]
    driver = {
        "name": "Heat Studio",
        "semanticVersion": __version__,
        "rules": _rules(codes),
    }
    run = {
        "tool": {"driver": driver},
        "invocations": [{"executionSuccessful": complete}],
        "originalUriBaseIds": _BASES,
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _relative(path: Path) -> dict[str, str]:
    return {"uri": quote(path.as_posix()), "uriBaseId": _BASE}


def _rules(codes: Sequence[str]) -> list[dict[str, object]]:
    known = pages()
    return [_rule(code, known.get(code, code)) for code in codes]


def _rule(code: str, page: str) -> dict[str, object]:
    title = page.partition("\n")[0].lstrip("# ")
    return {"id": code, "shortDescription": {"text": title}, "help": {"text": page, "markdown": page}}


class _File:
    """The findings of one file."""

    def __init__(self, path: Path, analysis: Analysis, rules: dict[str, int]) -> None:
        self._artifact = {"uri": path.as_uri()} if path.is_absolute() else _relative(path)
        self._analysis = analysis
        self._rules = rules
        self._lines = LineIndex(analysis.template.text)
        self._marked = analysis.template.text.startswith("\ufeff")
        self._seen: Counter[str] = Counter()

    def results(self) -> Iterator[dict[str, object]]:
        """What is told, then what is muted."""
        for found in self._analysis.diagnostics:
            yield self._result(found)
        for found in self._analysis.muted:
            yield {**self._result(found), "suppressions": [{"kind": "inSource"}]}

    def _result(self, found: Diagnostic) -> dict[str, object]:
        result: dict[str, object] = {
            "ruleId": found.code,
            "ruleIndex": self._rules[found.code],
            "level": _LEVELS[found.severity],
            "message": {"text": found.message},
            "locations": [{"physicalLocation": self._location(found.span)}],
        }
        if found.finding is not None:
            result["partialFingerprints"] = {_FINGERPRINT: self._fingerprint(found.code, found.finding.place)}
        related = [*((found.message, span) for span in found.also), *found.related]
        if related:
            result["relatedLocations"] = [
                {"id": number, "message": {"text": message}, "physicalLocation": self._location(span)}
                for number, (message, span) in enumerate(related)
            ]
        fixes = [self._fix(fix) for fix in self._analysis.fixes(found) if fix.edits]
        if fixes:
            result["fixes"] = fixes
        properties = {"resource": found.resource, "property": found.property, "heat": found.heat or None}
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
        """Lines and columns from 1; a byte order mark is no column."""
        start, end = self._lines.position(span.start), self._lines.position(span.end)
        return {
            "startLine": start.line + 1,
            "startColumn": max(1, start.character + 1 - (self._marked and start.line == 0)),
            "endLine": end.line + 1,
            "endColumn": max(1, end.character + 1 - (self._marked and end.line == 0)),
        }
