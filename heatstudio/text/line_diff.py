"""Comparison of two texts line by line, and of two lines word by word; edits that leave equal text unchanged."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import accumulate

from msgspec import Struct

from heatstudio.text.moved_lines import moved_lines
from heatstudio.text.span import Hunk, LineChange, Span, TextEdit, shared_ends

_ALIKE = 0.4
"""The minimum share of equal characters for which two lines of a changed block count as one edited line."""
_MOST_PAIRS = 10_000
"""Maximum product of line counts for optimal pairing; lines of larger blocks are paired in order."""
_LONGEST_LINE = 2_000
"""The maximum line length for comparison by words; longer lines are only compared at their ends."""
_WORD = re.compile(r"\w+|\s+|.", re.DOTALL)


class AlignedLine(Struct, frozen=True):
    """A row of the comparison: the numbers, from 0, of an old and a new line; None where the row has no line."""

    old: int | None
    new: int | None
    change: LineChange
    moved: int | None = None
    """The number of a moved line in the other text."""


def align_lines(old: Sequence[str], new: Sequence[str]) -> tuple[AlignedLine, ...]:
    """Return the rows of all lines of both texts: equal and edited lines paired, moved lines at both positions."""
    rows = _align(old, new, _blocks(old, new), {})
    moves = moved_lines(old, new, {row.old: row.new for row in rows if row.old is not None and row.new is not None})
    if not moves:
        return rows
    taken = set(moves.values())
    blocks: list[Hunk] = []
    old_at = new_at = 0
    for before, after in (*_kept_pairs(rows, moves, taken), (len(old), len(new))):
        if old_at < before or new_at < after:
            blocks.append(Hunk(range(old_at, before), range(new_at, after)))
        old_at, new_at = before + 1, after + 1
    return _align(old, new, blocks, moves)


def _kept_pairs(rows: Sequence[AlignedLine], moves: Mapping[int, int], taken: set[int]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of equal lines that are not part of a move."""
    for row in rows:
        is_kept = row.change is LineChange.KEPT and row.old not in moves and row.new not in taken
        if is_kept and row.old is not None and row.new is not None:
            yield row.old, row.new


def _align(
    old: Sequence[str], new: Sequence[str], blocks: Sequence[Hunk], moves: Mapping[int, int]
) -> tuple[AlignedLine, ...]:
    """Return the rows of the differing blocks and of the equal lines between them."""
    aligned: list[AlignedLine] = []
    origins = {after: before for before, after in moves.items()}
    old_at = new_at = 0
    for block in blocks:
        kept = zip(range(old_at, block.old.start), range(new_at, block.new.start), strict=True)
        aligned += [AlignedLine(before, after, LineChange.KEPT) for before, after in kept]
        aligned += _align_block(old, new, block, moves, origins)
        old_at, new_at = block.old.stop, block.new.stop
    kept = zip(range(old_at, len(old)), range(new_at, len(new)), strict=True)
    return (*aligned, *(AlignedLine(before, after, LineChange.KEPT) for before, after in kept))


def changed_runs(lines: Sequence[AlignedLine]) -> tuple[range, ...]:
    """Return the ranges of consecutive rows that differ."""
    runs: list[range] = []
    for row, line in enumerate(lines):
        if line.change is LineChange.KEPT:
            continue
        if runs and runs[-1].stop == row:
            runs[-1] = range(runs[-1].start, row + 1)
        else:
            runs.append(range(row, row + 1))
    return tuple(runs)


