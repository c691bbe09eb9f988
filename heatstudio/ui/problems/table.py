"""The rows of the problems pane; the rows of unchanged texts are reused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from heatstudio.text import CheckFamily, LineIndex, Severity, Span
from heatstudio.ui.documents.document import Document, shown_names
from heatstudio.ui.problems.grouping import Grouping, ProblemFile, ProblemRow, Scope, group_rows, problem_rows
from heatstudio.ui.widgets.tree_model import Branch
from heatstudio.ui.workspace.folder_problems import FolderProblems
from heatstudio.ui.workspace.session import Session

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.analysis.scope.finding import Diagnostic

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
