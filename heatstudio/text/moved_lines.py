"""Detection of moved blocks of lines between two texts."""

from collections.abc import Mapping, Sequence
from math import inf

from msgspec import Struct

_LEAST_LINES = 3
"""The minimum number of lines of a moved block; shorter blocks match by chance."""
_LEAST_CHARACTERS = 15
"""The minimum number of letters and digits of a block: brackets and empty lines occur everywhere."""


class _Move(Struct, frozen=True):
    """A run of equal lines: its start in the old and in the new text, and its length."""

    old: int
    new: int
    length: int


class _ComparedText(Struct, frozen=True):
    """One of the two texts."""

    lines: Sequence[str]
    kept: frozenset[int]
    """The lines that are aligned with an equal line."""
    settled: frozenset[int]
    """The kept lines and the lines aligned with a line of the same key; a block with one at its top level stays."""

    def depth(self, at: int) -> float:
        """Return the indentation of a line; infinity for an empty line, which belongs to the lines around it."""
        line = self.lines[at]
        return len(line) - len(line.lstrip()) if line.strip() else inf

    def seeds(self) -> dict[tuple[str, ...], int]:
        """Return the starts of the movable runs of `_LEAST_LINES` lines that are unique among the differing runs."""
        least = _LEAST_LINES - 1
        differing = (at for at in range(len(self.lines)) if at not in self.kept)
        starts = {start for at in differing for start in range(at - least, at + 1)}
        places: dict[tuple[str, ...], int | None] = {}
        for start in sorted(starts):
            if start < 0 or start + least >= len(self.lines):
                continue
            neighbors = tuple(self.lines[start : start + _LEAST_LINES])
            places[neighbors] = None if neighbors in places else start
        return {lines: at for lines, at in places.items() if at is not None and self.may_move(at)}

    def may_move(self, start: int) -> bool:
        """Return whether none of the outermost lines of a run is settled."""
        neighbors = range(start, start + _LEAST_LINES)
        outermost = min(self.depth(at) for at in neighbors)
        return not any(at in self.settled and self.depth(at) == outermost for at in neighbors)


def moved_lines(old: Sequence[str], new: Sequence[str], beside: Mapping[int, int]) -> dict[int, int]:
    """Return the new line number of each old line in a moved block; `beside` pairs the aligned lines.

    A run of three lines that is unique among the differing lines of both texts marks a moved block. The block grows by
    equal lines around it, without aligned lines that are not nested in the block.
    """
    before, after = _sides(old, new, beside)
    old_seeds = before.seeds()
    found: list[_Move] = []
    reached: dict[int, int] = {}
    for lines, at in after.seeds().items():
        origin = old_seeds.get(lines)
        if origin is not None and reached.get(at - origin, -1) < at:
            move = _widest(before, after, _Move(origin, at, _LEAST_LINES), beside)
            reached[at - origin] = move.new + move.length - 1
            found.append(move)
    moves: dict[int, int] = {}
    taken: set[int] = set()
    for move in sorted(found, key=lambda move: (-move.length, move.new)):
        pairs = _free_pairs(move, moves, taken)
        characters = sum(sign.isalnum() for at in pairs for sign in old[at])
        if len(pairs) >= _LEAST_LINES and characters >= _LEAST_CHARACTERS:
            moves.update(pairs)
            taken.update(pairs.values())
    return moves


def _free_pairs(move: _Move, moves: Mapping[int, int], taken: set[int]) -> Mapping[int, int]:
    """Return the line pairs of a move, without ends that a longer move has taken; empty if its middle is taken."""
    free = [by for by in range(move.length) if move.old + by not in moves and move.new + by not in taken]
    is_whole = bool(free) and free[-1] - free[0] + 1 == len(free)
    return {move.old + by: move.new + by for by in free} if is_whole else {}


def _sides(old: Sequence[str], new: Sequence[str], beside: Mapping[int, int]) -> tuple[_ComparedText, _ComparedText]:
    kept = {first: second for first, second in beside.items() if old[first] == new[second]}
    settled = {
        first: second for first, second in beside.items() if first in kept or _key(old[first]) == _key(new[second])
    }
    return (
        _ComparedText(old, frozenset(kept), frozenset(settled)),
        _ComparedText(new, frozenset(kept.values()), frozenset(settled.values())),
    )


def _key(line: str) -> str:
    """Return the text before the colon of a map entry, or the whole text of any other line."""
    key, colon, _ = line.partition(":")
    return key if colon and not key.lstrip().startswith("-") else line


def _widest(before: _ComparedText, after: _ComparedText, move: _Move, beside: Mapping[int, int]) -> _Move:
    """Extend a move by the adjacent equal lines that may move with it; strip blank lines at the top."""
    outermost = min(after.depth(at) for at in range(move.new, move.new + move.length))

    def moves_along(by: int) -> bool:
        nonlocal outermost
        first, second = move.old + by, move.new + by
        if not (0 <= first < len(before.lines) and 0 <= second < len(after.lines)):
            return False
        if before.lines[first] != after.lines[second] or beside.get(first) == second:
            return False
        depth = after.depth(second)
        if depth <= outermost and (first in before.settled or second in after.settled):
            return False
        outermost = min(outermost, depth)
        return True

    start, end = 0, move.length
    while moves_along(end):
        end += 1
    while moves_along(start - 1):
        start -= 1
    while start < end and not after.lines[move.new + start].strip():
        start += 1
    return _Move(move.old + start, move.new + start, end - start)
