"""Find and replace in a text, without Qt."""

import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import NamedTuple

from heatstudio.text import Span, TextEdit

_LONGEST = 0.2
"""The timeout of a regular expression in seconds, as the window waits for it."""
_GROUP = re.compile(r"\\.|\$(\d)", re.DOTALL)


class SearchPatternError(ValueError):
    """The regular expression is invalid; the message gives the reason."""


class Search(NamedTuple):
    """A search pattern with its options."""

    pattern: str
    is_regex: bool = False
    matches_case: bool = False
    whole_words: bool = False

    def matches(self, text: str) -> Iterator[re.Match[str]]:
        """Yield the matches; raise SearchPatternError if the pattern is invalid or takes too long."""
        source = self.pattern if self.is_regex else re.escape(self.pattern)
        if self.whole_words:
            source = rf"(?<!\w)(?:{source})(?!\w)"
        try:
            pattern = re.compile(source, re.MULTILINE | (0 if self.matches_case else re.IGNORECASE))
            if not self.is_regex:
                yield from pattern.finditer(text)
                return
            regex = import_module("regex")
            yield from regex.compile(source, pattern.flags).finditer(text, timeout=_LONGEST, concurrent=True)
        except TimeoutError as error:
            raise SearchPatternError("This expression takes too long; avoid nested quantifiers") from error
        except _pattern_errors() as error:
            raise SearchPatternError(_sentence(error)) from error


class SearchMemory:
    """The last search, shared by all editors, as the next match may be in another text."""

    def __init__(self) -> None:
        self.search = Search("")
        self.replacement = ""


def find_all(text: str, search: Search) -> list[Span]:
    """Return all matches in text order, including empty ones, such as those of `^`; raise SearchPatternError."""
    return [Span(*match.span()) for match in _matches(text, search)]


def replace_edits(text: str, search: Search, replacement: str, places: Iterable[Span]) -> list[TextEdit]:
    r"""Return the edits that replace the matches at `places`.

    For regular expressions, `$1`, `\1` and `\g<name>` insert a group, and `\$` is a dollar sign.

    Raise SearchPatternError if the pattern or the replacement is invalid.
    """
    if search.is_regex:
        replacement = _GROUP.sub(_group_reference, replacement)
    wanted, edits = frozenset(places), []
    for match in _matches(text, search):
        place = Span(*match.span())
        if place not in wanted:
            continue
        try:
            new = match.expand(replacement) if search.is_regex else replacement
        except _pattern_errors() as error:
            raise SearchPatternError(f"Replacement: {_sentence(error)}") from error
        edits.append(TextEdit(place, new))
    return edits


def _matches(text: str, search: Search) -> Iterator[re.Match[str]]:
    """Yield the matches; a match to the end of a line has no empty match behind it, so `.*` matches a line once."""
    if not search.pattern:
        return
    last = -1
    for match in search.matches(text):
        start, end = match.span()
        if start < end or start != last or text[start : start + 1] not in ("", "\n"):
            yield match
        last = end


def _group_reference(found: re.Match[str]) -> str:
    return rf"\g<{found[1]}>" if found[1] else found[0].replace(r"\$", "$")


def _pattern_errors() -> tuple[type[Exception], ...]:
    """Return the errors of invalid patterns and replacements: huge counts, deep nesting and missing groups too."""
    return (re.error, import_module("regex").error, OverflowError, RecursionError, IndexError)


def _sentence(error: Exception) -> str:
    """Return the error without its position, which would count the characters added around the pattern."""
    said = error.msg if isinstance(error, re.error) else str(error)
    return f"{said[:1].upper()}{said[1:]}"
