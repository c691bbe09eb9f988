"""Fuzzy matching, without Qt."""

from typing import NamedTuple

_STARTS_AFTER = "_:.-/ "
_LEAST_SCORE = 8
"""The minimum score of a match per letter; lower ones are matches by chance."""

EXACT = 1_000_000
"""The score of a text that equals the query."""
WHOLE = 650
"""The minimum score of a word that is matched contiguously."""


class FuzzyMatch(NamedTuple):
    """The score of a match (higher is better) and the matched characters."""

    score: int
    places: tuple[int, ...]


def fuzzy_match(pattern: str, text: str) -> FuzzyMatch | None:
    """Match the letters of a pattern in order; prefixes and starts of words score highest.

    Return None if a letter is missing, or if the letters lie too far apart to be meant. Whitespace in the pattern and
    case are ignored.
    """
    wanted, lowered = "".join(pattern.split()).lower(), text.lower()
    if len(lowered) != len(text):
        lowered = text
    if not wanted:
        return FuzzyMatch(0, ())
    at = lowered.find(wanted)
    if at >= 0:
        begins_word = at == 0 or text[at - 1] in _STARTS_AFTER or text[at].isupper()
        rest = len(text) - at - len(wanted)  # text before the match does not count: no service is preferred
        score = 1000 - min(rest, 200) + (2000 if at == 0 else 500 if begins_word else -min(at, 99))
        return FuzzyMatch(score, tuple(range(at, at + len(wanted))))
    match = _scattered(wanted, lowered, text, by_words=True) or _scattered(wanted, lowered, text, by_words=False)
    return match if match is not None and match.score >= _LEAST_SCORE * len(wanted) else None


def fuzzy_score(query: str, text: str) -> int | None:
    """Return the score of a text for a query; None unless every word of the query matches."""
    if text.casefold() == query.strip().casefold() != "":
        return EXACT
    total = 0
    for word in query.split():
        match = fuzzy_match(word, text)
        if match is None:
            return None
        total += match.score
    return total


def marked_places(query: str, text: str, *, scattered: bool) -> list[int]:
    """Return the characters of a text that match a query, to be shown; `scattered` includes letters in between."""
    matches = [(word, fuzzy_match(word, text)) for word in query.split()]
    places: set[int] = set()
    for word, match in matches:
        if match is not None and match.score >= (_LEAST_SCORE * len(word) if scattered else WHOLE):
            places.update(match.places)
    return sorted(places)


def yielding(score: int) -> int:
    """Return a reduced score for less likely results."""
    return score - score // 5


def _scattered(wanted: str, lowered: str, text: str, *, by_words: bool) -> FuzzyMatch | None:
    """Match scattered letters; `by_words` prefers the next start of a word for each letter."""
    places: list[int] = []
    score, at = 0, 0
    for letter in wanted:
        found = lowered.find(letter, at)
        if by_words and found != at:
            starts = (place for place in range(at, len(text)) if is_word_start(text, place))
            found = next((place for place in starts if lowered[place] == letter), found)
        if found < 0:
            return None
        is_next = bool(places) and found == places[-1] + 1
        score += 15 if is_next else 20 if is_word_start(text, found) else 1
        places.append(found)
        at = found + 1
    return FuzzyMatch(score - min(len(text), 200) // 10, tuple(places))


def is_word_start(text: str, at: int) -> bool:
    """Return whether a word of a name starts at an index."""
    return at == 0 or text[at - 1] in _STARTS_AFTER or (text[at].isupper() and text[at - 1].islower())
