"""Finding by a few letters: how well a query fits a name."""

from __future__ import annotations

_WORD_START = 8
_NEXT_LETTER = 5
_LETTER = 1
_SUBSTRING = 40
_SEPARATORS = frozenset(" :_-./")


def fuzzy_score(query: str, name: str) -> int | None:
    """How well the letters of `query` occur in `name` in their order; None if they do not.

    Words of the query are independent of each other; every one of them must fit.
    """
    total = 0
    for word in query.casefold().split():
        score = _word_score(word, name)
        if score is None:
            return None
        total += score
    return total


def _word_score(word: str, name: str) -> int | None:
    folded = name.casefold()
    at = folded.find(word)
    if at >= 0:
        start = _WORD_START if _starts_word(name, min(at, len(name) - 1)) else 0
        return _SUBSTRING + start + _NEXT_LETTER * len(word) - len(name) // 8
    score, last = 0, -2
    for letter in word:
        found = folded.find(letter, max(last + 1, 0))
        if found < 0:
            return None
        bonus = _NEXT_LETTER if found == last + 1 else _WORD_START if _starts_word(name, found) else 0
        score += _LETTER + bonus
        last = found
    return score - len(name) // 8 if score >= _NEXT_LETTER * (len(word) - 1) else None


def _starts_word(name: str, at: int) -> bool:
    if at <= 0 or at >= len(name):
        return at == 0
    return name[at - 1] in _SEPARATORS or (name[at].isupper() and name[at - 1].islower())
