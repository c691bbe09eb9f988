"""Two texts as aligned rows, as plain data that any thread can compute."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from functools import cached_property

from msgspec import Struct, field
from msgspec.structs import replace

from heatstudio.template import Part, parse_template
from heatstudio.text import LineChange, LineIndex, Span
from heatstudio.text.line_diff import AlignedLine, align_lines, changed_runs, compare_line

_COUNTED = (
    (LineChange.CHANGED, "changed"),
    (LineChange.ADDED, "added"),
    (LineChange.DELETED, "deleted"),
    (LineChange.MOVED, "moved"),
)
_CONTEXT = 3
"""The unchanged rows that stay visible above and below a change."""
_LEAST_FOLDED = 4
"""The minimum number of rows in a fold."""


class SideRow(Struct, frozen=True):
    """A row of one side: its line number from 0, or None if only the other side has a line."""

    line: int | None
    change: LineChange
    pieces: tuple[Span, ...] = ()
    """The part of the line that differs from the opposite line, in code points."""
    moved: str = ""
    """The other line number of a moved line, in words."""
    is_old: bool = False
    """Whether the line is one of the old text among those of the new one."""


class TextComparison(Struct, frozen=True, dict=True):
    """The rows of both texts, and the rows that differ."""

    old_lines: Sequence[str] = ("",)
    new_lines: Sequence[str] = ("",)
    rows: Sequence[AlignedLine] = ()
    runs: Sequence[range] = ()
    """The ranges of consecutive rows that differ."""
    old_places: Mapping[str, int] = field(default_factory=dict)
    """The lines of the resources in the old text, by name."""
    partners: Mapping[int, int] = field(default_factory=dict)
    """In one column, the line of the other text that a row's line was changed to or from."""

    @cached_property
    def texts(self) -> tuple[str, str]:
        """Both texts, with an empty line wherever only the other one has a line."""
        old, new = self.old_lines, self.new_lines
        return (
            "\n".join("" if row.old is None else old[row.old] for row in self.rows),
            "\n".join("" if row.new is None else new[row.new] for row in self.rows),
        )

    @cached_property
    def inline(self) -> TextComparison:
        """The same lines in one column: the old lines of each difference above its new ones."""
        rows, runs, partners, at = list[AlignedLine](), list[range](), dict[int, int](), 0
        for run in self.runs:
            rows += self.rows[at : run.start]
            start, at, differing = len(rows), run.stop, self.rows[run.start : run.stop]
            for row in differing:
                if row.old is not None:
                    is_changed = row.new is not None
                    partners |= {len(rows): row.new} if row.new is not None else {}
                    change = LineChange.DELETED if is_changed else row.change
                    rows.append(AlignedLine(row.old, None, change, row.moved))
            for row in differing:
                if row.new is not None:
                    partners |= {len(rows): row.old} if row.old is not None else {}
                    change = LineChange.ADDED if row.old is not None else row.change
                    rows.append(AlignedLine(None, row.new, change, row.moved))
            runs.append(range(start, len(rows)))
        rows += self.rows[at:]
        return TextComparison(self.old_lines, self.new_lines, tuple(rows), tuple(runs), self.old_places, partners)

    @cached_property
    def column(self) -> str:
        """The text of one column: the line of each row in the new text or, if there is none, in the old one."""
        old, new = self.old_lines, self.new_lines
        return "\n".join(new[row.new] if row.new is not None else old[row.old or 0] for row in self.rows)

    def column_row(self, row: int) -> SideRow:
        """Return a row of one column."""
        is_old = self._row(row).new is None
        return replace(self.old_row(row), is_old=True) if is_old else self.new_row(row)

    def folds(self, opened: Container[int]) -> dict[int, range]:
        """Return the unchanged rows to fold, by the first one; `opened` has the gaps between changes to show."""
        starts = [0, *(run.stop + _CONTEXT for run in self.runs)]
        stops = [*(run.start - _CONTEXT for run in self.runs), len(self.rows) if self.runs else 0]
        gaps = {at: range(start, stop) for at, (start, stop) in enumerate(zip(starts, stops, strict=True))}
        return {rows.start: rows for at, rows in gaps.items() if len(rows) >= _LEAST_FOLDED and at not in opened}

    def gap_of(self, row: int) -> int:
        """Return the index of the gap between changes with an unchanged row, for `folds`."""
        return sum(run.start <= row for run in self.runs)

    def old_row(self, row: int) -> SideRow:
        """Return a row of the old side."""
        shown = self._row(row)
        moved = "" if shown.moved is None else f"to line {shown.moved + 1}"
        return SideRow(shown.old, shown.change, self._pieces(row)[0], moved)

    def new_row(self, row: int) -> SideRow:
        """Return a row of the new side."""
        shown = self._row(row)
        moved = "" if shown.moved is None else f"from line {shown.moved + 1}"
        return SideRow(shown.new, shown.change, self._pieces(row)[1], moved)

    def row_of_new(self, line: int) -> int:
        """Return the row of a line of the new text."""
        rows = self._new_rows
        return rows[max(0, min(line, len(rows) - 1))] if rows else 0

    def row_of_old(self, line: int) -> int:
        """Return the row of a line of the old text."""
        return next((at for at, row in enumerate(self.rows) if row.old == line), 0)

    def new_line(self, row: int) -> int:
        """Return the line of the new text at a row: the target of a moved line, or the line after a deleted one."""
        shown = self._row(row)
        if shown.new is None and shown.moved is not None:
            return shown.moved
        at = bisect_left(self._new_rows, row)
        return max(0, min(at, len(self._new_rows) - 1))

    def next_run(self, row: int, step: int) -> int | None:
        """Return the index of the run behind a row (1) or before it (-1), wrapping around; None without runs."""
        if not self.runs:
            return None
        before = sum(run.start < row for run in self.runs)
        here = any(run.start == row for run in self.runs)
        return (before - 1 if step < 0 else before + here) % len(self.runs)

    def run_at(self, row: int) -> int | None:
        """Return the index of the run with a row; None if the row does not differ."""
        return next((at for at, run in enumerate(self.runs) if row in run), None)

    @property
    def summary(self) -> str:
        """The numbers of lines by kind of difference, in words."""
        counts = Counter(row.change for row in self.rows if row.moved is None or row.new is not None)
        parts = [f"{counts[change]} {word}" for change, word in _COUNTED if counts[change]]
        if not parts:
            return "No differences"
        noun = "line" if parts[0].startswith("1 ") else "lines"
        return ", ".join((parts[0].replace(" ", f" {noun} ", 1), *parts[1:]))

    @cached_property
    def _new_rows(self) -> list[int]:
        return [at for at, row in enumerate(self.rows) if row.new is not None]

    def _row(self, row: int) -> AlignedLine:
        return self.rows[row] if row < len(self.rows) else AlignedLine(None, None, LineChange.KEPT)

    def _pieces(self, at: int) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
        row, partner = self._row(at), self.partners.get(at)
        old, new = row.old if row.old is not None else partner, row.new if row.new is not None else partner
        if row.change is LineChange.KEPT or old is None or new is None:
            return (), ()
        return compare_line(self.old_lines[old], self.new_lines[new])


def compare_texts(old: str, new: str, old_places: Mapping[str, int] | None = None) -> TextComparison:
    """Compare two texts in aligned rows; `old_places` are the lines of the old resources, if they are known."""
    old_lines, new_lines = old.split("\n"), new.split("\n")
    rows = align_lines(old_lines, new_lines)
    return TextComparison(
        old_lines, new_lines, rows, changed_runs(rows), resource_lines(old) if old_places is None else old_places
    )


def resource_lines(text: str) -> dict[str, int]:
    """Return the lines of the resources of a template, counted from 0, by name."""
    template = parse_template(text)
    section, lines = template.dialect.resources, LineIndex(text)
    places = {str(name): template.locate((section, str(name)), Part.KEY) for name in template.entries(section)}
    return {name: lines.position(place.start).line for name, place in places.items()}
