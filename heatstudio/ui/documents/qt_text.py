"""Text in characters that Qt keeps and shows one by one."""

import re

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
