"""Problems as lines of text, optionally with the source line."""

from collections.abc import Iterable, Iterator
from unicodedata import category, east_asian_width

from heatstudio.service.pool.file_report import FileReport, SourceLine


def listing(reports: Iterable[FileReport], *, with_source: bool) -> Iterator[str]:
    """Yield one line for each problem; `with_source` adds the source line with carets below the problem."""
    for report in reports:
        for found in report.reported:
            line, character = found.range.start
            place = f"{found.path}:{line + 1}:{character + 1}"
            yield printable(f"{place}: {found.severity.word}: {found.message} [{found.code}]")
            if with_source and found.source.text:
                yield from excerpt(found.source)


def excerpt(line: SourceLine) -> Iterator[str]:
    """Yield the source line, and a line with carets below the columns of the problem."""
    start, end = line.span
    yield f"    {printable(line.text)}"
    yield f"    {_blank(printable(line.text[:start]))}{'^' * max(1, _columns(printable(line.text[start:end])))}"


def printable(text: str) -> str:
    """Return the text without control characters, which a terminal could interpret."""
    if text.isprintable():
        return text
    return "".join("\N{REPLACEMENT CHARACTER}" if category(sign) == "Cc" and sign != "\t" else sign for sign in text)


def _blank(text: str) -> str:
    return "".join("\t" if sign == "\t" else " " * _columns(sign) for sign in text)


def _columns(text: str) -> int:
    """Return the width of a text in terminal columns."""
    return sum(0 if category(sign) in {"Mn", "Me", "Cf"} else 1 + (east_asian_width(sign) in "WF") for sign in text)
