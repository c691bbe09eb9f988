"""Two texts as aligned rows, as plain data that any thread can compute."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property

from msgspec import Struct, field

from heatstudio.template import Part, parse_template
from heatstudio.text import LineIndex, Span
from heatstudio.text.hunk import LineChange
from heatstudio.text.line_diff import AlignedLine, align_lines, changed_runs, compare_line

_COUNTED = (
    (LineChange.CHANGED, "changed"),
    (LineChange.ADDED, "added"),
    (LineChange.DELETED, "deleted"),
    (LineChange.MOVED, "moved"),
)


class SideRow(Struct, frozen=True):
    """A row of one side: its line number from 0, or None if only the other side has a line."""

    line: int | None
    change: LineChange
    pieces: tuple[Span, ...] = ()
    """The part of the line that differs from the opposite line, in code points."""
    moved: str = ""
    """The other line number of a moved line, in words."""


class TextComparison(Struct, frozen=True, dict=True):
    """The rows of both texts, and the rows that differ."""

    old_lines: Sequence[str] = ("",)
    new_lines: Sequence[str] = ("",)
    rows: Sequence[AlignedLine] = ()
    runs: Sequence[range] = ()
    """The ranges of consecutive rows that differ."""
    old_places: Mapping[str, int] = field(default_factory=dict)
    """The lines of the resources in the old text, by name."""

    @cached_property
    def texts(self) -> tuple[str, str]:
        """Both texts, with an empty line wherever only the other one has a line."""
        old, new = self.old_lines, self.new_lines
        return (
            "\n".join("" if row.old is None else old[row.old] for row in self.rows),
            "\n".join("" if row.new is None else new[row.new] for row in self.rows),
        )

    def old_row(self, row: int) -> SideRow:
        """Return a row of the old side."""
        shown = self._row(row)
        moved = "" if shown.moved is None else f"to line {shown.moved + 1}"
        return SideRow(shown.old, shown.change, self._pieces(shown)[0], moved)

    def new_row(self, row: int) -> SideRow:
        """Return a row of the new side."""
        shown = self._row(row)
        moved = "" if shown.moved is None else f"from line {shown.moved + 1}"
        return SideRow(shown.new, shown.change, self._pieces(shown)[1], moved)

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

    def _pieces(self, row: AlignedLine) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
        if row.change is not LineChange.CHANGED or row.old is None or row.new is None:
            return (), ()
        return compare_line(self.old_lines[row.old], self.new_lines[row.new])


def compare_texts(old: str, new: str, old_places: Mapping[str, int]) -> TextComparison:
    """Compare two texts in aligned rows."""
    old_lines, new_lines = old.split("\n"), new.split("\n")
    rows = align_lines(old_lines, new_lines)
    return TextComparison(old_lines, new_lines, rows, changed_runs(rows), old_places)


def resource_lines(text: str) -> dict[str, int]:
    """Return the lines of the resources of a template, counted from 0, by name."""
    template = parse_template(text)
    section, lines = template.dialect.resources, LineIndex(text)
    places = {str(name): template.locate((section, str(name)), Part.KEY) for name in template.entries(section)}
    return {name: lines.position(place.start).line for name, place in places.items()}
