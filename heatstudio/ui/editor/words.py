"""What a double click selects: pure functions on text."""

from __future__ import annotations

import re

_WORD = r"\w+(?:(?:-|::)\w+)*"


def word_around(line: str, column: int) -> tuple[int, int] | None:
    """Where the word at a column begins and ends, a name with hyphens or the name of a type as a whole; None if none.

    Columns count as the line does.
    """
    return next((found.span() for found in re.finditer(_WORD, line) if found.start() <= column <= found.end()), None)
