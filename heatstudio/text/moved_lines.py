"""Find the lines of a text that only moved, even if equal lines surround them."""

from collections.abc import Iterable, Mapping, Sequence
from math import inf

from msgspec import Struct

_LEAST_LINES = 3
"""Fewer lines in a row are found again by chance."""
_LEAST_CHARACTERS = 15
"""Letters and digits that a block has at least: brackets and empty lines stand everywhere."""


class _Move(Struct, frozen=True):
    """Equal lines: where they begin in the old and in the new text, and how many they are."""

    old: int
    new: int
    length: int


class _Side(Struct, frozen=True):
    """One of both texts."""

    lines: Sequence[str]
    kept: frozenset[int]
    """The lines beside which the same line stands."""
    settled: frozenset[int]
    """Those, and the lines beside which the same key has another value: a block that begins with one stays there."""

    def depth(self, at: int) -> float:
        """How far a line is indented; an empty one belongs to whatever is around it."""
        line = self.lines[at]
        return len(line) - len(line.lstrip()) if line.strip() else inf

    def seeds(self) -> dict[tuple[str, ...], int]:
        """Where neighbors begin that stand only once in this text, as far as they are not all kept."""
        least = _LEAST_LINES - 1
        differing = (at for at in range(len(self.lines)) if at not in self.kept)
        starts = {start for at in differing for start in range(at - least, at + 1)}
        places: dict[tuple[str, ...], int | None] = {}
        for start in sorted(starts):
            if start < 0 or start + least >= len(self.lines):
                continue
            neighbors = tuple(self.lines[start : start + _LEAST_LINES])
            places[neighbors] = None if neighbors in places else start
        return {lines: at for lines, at in places.items() if at is not None and self.may_go(at)}

    def may_go(self, start: int) -> bool:
        """Whether none of the outermost of some neighbors stays where it is."""
        neighbors = range(start, start + _LEAST_LINES)
        outermost = min(self.depth(at) for at in neighbors)
        return not any(at in self.settled and self.depth(at) == outermost for at in neighbors)


def moved_lines(old: Sequence[str], new: Sequence[str], beside: Mapping[int, int]) -> dict[int, int]:
    """The new place of each old line that is in a moved block; `beside` tells which lines stand beside each other.

    Three lines that each side has once among those that differ tell where a block went; it takes what is equal around
    them, but leaves lines where they are that stand beside themselves and are not inside of the block.
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
        if len(pairs) >= _LEAST_LINES and _says_enough(old, pairs):
            moves.update(pairs)
            taken.update(pairs.values())
    return moves


def _free_pairs(move: _Move, moves: Mapping[int, int], taken: set[int]) -> Mapping[int, int]:
    """The lines of a move with their new places, without ends that a longer one took."""
    free = [by for by in range(move.length) if move.old + by not in moves and move.new + by not in taken]
    is_whole = bool(free) and free[-1] - free[0] + 1 == len(free)
    return {move.old + by: move.new + by for by in free} if is_whole else {}


def _sides(old: Sequence[str], new: Sequence[str], beside: Mapping[int, int]) -> tuple[_Side, _Side]:
    kept = {first: second for first, second in beside.items() if old[first] == new[second]}
    settled = {
        first: second for first, second in beside.items() if first in kept or _key(old[first]) == _key(new[second])
    }
    return (
        _Side(old, frozenset(kept), frozenset(settled)),
        _Side(new, frozenset(kept.values()), frozenset(settled.values())),
    )


def _key(line: str) -> str:
    """What stands before the colon of an entry; the items of a list have nothing but their text."""
    key, colon, _ = line.partition(":")
    return key if colon and not key.lstrip().startswith("-") else line


def _widest(before: _Side, after: _Side, move: _Move, beside: Mapping[int, int]) -> _Move:
    """The move with all equal lines around it that may go with it, and no empty lines above it."""
    outermost = min(after.depth(at) for at in range(move.new, move.new + move.length))

    def goes_along(by: int) -> bool:
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
    while goes_along(end):
        end += 1
    while goes_along(start - 1):
        start -= 1
    while start < end and not after.lines[move.new + start].strip():
        start += 1
    return _Move(move.old + start, move.new + start, end - start)


def _says_enough(lines: Sequence[str], places: Iterable[int]) -> bool:
    return sum(character.isalnum() for at in places for character in lines[at]) >= _LEAST_CHARACTERS
