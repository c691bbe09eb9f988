"""The names that are most similar to a misspelled name, for "Did you mean" suggestions."""

import re
from bisect import bisect_left
from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import lru_cache
from heapq import nlargest
from itertools import islice

MOST = 3
LONGEST = 100
LIKENESS = 0.72
"""The minimum similarity of a suggested name; 1 means equal."""
AROUND = 100
"""The number of alphabetical neighbors on each side that are compared, in the names and in the reversed names."""
TRIED = 20
"""The number of names whose exact similarity is computed."""


_WORD = re.compile(r"[^\W\d_]+|\d+")
_NUMBER = re.compile(r"\d+")
_CAMEL = re.compile(r"(?<=[a-z\d])(?=[A-Z])")
SHORTEST_STEM = 3
LETTERS_PER_SLIP = 5
"""The number of letters of a name per letter that may differ."""


def nearest(name: str, names: Iterable[object], likeness: float = LIKENESS) -> tuple[str, ...]:
    """Return at most three similar names with the same stem, the most similar first; ignore case."""
    return _nearest(name, tuple(names), likeness)


def nearest_element(name: str, names: Iterable[object]) -> tuple[str, ...]:
    """Return the similar names of elements of a template, except those with other numbers only: `port_1` and `port_2`.

    Elements are numbered, and another one of a series is not meant.
    """
    series = _NUMBER.sub("#", name.lower())
    return tuple(one for one in nearest(name, names) if _NUMBER.sub("#", one.lower()) != series)


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
    others = (next((one for one in spellings[lower] if one != name), None) for _, lower in nlargest(TRIED, found))
    meant = (one for one in others if one is not None and (is_slip(name, one) or _has_same_start(name, one)))
    return tuple(islice(meant, MOST))


def is_slip(name: str, other: str) -> bool:
    """Return whether a name may be another one, with few wrong letters or with shortened words."""
    words, other_words = _words(name), _words(other)
    if len(words) == len(other_words) and all(map(_have_same_stem, words, other_words)):
        return True
    text, wanted = "".join(words), "".join(other_words)
    if sorted(text) == sorted(wanted):
        return True
    changes = SequenceMatcher(None, text, wanted, autojunk=False).get_opcodes()
    wrong = sum(max(end - start, to - since) for kind, start, end, since, to in changes if kind != "equal")
    return wrong <= max(1, max(len(text), len(wanted)) // LETTERS_PER_SLIP)


def _has_same_start(name: str, other: str) -> bool:
    """Return whether two names begin alike, and one of them has all words of the other."""
    fewer, more = sorted((_words(name), _words(other)), key=len)
    starts_alike = bool(fewer) and _have_same_stem(fewer[0], more[0])
    return starts_alike and all(any(_have_same_stem(word, one) for one in more) for word in fewer)


def _have_same_stem(word: str, other: str) -> bool:
    shorter, longer = sorted((word, other), key=len)
    has_part = longer.startswith(shorter) or longer.endswith(shorter)
    return shorter == longer or (len(shorter) >= SHORTEST_STEM and has_part)


def _words(name: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(_CAMEL.sub(" ", name[:LONGEST]))]


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
