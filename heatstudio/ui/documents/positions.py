"""Conversion between Python's code points and Qt's UTF-16 units."""

import re
from bisect import bisect_left

_ASTRAL = "[\U00010000-\U0010ffff]"


class QtPositions:
    """A converter between code points of a text and positions in a QTextDocument with the same text.

    Qt counts UTF-16 units, in which every character above U+FFFF takes two.
    """

    __slots__ = ("_offsets", "_positions")

    def __init__(self, text: str) -> None:
        self._offsets = [] if text.isascii() else [match.start() for match in re.finditer(_ASTRAL, text)]
        self._positions = [offset + before for before, offset in enumerate(self._offsets)]

    @property
    def is_direct(self) -> bool:
        """Whether both counts are equal."""
        return not self._offsets

    def position(self, offset: int) -> int:
        """Return the UTF-16 position of a code point offset."""
        return offset + bisect_left(self._offsets, offset)

    def offset(self, position: int) -> int:
        """Return the code point offset of a UTF-16 position; the middle of a surrogate pair counts as its start."""
        return position - bisect_left(self._positions, position)


DIRECT = QtPositions("")
"""The positions of any text without characters above U+FFFF."""
