"""Convert a list of diagnostics to a tree, without Qt."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from heatstudio.text import CheckFamily, LineIndex, Severity, Span
from heatstudio.ui.widgets.tree_model import Branch

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.analysis.scope.finding import Diagnostic

NO_RESOURCE = "Template"
_MOST_ALIKE = 5
"""The maximum number of similar rows in a group; more share a collapsed row."""
_NAMES = re.compile(r"(`[^`]*`|\d+)")
"""The parts that differ between similar messages."""
SEVERITY_TITLES = {
    Severity.ERROR: "Errors",
    Severity.WARNING: "Warnings",
    Severity.INFORMATION: "Information",
    Severity.HINT: "Hints",
}


class Grouping(StrEnum):
    """The grouping of the problems pane."""

    SEVERITY = "Severity"
    CODE = "Code"
    RESOURCE = "Resource"
    FILE = "File"
    NONE = "Nothing"


class Scope(StrEnum):
    """The scope of the problems pane."""

    CURRENT = "This file"
    OPEN = "All open files"
    FOLDER = "Open folder"


class ProblemFile(NamedTuple):
    """One of the files with listed problems: its display name and its identity."""

    name: str = ""
    number: int = 0
    is_said: bool = False
    """Whether a row must name its file."""


_ONLY_FILE = ProblemFile()


class RelatedRow(NamedTuple):
    """A related position of a problem, with its line (counted from 1)."""

    words: str
    span: Span
    line: int


class ProblemRow(NamedTuple):
    """A diagnostic and the line (counted from 1) it is shown at."""

    diagnostic: Diagnostic
    line: int
    file: ProblemFile = _ONLY_FILE
    related: tuple[RelatedRow, ...] = ()

    @property
    def place(self) -> str:
        """The known resource and property."""
        return ".".join(part for part in (self.diagnostic.resource, self.diagnostic.property) if part)

    @property
    def where(self) -> str:
        """The file if it must be named, and the place in it."""
        return " \u00b7 ".join(part for part in (self.file.is_said and self.file.name, self.place) if part)


class RelatedPlace(NamedTuple):
    """A row below a problem."""

    problem: ProblemRow
    related: RelatedRow


class ProblemGroup(NamedTuple):
    """The title of a group with the number of rows below it."""

    title: str
    size: int
    gravest: Severity
    is_kind: bool = False
    """Whether the rows have similar messages; the group is then initially collapsed."""


def problem_rows(
    diagnostics: Iterable[Diagnostic],
    lines: LineIndex,
    query: str,
    hidden: Collection[Severity | CheckFamily] = (),
    file: ProblemFile = _ONLY_FILE,
) -> list[ProblemRow]:
    """Return the rows, without hidden severities and families, that contain every word of the query, in text order."""
    words = query.casefold().split()
    wanted = (one for one in diagnostics if one.severity not in hidden and one.family not in hidden)
    chosen = [_row(diagnostic, lines, file) for diagnostic in wanted]
    chosen.sort(key=lambda row: row.diagnostic.span)
    return [row for row in chosen if _contains(row, words)] if words else chosen


def _row(diagnostic: Diagnostic, lines: LineIndex, file: ProblemFile) -> ProblemRow:
    where = diagnostic.elsewhere
    if where is not None:
        return ProblemRow(diagnostic, where.start.line + 1, ProblemFile(Path(where.file).name, file.number, True))
    related = (RelatedRow(words, span, lines.position(span.start).line + 1) for words, span in diagnostic.related)
    return ProblemRow(diagnostic, lines.position(diagnostic.span.start).line + 1, file, tuple(related))


def _contains(row: ProblemRow, words: Sequence[str]) -> bool:
    said = f"{row.diagnostic.message} {row.diagnostic.code} {row.where}".casefold()
    return all(word in said for word in words)


def group_rows(rows: Sequence[ProblemRow], grouping: Grouping, *, folds: bool = True) -> list[Branch]:
    """Group rows, in their order, into branches sorted by severity or name; `folds` combines many similar rows."""
    branches = _kinds if folds else _branches
    if grouping is Grouping.NONE:
        return branches(rows)
    groups: dict[tuple[int, str], list[ProblemRow]] = {}
    for row in rows:
        groups.setdefault(_group_key(row, grouping), []).append(row)
    return [Branch(_group(title, members), tuple(branches(members))) for (_, title), members in sorted(groups.items())]


def _group_key(row: ProblemRow, grouping: Grouping) -> tuple[int, str]:
    diagnostic = row.diagnostic
    if grouping is Grouping.SEVERITY:
        return diagnostic.severity, SEVERITY_TITLES[diagnostic.severity]
    if grouping is Grouping.CODE:
        return 0, diagnostic.code
    if grouping is Grouping.FILE:
        return row.file.number, row.file.name
    return (1, diagnostic.resource) if diagnostic.resource else (0, NO_RESOURCE)


def _kinds(rows: Sequence[ProblemRow]) -> list[Branch]:
    """Combine many rows with the same code and similar messages at the position of the first."""
    kinds: dict[tuple[str, str], list[ProblemRow]] = {}
    keys = [(row.diagnostic.code, _NAMES.sub("\u2026", row.diagnostic.message)) for row in rows]
    for row, key in zip(rows, keys, strict=True):
        kinds.setdefault(key, []).append(row)
    found: list[Branch] = []
    for row, key in zip(rows, keys, strict=True):
        alike = kinds[key]
        if len(alike) <= _MOST_ALIKE:
            found += _branches((row,))
        elif row is alike[0]:
            group = _group(_common(alike), alike)._replace(is_kind=True)
            found.append(Branch(group, tuple(_branches(alike))))
    return found


def _common(alike: Sequence[ProblemRow]) -> str:
    """Return the common parts of similar messages, with ellipses for the others."""
    messages = {row.diagnostic.message for row in alike}
    parts = zip(*map(_NAMES.split, messages), strict=True)
    words = "".join(part[0] if len(set(part)) == 1 else "\u2026" for part in parts)
    return words.removesuffix(".") if words.endswith("\u2026.") else words


def _branches(rows: Iterable[ProblemRow]) -> list[Branch]:
    return [Branch(row, tuple(Branch(RelatedPlace(row, related)) for related in row.related)) for row in rows]


def _group(title: str, members: Sequence[ProblemRow]) -> ProblemGroup:
    return ProblemGroup(title, len(members), min(row.diagnostic.severity for row in members))
