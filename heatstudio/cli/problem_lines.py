"""Problems as lines of text, optionally with the source line."""

from collections import Counter
from collections.abc import Iterable, Iterator
from unicodedata import category, east_asian_width

from heatstudio.service.pool.file_report import FileReport, SourceLine
from heatstudio.text import CheckFamily, Severity, counted
from heatstudio.text.invisible import visible

_SHARED = ("unknown-type", "nested-template")
"""The codes of problems whose cause is outside the file."""


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
    yield f"    {_blank(visible(line.text[:start]))}{'^' * max(1, _columns(visible(line.text[start:end])))}"


def _blank(text: str) -> str:
    return "".join("\t" if sign == "\t" else " " * _columns(sign) for sign in text)


def _columns(text: str) -> int:
    """Return the width of a text in terminal columns."""
    return sum(0 if category(sign) in {"Mn", "Me", "Cf"} else 1 + (east_asian_width(sign) in "WF") for sign in text)
