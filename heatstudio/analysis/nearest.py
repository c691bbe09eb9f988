"""Did you mean ...? The names most like a misspelled one."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from functools import lru_cache

MOST = 3
LONGEST = 100
LIKENESS = 0.72
"""Of 1 (the same); less gives names that nobody means."""


def nearest(name: str, names: Iterable[object], likeness: float = LIKENESS) -> tuple[str, ...]:
    """At most three names that may be meant, the likeliest first; case does not matter."""
    return _nearest(name, tuple(names), likeness)


@lru_cache(maxsize=1024)
def _nearest(name: str, names: tuple[object, ...], likeness: float) -> tuple[str, ...]:
    # YAML allows keys that are no text
    by_lower = {other.lower(): other for other in names if isinstance(other, str) and other != name}
    found = get_close_matches(name.lower()[:LONGEST], by_lower, MOST, likeness)
    return tuple(by_lower[lower] for lower in found)
