"""One finding as JSON."""

from __future__ import annotations

from pathlib import Path

from heatstudio.analysis import Analysis, Diagnostic
from heatstudio.text import LineIndex, Span


def record(path: Path, analysis: Analysis, found: Diagnostic) -> dict[str, object]:
    """The finding with its place and ways out; `heat` is there where Heat says it in other words."""
    made: dict[str, object] = {
        "path": str(path),
        "code": found.code,
        "severity": found.severity.word,
        "message": found.message,
        "range": _range(LineIndex(analysis.template.text), found.span),
        "resource": found.resource,
        "property": found.property,
        "fixes": [{"title": fix.title, "applicability": fix.applicability.word} for fix in analysis.fixes(found)],
    }
    return {**made, "heat": found.heat} if found.heat else made


def _range(lines: LineIndex, span: Span) -> dict[str, object]:
    start, end = lines.position(span.start), lines.position(span.end)
    return {"start": start._asdict(), "end": end._asdict()}
