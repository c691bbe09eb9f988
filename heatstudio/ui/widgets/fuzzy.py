"""Fuzzy matching by a few letters: pure, without Qt."""

from typing import NamedTuple

_STARTS_AFTER = "_:.-/ "
_LEAST_SCORE = 8
"""For each letter of a word: letters that are found here and there by chance score less."""

WHOLE = 650
"""What a word scores at least that is found in one piece."""


class FuzzyMatch(NamedTuple):
    """The score of a match (higher is better) and the matched characters."""

    score: int
    places: tuple[int, ...]


def fuzzy_match(pattern: str, text: str) -> FuzzyMatch | None:
    """Match the letters of a pattern in their order; whole prefixes and beginnings of words count most.

    None if a letter is missing. Blanks of the pattern do not matter, nor does case.
    """
    wanted, lowered = "".join(pattern.split()).lower(), text.lower()
    if len(lowered) != len(text):
        lowered = text
    if not wanted:
        return FuzzyMatch(0, ())
    at = lowered.find(wanted)
    if at >= 0:
        begins_word = at == 0 or text[at - 1] in _STARTS_AFTER or text[at].isupper()
        rest = len(text) - at - len(wanted)  # not what stands before: no service is meant more than another
        score = 1000 - min(rest, 200) + (2000 if at == 0 else 500 if begins_word else -min(at, 99))
        return FuzzyMatch(score, tuple(range(at, at + len(wanted))))
    return _scattered(wanted, lowered, text, by_words=True) or _scattered(wanted, lowered, text, by_words=False)


def fuzzy_score(query: str, text: str) -> int | None:
    """How well a text fits a query; None if it does not. Its words are independent, and every one of them must fit."""
    total = 0
    for word in query.split():
        match = fuzzy_match(word, text)
        if match is None or match.score < _LEAST_SCORE * len(word):
            return None
        total += match.score
    return total


def yielding(score: int) -> int:
    """Return the score of what fits as well as others, but is less often meant."""
    return score - score // 5


def _scattered(wanted: str, lowered: str, text: str, *, by_words: bool) -> FuzzyMatch | None:
    """Letters apart from each other; `by_words` goes on to the next beginning of a word where there is one."""
    places: list[int] = []
    score, at = 0, 0
    for letter in wanted:
        found = lowered.find(letter, at)
        if by_words and found != at:
            starts = (place for place in range(at, len(text)) if _is_word_start(text, place))
            found = next((place for place in starts if lowered[place] == letter), found)
        if found < 0:
            return None
        is_next = bool(places) and found == places[-1] + 1
        score += 15 if is_next else 20 if _is_word_start(text, found) else 1
        places.append(found)
        at = found + 1
    return FuzzyMatch(score - min(len(text), 200) // 10, tuple(places))


def _is_word_start(text: str, at: int) -> bool:
    return at == 0 or text[at - 1] in _STARTS_AFTER or (text[at].isupper() and text[at - 1].islower())
