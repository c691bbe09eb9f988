"""Words: names in a template, their natural sort order, and counted nouns and lists in sentences."""

import re
from collections.abc import Iterable

_WORD = re.compile(r"\w+(?:(?:-|::)\w+)*")
"""A word, which may be a name with hyphens or the name of a type."""


def word_around(line: str, column: int) -> tuple[int, int] | None:
    """Return the start and end of the word at a column; None if there is none."""
    return next((found.span() for found in _WORD.finditer(line) if found.start() <= column <= found.end()), None)


def occurrences(text: str, wanted: str, *, whole: bool) -> list[int]:
    """Return the starts of all occurrences of a text or, with `whole`, of a word."""
    if whole:
        return [found.start() for found in _WORD.finditer(text) if found[0] == wanted]
    starts: list[int] = []
    start = text.find(wanted) if wanted else -1
    while start >= 0:
        starts.append(start)
        start = text.find(wanted, start + len(wanted))
    return starts


def natural_key(name: str) -> list[tuple[bool, int, str]]:
    """Return a sort key that sorts `port_2` before `port_10`."""
    return [(part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in re.split(r"(\d+)", name)]


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun, such as `1 file`, `2 files`; `many` is an irregular plural."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def enumerated(names: Iterable[str], conjunction: str = "and") -> str:
    """Return names in a sentence, such as `a, b and c`; empty ones are left out."""
    *others, last = [name for name in names if name] or [""]
    return f"{', '.join(others)} {conjunction} {last}" if others else last
