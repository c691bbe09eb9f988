"""The rows of the problems pane as a tree, in groups; the rows of unchanged texts are reused."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from collections.abc import Set as AbstractSet
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from heatstudio.text import CheckFamily, LineIndex, Severity, Span
from heatstudio.ui.documents.document import Document, shown_names
from heatstudio.ui.widgets.tree_model import Branch
from heatstudio.ui.workspace.folder_problems import FolderProblems
from heatstudio.ui.workspace.session import Session

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


Place = Document | Path
"""An open document, or the path of a closed file."""
MOST_LISTED = 5000
"""The maximum number of rows, as each is rebuilt after a change."""


class ListedText(NamedTuple):
    """A text whose problems are listed."""

    place: Place
    name: str
    problems: Sequence[Diagnostic] | None
    """The problems of the text; None before the first check."""
    lines: LineIndex


def listed(session: Session, folder: FolderProblems, scope: Scope, current: Document | None) -> list[ListedText]:
    """Return the current document and, depending on the scope, others after it; files of a folder keep their order.

    A template's problem in an environment file is omitted if the environment is listed with the same problem.
    """
    texts = _texts(session, folder, scope, current)
    if not any(one.elsewhere for text in texts for one in text.problems or ()):
        return texts
    own = {_key(text.place, one) for text in texts for one in text.problems or () if one.elsewhere is None}
    return [_without(text, own) if any(one.elsewhere for one in text.problems or ()) else text for text in texts]


def _key(place: Place, one: Diagnostic) -> tuple[str, str, Span]:
    if one.elsewhere is not None:
        return one.elsewhere.file, one.code, one.elsewhere.span
    return str(place.path if isinstance(place, Document) else place), one.code, one.span


def _without(text: ListedText, own: AbstractSet[tuple[str, str, Span]]) -> ListedText:
    kept = tuple(one for one in text.problems or () if one.elsewhere is None or _key(text.place, one) not in own)
    return text._replace(problems=kept)


def _texts(session: Session, folder: FolderProblems, scope: Scope, current: Document | None) -> list[ListedText]:
    if scope is Scope.FOLDER:
        return _in_folder(session, folder, session.root) if session.root is not None else []
    if current is None:
        return []
    others = [one for one in session.documents if one is not current] if scope is Scope.OPEN else []
    names = shown_names(session.documents)
    return [_of(document, names.get(document, document.title)) for document in (current, *others)]


def _of(document: Document, name: str) -> ListedText:
    return ListedText(document, name, document.problems, document.problem_lines)


def _in_folder(session: Session, folder: FolderProblems, root: Path) -> list[ListedText]:
    documents = {one.path: one for one in session.documents if one.path is not None}
    found = []
    for path, name in folder.named:
        document, answer = documents.pop(path, None), folder.about(path)
        if answer is not None and answer.diagnostics and (document is None or document.problems is None):
            found.append(ListedText(document or path, name, answer.diagnostics, answer.lines))
        elif document is not None:
            found.append(_of(document, name))
    inside = (one for path, one in documents.items() if path.is_relative_to(root))
    return found + [_of(one, str(one.path.relative_to(root)) if one.path is not None else "") for one in inside]


class ProblemFilter(NamedTuple):
    """The filter and grouping of the listed problems."""

    query: str
    hidden: frozenset[Severity | CheckFamily]
    """The severities and families that are not listed."""
    grouping: Grouping
    names_files: bool
    """Whether rows name their file."""


class ProblemSection(NamedTuple):
    """The rows of one text."""

    of: tuple[ProblemFilter, ListedText, int]
    rows: Sequence[ProblemRow]
    branches: Sequence[Branch]
    """The branches for the grouping by file; empty for others."""
    counts: Counter[Severity | CheckFamily]
    """The unfiltered number of problems by severity and by family."""
    widest: str
    """The longest text of a position."""


class ProblemTable:
    """A cache of the rows of every text."""

    def __init__(self) -> None:
        self._parts: dict[Place, ProblemSection] = {}
        self.branches: list[Branch] = []
        self.counts: Counter[Severity | CheckFamily] = Counter()
        self.fitting = 0
        """The number of problems that match the filter, including those above the maximum."""
        self.widest = ""

    def fill(self, texts: Iterable[ListedText], wanted: ProblemFilter) -> None:
        """Compute the branches and counts of texts."""
        parts = [self._part(text, number, wanted) for number, text in enumerate(texts)]
        self._parts = {part.of[1].place: part for part in parts}
        self.fitting = sum(len(part.rows) for part in parts)
        self.widest = max((part.widest for part in parts), key=len, default="")
        self.counts = Counter()
        for part in parts:
            self.counts.update(part.counts)
        if wanted.grouping is Grouping.FILE:
            self.branches = self._by_file(parts)
        else:
            rows = (row for part in parts for row in part.rows)
            self.branches = group_rows(list(islice(rows, MOST_LISTED)), wanted.grouping, folds=not wanted.query)

    def _by_file(self, parts: Iterable[ProblemSection]) -> list[Branch]:
        room = MOST_LISTED
        branches: list[Branch] = []
        for part in parts:
            if len(part.rows) <= room:
                branches += part.branches
            elif room:
                branches += group_rows(part.rows[:room], Grouping.FILE, folds=not part.of[0].query)
            room = max(0, room - len(part.rows))
        return branches

    def _part(self, text: ListedText, number: int, wanted: ProblemFilter) -> ProblemSection:
        known = self._parts.get(text.place)
        if known is not None and known.of[2] == number and known.of[0] == wanted and _is_same(known.of[1], text):
            return known
        file = ProblemFile(text.name, number, wanted.names_files)
        problems = text.problems or ()
        rows = problem_rows(problems, text.lines, wanted.query, wanted.hidden, file)
        branches = group_rows(rows, Grouping.FILE, folds=not wanted.query) if wanted.grouping is Grouping.FILE else []
        places = (place for row in rows for place in (row.where, row.file.name if row.related else ""))
        counts = Counter[Severity | CheckFamily](one.severity for one in problems)
        counts.update(one.family for one in problems)
        return ProblemSection((wanted, text, number), rows, branches, counts, max(places, key=len, default=""))


def _is_same(one: ListedText, other: ListedText) -> bool:
    return one.problems is other.problems and one.lines is other.lines and one.name == other.name
