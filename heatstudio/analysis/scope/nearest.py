"""The names that are most similar to a misspelled one, for "did you mean"."""

from bisect import bisect_left
from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import lru_cache
from heapq import nlargest

MOST = 3
LONGEST = 100
LIKENESS = 0.72
"""The minimum similarity (1 means equal); below it, names are not meant."""
AROUND = 100
"""Names on either side in the alphabet that are compared, from the front and from the back, where there are many."""
TRIED = 20
"""Names that are compared closely."""


def nearest(name: str, names: Iterable[object], likeness: float = LIKENESS) -> tuple[str, ...]:
    """At most three names that may be meant, the likeliest first; case does not matter."""
    return _nearest(name, tuple(names), likeness)


@lru_cache(maxsize=1024)
def _nearest(name: str, names: tuple[object, ...], likeness: float) -> tuple[str, ...]:
    wanted = name.lower()[:LONGEST]
    matcher = SequenceMatcher(b=wanted)
    close: list[tuple[float, str]] = []
    most = len(wanted) * (2 - likeness) / likeness + 1  # longer or shorter ones cannot be as similar
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
    """The names that may be like another, in lower case: all of a few, else those that start or end like it."""
    if len(names) <= 2 * AROUND:
        return _by_lower(names)
    forward, backward = _sorted(names)
    return {*_around(forward, wanted), *(other[::-1] for other in _around(backward, wanted[::-1]))}


def _around(names: list[str], wanted: str) -> list[str]:
    at = bisect_left(names, wanted)
    return names[max(at - AROUND, 0) : at + AROUND]


@lru_cache(maxsize=16)
def _by_lower(names: tuple[object, ...]) -> dict[str, list[str]]:
    """The spellings of each name, the last one first; YAML allows keys that are no text."""
    found: dict[str, list[str]] = {}
    for name in reversed(names):
        if isinstance(name, str):
            found.setdefault(name.lower(), []).append(name)
    return found


@lru_cache(maxsize=16)
def _sorted(names: tuple[object, ...]) -> tuple[list[str], list[str]]:
    lower = _by_lower(names)
    return sorted(lower), sorted(name[::-1] for name in lower)
