"""Words in a template, including names with hyphens and names of types."""

import re

_WORD = re.compile(r"\w+(?:(?:-|::)\w+)*")


def word_around(line: str, column: int) -> tuple[int, int] | None:
    """Return the start and end of the word at a column; None if there is none."""
    return next((found.span() for found in _WORD.finditer(line) if found.start() <= column <= found.end()), None)
