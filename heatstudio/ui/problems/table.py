"""The rows of the problems pane; the rows of unchanged texts are reused."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import NamedTuple

from heatstudio.text import CheckFamily, Severity
from heatstudio.ui.problems.grouping import Grouping, ProblemFile, ProblemRow, group_rows, problem_rows
from heatstudio.ui.problems.listed_texts import MOST_LISTED, ListedText, Place
from heatstudio.ui.widgets.tree_model import Branch


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
        self._cut: tuple[ProblemSection, int, list[Branch]] | None = None
        """The branches of the text that reaches the maximum number of rows, with its number of listed rows."""
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
                if self._cut is None or self._cut[0] is not part or self._cut[1] != room:
                    self._cut = part, room, group_rows(part.rows[:room], Grouping.FILE, folds=not part.of[0].query)
                branches += self._cut[2]
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
