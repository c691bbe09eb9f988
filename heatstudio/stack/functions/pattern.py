"""Regular expressions of templates, with the meaning of Heat (`re`) and bounded time.

`re` matches patterns that certainly need few steps. The library `regex`, which has a time limit, matches the others.
"""

import re
import warnings
from functools import lru_cache
from importlib import import_module
from typing import Any

from heatstudio.stack.functions.budget import BudgetExceededError, timed_call

LONGEST_RUN = 0.02
"""Maximum CPU time of one match in seconds."""
MOST_STEPS = 100_000
"""Maximum number of steps for `re`, which does some ten million steps per second."""
LONGEST = 2_000
"""Maximum length of a pattern for `regex`, which compiles more slowly than `re`."""
_LOOP = re.compile(r"[*+{]")
_OPTION = re.compile(r"[?|]")
_SET = r"\[\^?\]?(?:\\.|[^\]\\])*\]?"
_TOKEN = re.compile(rf"\\N\{{|\\.|\(\?#[^)]*|{_SET}|\{{(?!(?:\d+(?:,\d*)?|,\d*)\}})", re.DOTALL)
_IN_SET = re.compile(r"\\.|\[", re.DOTALL)
_VERBOSE = re.compile(r"\(\?[a-zA-Z]*x")
_DIFFERS = re.compile(r"\\[wWsSbB]|\(\?[a-zA-Z]*i")
"""Constructs that differ between the libraries for non-ASCII characters and for separator control characters."""
_FLAGS = re.IGNORECASE | re.MULTILINE | re.DOTALL
"""The flags with the same values in both libraries."""
_ORDINARY = re.compile(r"[\0-\x1b\x20-\x7f]+")


class Pattern:
    """A compiled pattern; every method may raise BudgetExceededError.

    Raise re.error, OverflowError or RecursionError for an invalid pattern, as `re.compile` does.
    """

    def __init__(self, source: str, flags: int = 0) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self._exact = re.compile(source, flags)

    def __repr__(self) -> str:
        return repr(self._exact)

    def match(self, text: str) -> re.Match[str] | None:
        """Match like `re.Pattern.match`."""
        found: re.Match[str] | None = self._ask("match", text, text)
        return found

    def search(self, text: str) -> re.Match[str] | None:
        """Search like `re.Pattern.search`."""
        found: re.Match[str] | None = self._ask("search", text, text)
        return found

    def finditer(self, text: str) -> list[re.Match[str]]:
        """Return all matches of `re.Pattern.finditer` as a list."""
        matches: list[re.Match[str]] = self._ask("finditer", text, text)
        return matches

    def split(self, text: str, maximum: int = 0) -> list[str]:
        """Split like `re.Pattern.split`."""
        parts: list[str] = self._ask("split", text, text, maximum)
        return parts

    def sub(self, replacement: object, text: str, count: int = 0) -> str:
        """Substitute like `re.Pattern.sub`."""
        if isinstance(replacement, str) and "\\" in replacement and not _is_quick(self._exact.pattern, len(text)):
            raise BudgetExceededError  # the libraries reject different replacements
        result: str = self._ask("sub", text, replacement, text, count)
        return result

    def _ask(self, method: str, text: str, *arguments: object) -> Any:
        if _is_quick(self._exact.pattern, len(text)):
            found = getattr(self._exact, method)(*arguments)
            return list(found) if method == "finditer" else found
        bounded = _bounded(self._exact.pattern, self._exact.flags)
        is_ordinary = _ORDINARY.fullmatch(text) if text else r"\B" not in self._exact.pattern
        if bounded is None or not (is_ordinary or _means_the_same(self._exact)):
            raise BudgetExceededError
        with timed_call(LONGEST_RUN) as seconds:
            try:
                found = getattr(bounded, method)(*arguments, timeout=seconds)
                return list(found) if method == "finditer" else found  # finditer is lazy
            except TimeoutError as error:
                raise BudgetExceededError from error


def _is_quick(source: str, length: int) -> bool:
    """Return whether `re` certainly needs few steps for every text of this length.

    Without a loop around a group, each loop multiplies the steps by the length of the text, each option doubles them,
    and a search starts at every character.
    """
    loops, options = len(_LOOP.findall(source)), len(_OPTION.findall(source))
    if loops + options > 20 or _LOOP.search(source, source.find(")") + 1 or len(source)):
        return False
    steps: int = len(source) + ((length + 1) ** (loops + 1) << options)
    return steps <= MOST_STEPS


def _means_the_same(pattern: re.Pattern[str]) -> bool:
    anything = pattern.pattern.replace(r"[\s\S]", ".")
    return not pattern.flags & re.IGNORECASE and not _DIFFERS.search(anything)


@lru_cache(maxsize=128)
def _bounded(source: str, flags: int) -> Any:
    """Return the pattern compiled by `regex`; None if `regex` cannot express it."""
    if len(source) > LONGEST or _VERBOSE.search(source) or flags & re.VERBOSE:
        return None
    regex = import_module("regex")
    try:
        return regex.compile(_TOKEN.sub(_translated, source), flags & _FLAGS | regex.VERSION0)
    except (regex.error, RecursionError, OverflowError, MemoryError):
        return None


def _translated(token: re.Match[str]) -> str:
    """Escape characters that are literals only in `re`: braces without a count, brackets in a set."""
    text = token[0]
    if text == "{":
        return r"\{"
    if text.startswith("["):
        return "[" + _IN_SET.sub(lambda found: r"\[" if found[0] == "[" else found[0], text[1:])
    return text
