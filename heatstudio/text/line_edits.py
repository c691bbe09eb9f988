"""Line-based edits from one text to another that leave equal text unchanged."""

from collections.abc import Iterator, Sequence
from itertools import accumulate

from heatstudio.text.edit import TextEdit
from heatstudio.text.hunk import Hunk, LineChange
from heatstudio.text.line_diff import AlignedLine, align_lines, changed_runs
from heatstudio.text.span import Span, shared_ends


def line_edits(old: str, new: str) -> list[TextEdit]:
    """Return the edits from one text to another, in text order; none if they are equal."""
    edits: list[TextEdit] = []
    for edit in _LinePair(old, new).edits() if old != new else ():
        if edits and edits[-1].span == edit.span:  # two insertions at an empty last line
            edits[-1] = TextEdit(edit.span, edits[-1].text + edit.text)
        else:
            edits.append(edit)
    return edits


def hunks_between(old: str, new: str) -> tuple[Hunk, ...]:
    """Return the differences of two texts in order, as the comparison shows them."""
    rows = align_lines(old.split("\n"), new.split("\n")) if old != new else ()
    olds = [0, *accumulate(row.old is not None for row in rows)]
    news = [0, *accumulate(row.new is not None for row in rows)]
    runs = [(run.start, run.stop) for run in changed_runs(rows)]
    return tuple(Hunk(range(olds[low], olds[high]), range(news[low], news[high])) for low, high in runs)


def with_lines(text: str, lines: range, words: Sequence[str]) -> TextEdit | None:
    """Return the edit that replaces a range of lines of a text by others; None if there is nothing to replace."""
    return next(_LinePair(text, "").replaced(lines.start, lines.stop, words), None)


class _LinePair:
    """Both texts as lines without line endings."""

    def __init__(self, old: str, new: str) -> None:
        self._old, self._new = old.split("\n"), new.split("\n")
        self._starts = [0, *accumulate(len(line) + 1 for line in self._old)]
        self._end = len(old)

    def edits(self) -> Iterator[TextEdit]:
        rows = align_lines(self._old, self._new)
        for run in changed_runs(rows):
            yield from self._edits_of(rows[run.start : run.stop], self._before(rows, run.start))

    def _before(self, rows: tuple[AlignedLine, ...], start: int) -> int:
        """Return the number of old lines before a row that follows an equal one."""
        last = rows[start - 1].old if start else None
        return 0 if last is None else last + 1

    def _edits_of(self, rows: tuple[AlignedLine, ...], at: int) -> Iterator[TextEdit]:
        """Yield the edits of consecutive rows that all differ; `at` is the old line where they begin."""
        first, added = at, list[str]()
        for row in rows:
            if row.change is LineChange.CHANGED and row.old is not None and row.new is not None:
                yield from self.replaced(first, at, added)
                yield self._rewritten(row.old, self._new[row.new])
                first, at, added = row.old + 1, row.old + 1, []
            elif row.old is not None:
                at = row.old + 1
            elif row.new is not None:
                added.append(self._new[row.new])
        yield from self.replaced(first, at, added)

    def _rewritten(self, line: int, new: str) -> TextEdit:
        """Return the edit of a changed line, limited to the part between its equal ends."""
        old, start = self._old[line], self._starts[line]
        same, behind = shared_ends(old, new)
        return TextEdit(Span(start + same, start + len(old) - behind), new[same : len(new) - behind])

    def replaced(self, first: int, stop: int, added: Sequence[str]) -> Iterator[TextEdit]:
        """Yield the edit that replaces the old lines from `first` up to `stop` with the added lines, if any."""
        if first == stop and not added:
            return
        if stop < len(self._old):
            words = "".join(f"{line}\n" for line in added)
            yield TextEdit(Span(self._starts[first], self._starts[stop]), words)
        elif first:
            words = "".join(f"\n{line}" for line in added)
            yield TextEdit(Span(self._starts[first] - 1, self._end), words)
        else:
            yield TextEdit(Span(0, self._end), "\n".join(added))