@lru_cache(maxsize=4096)
def compare_line(old: str, new: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Return the spans of each line's words that the other line lacks, in code points."""
    before, after = _WORD.findall(old), _WORD.findall(new)
    if max(len(old), len(new)) > _LONGEST_LINE:
        start, end = shared_ends(old, new)
        return _spans([(start, len(old) - end)]), _spans([(start, len(new) - end)])
    old_starts, new_starts = ([*accumulate(map(len, words), initial=0)] for words in (before, after))
    codes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    different = [code for code in codes if code[0] != "equal"]
    return (
        _spans([(old_starts[low], old_starts[high]) for _, low, high, _, _ in different]),
        _spans([(new_starts[low], new_starts[high]) for _, _, _, low, high in different]),
    )


def _spans(pairs: Sequence[tuple[int, int]]) -> tuple[Span, ...]:
    return tuple(Span(start, end) for start, end in pairs if end > start)


def _blocks(old: Sequence[str], new: Sequence[str]) -> list[Hunk]:
    """Return the differing blocks in order; equal ends are trimmed first, which makes a typical edit cheap.

    Lines that are unique in both texts, such as resource names, are matched first; between them `autojunk` saves time.
    """
    start, end = shared_ends(old, new)
    blocks: list[Hunk] = []
    old_at = new_at = start
    for before, after in (*_anchors(old, new, start, end), (len(old) - end, len(new) - end)):
        if old_at < before or new_at < after:
            matcher = SequenceMatcher(None, old[old_at:before], new[new_at:after])
            blocks += [
                Hunk(range(old_at + old_low, old_at + old_high), range(new_at + new_low, new_at + new_high))
                for tag, old_low, old_high, new_low, new_high in matcher.get_opcodes()
                if tag != "equal"
            ]
        old_at, new_at = before + 1, after + 1
    slid: list[Hunk] = []
    for at, block in enumerate(blocks):
        ceiling = blocks[at + 1].new.start if at + 1 < len(blocks) else len(new)
        floor = slid[-1].new.stop if slid else 0
        slid.append(_slide(old, new, block, block.new.start - floor, ceiling - block.new.stop))
    return slid


def _anchors(old: Sequence[str], new: Sequence[str], start: int, end: int) -> list[tuple[int, int]]:
    """Return the longest ascending chain of lines unique in both texts, without the first `start` and last `end`."""
    old_places, new_places = _single(old, start, len(old) - end), _single(new, start, len(new) - end)
    shared = [(place, new_places[line]) for line, place in old_places.items() if line in new_places]
    tails: list[int] = []
    last: list[int] = []
    before: list[int | None] = []
    for at, (_, place) in enumerate(shared):
        length = bisect_left(tails, place)
        before.append(last[length - 1] if length else None)
        tails[length : length + 1], last[length : length + 1] = [place], [at]
    chain: list[tuple[int, int]] = []
    step = last[-1] if last else None
    while step is not None:
        chain.append(shared[step])
        step = before[step]
    return chain[::-1]


def _single(lines: Sequence[str], start: int, stop: int) -> dict[str, int]:
    """Return the positions of the non-blank lines that are unique in a range, in text order."""
    counts = Counter(lines[start:stop])
    return {lines[at]: at for at in range(start, stop) if counts[lines[at]] == 1 and lines[at].strip()}


def _slide(old: Sequence[str], new: Sequence[str], block: Hunk, above: int, below: int) -> Hunk:
    """Move a pure insertion or deletion to the equivalent position where its first line is indented least.

    `above` and `below` are the numbers of equal lines on either side.
    """
    if block.old and block.new:
        return block
    lines, moving = (new, block.new) if block.new else (old, block.old)
    up = down = 0
    while up < above and lines[moving.start - up - 1] == lines[moving.stop - up - 1]:
        up += 1
    while down < below and lines[moving.start + down] == lines[moving.stop + down]:
        down += 1
    by = min(range(down, -up - 1, -1), key=lambda step: _depth(lines[moving.start + step : moving.stop + step]))
    return Hunk(_moved(block.old, by), _moved(block.new, by))


def _moved(lines: range, by: int) -> range:
    return range(lines.start + by, lines.stop + by)


def _depth(lines: Sequence[str]) -> int:
    """Return the indentation of the first non-blank line."""
    return next((len(line) - len(line.lstrip()) for line in lines if line.strip()), 0)


def _align_block(
    old: Sequence[str], new: Sequence[str], block: Hunk, moves: Mapping[int, int], origins: Mapping[int, int]
) -> Iterator[AlignedLine]:
    """Yield the rows of a block: deleted, changed, added and moved lines, in the order of both texts."""
    before, after = block.old.start, block.new.start
    olds, news = [line for line in block.old if line not in moves], [line for line in block.new if line not in origins]
    for first, second in (*_pairs(old, new, olds, news), (block.old.stop, block.new.stop)):
        for line in range(before, first):
            change = LineChange.MOVED if line in moves else LineChange.DELETED
            yield AlignedLine(line, None, change, moves.get(line))
        for line in range(after, second):
            change = LineChange.MOVED if line in origins else LineChange.ADDED
            yield AlignedLine(None, line, change, origins.get(line))
        if first < block.old.stop and second < block.new.stop:  # beside a move, lines of a block may be equal
            change = LineChange.KEPT if old[first] == new[second] else LineChange.CHANGED
            yield AlignedLine(first, second, change)
        before, after = first + 1, second + 1


def _pairs(old: Sequence[str], new: Sequence[str], olds: Sequence[int], news: Sequence[int]) -> list[tuple[int, int]]:
    """Return the pairs of edited lines in a block, ascending on both sides."""
    rows, columns = len(olds), len(news)
    if rows == columns == 1 or rows * columns > _MOST_PAIRS:
        return list(zip(olds, news, strict=False))
    best = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    alike = [[_likeness(old[before], new[after]) for after in news] for before in olds]
    for row in reversed(range(rows)):
        for column in reversed(range(columns)):
            paired = best[row + 1][column + 1] + alike[row][column]
            best[row][column] = max(paired, best[row + 1][column], best[row][column + 1])
    pairs: list[tuple[int, int]] = []
    row = column = 0
    while row < rows and column < columns:
        if alike[row][column] and best[row][column] == best[row + 1][column + 1] + alike[row][column]:
            pairs.append((olds[row], news[column]))
            row, column = row + 1, column + 1
        elif best[row][column] == best[row + 1][column]:
            row += 1
        else:
            column += 1
    return pairs


def _likeness(old: str, new: str) -> float:
    """Return the share of equal characters at both ends, without indentation; 0 if it is below `_ALIKE`."""
    old, new = old.strip(), new.strip()
    longest = max(len(old), len(new))
    share = sum(shared_ends(old, new)) / longest if old and new else 0.0
    return share if share >= _ALIKE else 0.0


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
    lines = old.split("\n")
    rows = align_lines(lines, new.split("\n")) if old != new else ()
    end = range(len(lines) - 1, len(lines)) if not lines[-1].strip() else None
    olds = [0, *accumulate(row.old is not None for row in rows)]
    news = [0, *accumulate(row.new is not None for row in rows)]
    runs = [(run.start, run.stop) for run in changed_runs(rows)]
    pairs = ((range(olds[low], olds[high]), range(news[low], news[high])) for low, high in runs)
    return tuple(Hunk(before, after, before == end) for before, after in pairs)


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
