"""Text as Qt keeps it: characters that it shows one by one, and positions in UTF-16 units."""

import re
from bisect import bisect_left

_PARAGRAPH = "\u2029"
# Qt drops some characters or treats them as line ends, and reorders a line with others. Unicode noncharacters, for
# internal use, stand for them; Qt shows a box for each.
_TO_QT = dict(
    zip(
        "\r\u2029\ufdd0\ufdd1\ufeff\ufffe\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\xad",
        map(chr, range(0xFDE0, 0xFDF0)),
        strict=True,
    )
)
_FROM_QT = {there: here for here, there in _TO_QT.items()}
_LOST = f"[{''.join(_TO_QT)}]"
_KEPT = f"[{''.join(_FROM_QT)}]"
_ASTRAL = "[\U00010000-\U0010ffff]"


def to_qt(text: str) -> str:
    """Return a text in characters that Qt keeps, with the same number of code points."""
    if text.isascii() and "\r" not in text:
        return text
    return re.sub(_LOST, lambda match: _TO_QT[match[0]], text)


def from_qt(raw: str) -> str:
    """Return the original of a text from `to_qt`, in which Qt may separate lines as paragraphs."""
    if not raw.isascii():
        raw = raw.replace(_PARAGRAPH, "\n")
        if not raw.isascii():
            raw = re.sub(_KEPT, lambda match: _FROM_QT[match[0]], raw)
    return raw


class QtPositions:
    """A converter between code points of a text and positions in a QTextDocument with the same text.

    Qt counts UTF-16 units, in which every character above U+FFFF takes two.
    """

    __slots__ = ("_offsets", "_positions")

    def __init__(self, text: str) -> None:
        self._offsets = [] if text.isascii() else [match.start() for match in re.finditer(_ASTRAL, text)]
        self._positions = [offset + before for before, offset in enumerate(self._offsets)]

    def position(self, offset: int) -> int:
        """Return the UTF-16 position of a code point offset."""
        return offset + bisect_left(self._offsets, offset)

    def offset(self, position: int) -> int:
        """Return the code point offset of a UTF-16 position; the middle of a surrogate pair counts as its start."""
        return position - bisect_left(self._positions, position)


DIRECT = QtPositions("")
"""The positions of any text without characters above U+FFFF."""
