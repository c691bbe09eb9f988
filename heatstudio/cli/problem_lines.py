"""Problems as lines of text, optionally with the source line."""

from collections.abc import Iterable, Iterator
from unicodedata import category, east_asian_width

from heatstudio.service.pool.file_report import FileReport, SourceLine
from heatstudio.text.invisible import visible


def listing(reports: Iterable[FileReport], *, with_source: bool) -> Iterator[str]:
    """Yield one line for each problem; `with_source` adds the source line with carets below the problem."""
    for report in reports:
        for found in report.reported:
            line, character = found.range.start
            place = f"{found.path}:{line + 1}:{character + 1}"
            yield f"{place}: {found.severity.word}: {found.message} [{found.code}]"
            if with_source and found.source.text:
                yield from excerpt(found.source)


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
