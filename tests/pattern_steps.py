"""A backtracking regular expression matcher that counts its steps, a measure that is the same on every machine."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, partial

Behind = Callable[[int], "int | None"]
"""A continuation: maps the index where a part ends to the index where the whole match ends; None if it fails."""
Part = Callable[[int, Behind], "int | None"]
"""A matcher for a part of a pattern: matches from an index, then calls the continuation."""

_ATOM = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*\]|\\x..|\\u....|\\U.{8}|\\.|[^\\\[(|)*+?{]|\{(?!\d*,?\d*\})", re.DOTALL)
_REPEAT = re.compile(r"(?:([*+?])|\{(\d*)(,?)(\d*)\})([?+]?)")
_NAMED = re.compile(r"\?P<\w+>|\?:")
_LOOKS = {"?=": (True, 0), "?!": (False, 0), "?<=": (True, 1), "?<!": (False, 1)}
_ZERO_WIDTH = {"^", "$", r"\b", r"\Z"}


class TooMuchWorkError(Exception):
    """An error for a match that needs more steps than its budget."""


class StepCounter:
    """A matcher with the results of `re` that counts the characters it tests and the alternatives it tries.

    It supports only the syntax that the program uses: no backreferences, and lookbehind of one character.
    """

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._source, self._flags, self._at = pattern.pattern, pattern.flags, 0
        self._atoms: list[Callable[[str], object]] = []
        self._whole = self._either()
        assert self._at == len(self._source), f"{self._source!r}: not understood from {self._at} on"
        self._text, self.steps, self._budget = "", 0, 0

    def kind(self, sign: str) -> tuple[object, ...]:
        """Return the equivalence class of a character: the pattern does not distinguish characters of one class."""
        return (*(atom(sign) is not None for atom in self._atoms), sign == "\n", sign.isalnum() or sign == "_")

    def spans(self, method: str, text: str, budget: int) -> list[tuple[int, int]]:
        """Return the spans of the matches that `method` finds; raise TooMuchWorkError beyond the budget of steps."""
        self._text, self.steps, self._budget = text, 0, budget
        if method == "fullmatch":
            return self._found(0, lambda end: end if end == len(text) else None)
        if method == "match":
            return self._found(0, lambda end: end)
        return list(self._all())

    def _found(self, start: int, accept: Behind) -> list[tuple[int, int]]:
        end = self._whole(start, accept)
        return [] if end is None else [(start, end)]

    def _all(self) -> Iterator[tuple[int, int]]:
        start, empty_at = 0, -1
        while start <= len(self._text):
            found = self._found(start, partial(self._accept, start if start == empty_at else -1))
            yield from found
            end = found[0][1] if found else start + 1
            empty_at = end if found and end == start else -1
            start = end

    def _accept(self, forbidden: int, end: int) -> int | None:
        return None if end == forbidden else end

    def _count(self) -> None:
        self.steps += 1
        if self.steps > self._budget:
            raise TooMuchWorkError

    # Parsing the pattern

    def _sees(self, sign: str) -> bool:
        return self._source.startswith(sign, self._at)

    def _either(self) -> Part:
        ways = [self._sequence()]
        while self._sees("|"):
            self._at += 1
            ways.append(self._sequence())
        return ways[0] if len(ways) == 1 else partial(self._try_each, ways)

    def _sequence(self) -> Part:
        parts: list[Part] = []
        while self._at < len(self._source) and not (self._sees("|") or self._sees(")")):
            parts.append(self._repeated())
        return partial(self._one_by_one, parts, 0)

    def _repeated(self) -> Part:
        if self._sees("("):
            self._at += 1
            group = self._group()
            times = self._times()
            return partial(self._loop, group, *times) if times else group
        found = _ATOM.match(self._source, self._at)
        assert found is not None, f"{self._source!r}: not understood from {self._at} on"
        self._at, atom = found.end(), found[0]
        if atom in _ZERO_WIDTH:
            at = cache(re.compile(atom, self._flags).match)
            return lambda index, behind: self._look(at(self._text, index) is not None, index, behind)
        self._atoms.append(cache(re.compile(atom, self._flags).fullmatch))
        return partial(self._signs, self._atoms[-1], *(self._times() or (1, 1, "")))

    def _times(self) -> tuple[int, int, str] | None:
        """Return the minimum and maximum of a repetition and its suffix, `?`, `+` or empty; None if there is none."""
        repeat = _REPEAT.match(self._source, self._at)
        if repeat is None:
            return None
        self._at = repeat.end()
        short, least, comma, most, kind = repeat.groups()
        lowest = int(least or 0) if short is None else int(short == "+")
        highest = {"*": 10**9, "+": 10**9, "?": 1}.get(short) or int(most or (10**9 if comma else lowest))
        return lowest, highest, kind

    def _group(self) -> Part:
        for opening, (wanted, back) in _LOOKS.items():
            if self._sees(opening) and not (opening == "?<" and self._sees("?<=")):
                self._at += len(opening)
                return partial(self._looks, self._closed(), wanted, back)
        named = _NAMED.match(self._source, self._at)
        if named is not None:
            self._at = named.end()
        assert not self._sees("?"), f"{self._source!r}: not understood from {self._at} on"
        return self._closed()

    def _closed(self) -> Part:
        inner = self._either()
        assert self._sees(")")
        self._at += 1
        return inner

    # Matching the text

    def _one_by_one(self, parts: list[Part], number: int, index: int, behind: Behind) -> int | None:
        if number == len(parts):
            return behind(index)
        return parts[number](index, lambda end: self._one_by_one(parts, number + 1, end, behind))

    def _try_each(self, ways: list[Part], index: int, behind: Behind) -> int | None:
        for way in ways:
            self._count()
            end = way(index, behind)
            if end is not None:
                return end
        return None

    def _look(self, holds: bool, index: int, behind: Behind) -> int | None:
        self._count()
        return behind(index) if holds else None

    def _looks(self, inner: Part, wanted: bool, back: int, index: int, behind: Behind) -> int | None:
        is_there = index >= back and inner(index - back, lambda end: end) is not None
        return self._look(is_there == wanted, index, behind)

    def _signs(
        self, sign: Callable[[str], object], lowest: int, highest: int, kind: str, index: int, behind: Behind
    ) -> int | None:
        text, last = self._text, index
        limit = min(len(text), index + (lowest if kind == "?" else highest))
        while last < limit:
            self._count()
            if not sign(text[last]):
                break
            last += 1
        if last < index + lowest:
            return None
        if kind == "?":
            return self._more_if_needed(sign, last, index + highest, behind)
        for end in range(last, (last if kind == "+" else index + lowest) - 1, -1):
            self._count()
            found = behind(end)
            if found is not None:
                return found
        return None

    def _more_if_needed(self, sign: Callable[[str], object], end: int, highest: int, behind: Behind) -> int | None:
        while True:
            self._count()
            found = behind(end)
            if found is not None or end >= min(len(self._text), highest) or not sign(self._text[end]):
                return found
            end += 1

    def _loop(self, inner: Part, lowest: int, highest: int, kind: str, index: int, behind: Behind) -> int | None:
        self._count()
        if kind == "+":
            count, end = 0, index
            while count < highest and (further := inner(end, lambda reached: reached)) is not None:
                count, stays, end = count + 1, further == end, further
                if stays:
                    break
            return behind(end) if count >= lowest else None
        assert not kind, f"{self._source!r}: a lazy repetition of a group is not understood"

        def again(count: int, start: int) -> int | None:
            self._count()
            if count < highest:
                found = inner(start, lambda end: again(count + 1, end) if end > start or count < lowest else None)
                if found is not None:
                    return found
            return behind(start) if count >= lowest else None

        return again(0, index)
