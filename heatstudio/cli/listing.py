"""Findings as lines of text, in a terminal with the line that each is about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from unicodedata import category, east_asian_width

from heatstudio.analysis import Analysis
from heatstudio.text import LineIndex, Severity, Span

_WIDEST = 160
"""Columns of a line that are shown at most."""
_BEFORE = 40
"""Columns that are shown before the place, where a line is cut."""
_NOUNS = {
    Severity.ERROR: ("error", "errors"),
    Severity.WARNING: ("warning", "warnings"),
    Severity.INFORMATION: ("information", "information"),
    Severity.HINT: ("hint", "hints"),
}


def listing(checked: Sequence[tuple[Path, Analysis]], *, with_source: bool) -> Iterator[str]:
    """One line for each finding; `with_source` adds the line of the template and a caret under the place."""
    for path, analysis in checked:
        text = analysis.template.text
        lines = LineIndex(text)
        for found in analysis.diagnostics:
            line, character = lines.position(found.span.start)
            place = f"{path}:{line + 1}:{character + 1}"
            yield _printable(f"{place}: {found.severity.word}: {found.message} [{found.code}]")
            if with_source:
                yield from excerpt(text, lines.line_span(line), found.span)


def count_line(checked: Sequence[tuple[Path, Analysis]]) -> str:
    """How many findings there are of each severity, in how many files."""
    counts = Counter(found.severity for _, analysis in checked for found in analysis.diagnostics)
    told = [f"{counts[severity]} {_NOUNS[severity][counts[severity] != 1]}" for severity in sorted(counts)]
    muted = sum(len(analysis.muted) for _, analysis in checked)
    files = "1 file" if len(checked) == 1 else f"{len(checked)} files"
    return f"{', '.join(told) or 'Nothing found'} in {files}" + (f" ({muted} muted)." if muted else ".")


def excerpt(text: str, line: Span, place: Span) -> Iterator[str]:
    """The line, cut if it is long, and a caret under each column of the place."""
    start = line.start if line.end - line.start <= _WIDEST else max(line.start, place.start - _BEFORE)
    shown = text[start : min(line.end, start + _WIDEST)].rstrip()
    if not shown:
        return
    before = _printable(shown[: place.start - start])
    marked = _printable(shown[place.start - start : max(place.end - start, 0)])
    yield f"    {_printable(shown)}"
    yield f"    {_blank(before)}{'^' * max(1, _columns(marked))}"


def _printable(text: str) -> str:
    """One line without anything that a terminal would take for a command."""
    return "".join("\N{REPLACEMENT CHARACTER}" if category(sign) == "Cc" and sign != "\t" else sign for sign in text)


def _blank(text: str) -> str:
    return "".join("\t" if sign == "\t" else " " * _columns(sign) for sign in text)


def _columns(text: str) -> int:
    """How wide a terminal shows a text."""
    return sum(0 if category(sign) in {"Mn", "Me", "Cf"} else 1 + (east_asian_width(sign) in "WF") for sign in text)
