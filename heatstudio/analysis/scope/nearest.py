"""The names that are most similar to a misspelled name, for "Did you mean" suggestions."""

from bisect import bisect_left
from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import lru_cache
from heapq import nlargest

MOST = 3
LONGEST = 100
LIKENESS = 0.72
"""The minimum similarity of a suggested name; 1 means equal."""
AROUND = 100
"""The number of alphabetical neighbors on each side that are compared, in the names and in the reversed names."""
TRIED = 20
"""The number of names whose exact similarity is computed."""


def nearest(name: str, names: Iterable[object], likeness: float = LIKENESS) -> tuple[str, ...]:
    """Return at most three similar names, the most similar first; ignore case."""
    return _nearest(name, tuple(names), likeness)


@lru_cache(maxsize=1024)
def _nearest(name: str, names: tuple[object, ...], likeness: float) -> tuple[str, ...]:
    wanted = name.lower()[:LONGEST]
    matcher = SequenceMatcher(b=wanted)
    close: list[tuple[float, str]] = []
    most = len(wanted) * (2 - likeness) / likeness + 1  # longer and shorter names cannot reach the similarity
    least = len(wanted) * likeness / (2 - likeness) - 1
    for other in _compared(wanted, names):
        if least <= len(other) <= most:
            matcher.set_seq1(other)
            if (bound := matcher.quick_ratio()) >= likeness:
                close.append((bound, other))
    found: list[tuple[float, str]] = []
    for _, other in nlargest(TRIED, close):
        matcher.set_seq1(other)
        if (ratio := matcher.ratio()) >= likeness:
            found.append((ratio, other))
    spellings = _by_lower(names)
    meant = (next((one for one in spellings[lower] if one != name), None) for _, lower in nlargest(MOST, found))
    return tuple(one for one in meant if one is not None)


def _compared(wanted: str, names: tuple[object, ...]) -> Iterable[str]:
    """Return the lower-case names to compare: all names if they are few, else those with a similar start or end."""
    if len(names) <= 2 * AROUND:
        return _by_lower(names)
    forward, backward = _sorted(names)
    return {*_around(forward, wanted), *(other[::-1] for other in _around(backward, wanted[::-1]))}


def _around(names: list[str], wanted: str) -> list[str]:
    at = bisect_left(names, wanted)
    return names[max(at - AROUND, 0) : at + AROUND]


@lru_cache(maxsize=16)
def _by_lower(names: tuple[object, ...]) -> dict[str, list[str]]:
    """Return the spellings of each name by lower-case name, last first; skip YAML keys that are not strings."""
    found: dict[str, list[str]] = {}
    for name in reversed(names):
        if isinstance(name, str):
            found.setdefault(name.lower(), []).append(name)
    return found


@lru_cache(maxsize=16)
def _sorted(names: tuple[object, ...]) -> tuple[list[str], list[str]]:
    lower = _by_lower(names)
    return sorted(lower), sorted(name[::-1] for name in lower)
