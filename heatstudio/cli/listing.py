"""Findings as lines of text, in a terminal with the line that each is about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from unicodedata import category, east_asian_width

from heatstudio.analysis import Analysis
from heatstudio.text import LineIndex, Severity, Span, counted

_WIDEST = 160
"""Columns of a line that are shown at most."""
_BEFORE = 40
"""Columns that are shown before the place, where a line is cut."""
_PLURALS = {Severity.INFORMATION: "information"}


def listing(checked: Sequence[tuple[Path, Analysis]], *, with_source: bool) -> Iterator[str]:
    """One line for each finding; `with_source` adds the line of the template and a caret under the place."""
    index_of = cache(LineIndex)
    for path, analysis in checked:
        own = index_of(analysis.template.text)
        for found in analysis.diagnostics:
            file, text, span, lines = str(path), analysis.template.text, found.span, own
            if found.elsewhere is not None:
                file, span, *_ = found.elsewhere
                text = analysis.environment_text(file)
                lines = index_of(text)
            line, character = lines.position(span.start)
            place = f"{file}:{line + 1}:{character + 1}"
            yield printable(f"{place}: {found.severity.word}: {found.message} [{found.code}]")
            if with_source:
                yield from excerpt(text, lines.line_span(line), span)


def count_line(checked: Sequence[tuple[Path, Analysis]]) -> str:
    """How many findings there are of each severity, in how many files."""
    counts = Counter(found.severity for _, analysis in checked for found in analysis.diagnostics)
    reported = [counted(counts[severity], severity.word, _PLURALS.get(severity, "")) for severity in sorted(counts)]
    suppressed = sum(len(analysis.suppressed) for _, analysis in checked)
    return f"{', '.join(reported) or 'No problems'} in {counted(len(checked), 'file')}" + (
        f" ({suppressed} suppressed)." if suppressed else "."
    )


def excerpt(text: str, line: Span, place: Span) -> Iterator[str]:
    """The line, cut if it is long, and a caret under each column of the place."""
    start = line.start if line.end - line.start <= _WIDEST else max(line.start, place.start - _BEFORE)
    shown = text[start : min(line.end, start + _WIDEST)].rstrip()
    if not shown:
        return
    before = printable(shown[: place.start - start])
    marked = printable(shown[place.start - start : max(place.end - start, 0)])
    yield f"    {printable(shown)}"
    yield f"    {_blank(before)}{'^' * max(1, _columns(marked))}"


def printable(text: str) -> str:
    """One line without anything that a terminal would take for a command."""
    return "".join("\N{REPLACEMENT CHARACTER}" if category(sign) == "Cc" and sign != "\t" else sign for sign in text)


def _blank(text: str) -> str:
    return "".join("\t" if sign == "\t" else " " * _columns(sign) for sign in text)


def _columns(text: str) -> int:
    """How wide a terminal shows a text."""
    return sum(0 if category(sign) in {"Mn", "Me", "Cf"} else 1 + (east_asian_width(sign) in "WF") for sign in text)
