"""Characters that are not seen, or that change how the text around them is displayed."""

import re
from collections.abc import Iterator

from heatstudio.text.span import Span

BIDI_CONTROLS = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""The characters that reorder the displayed text up to their end (Unicode Standard Annex 9)."""
SPACES = re.compile("[\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]")
"""The characters that look like a space."""
_INVISIBLE = (
    "[\0-\x08\n-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u2800\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffc\ufffe\uffff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_RIGHT_TO_LEFT = "[\u0590-\u061b\u061d-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff\U0001e800-\U0001efff]"
_JOINABLE = (
    "(?:[\u0590-\u061b\u061d-\u10ff\u1200-\u17b3\u17b6-\u180a\u1810-\u18ff]"  # from Hebrew to Mongolian, except Hangul
    "|[\u2190-\u27ff\u2900-\u2bff\U0001f000-\U0001faff]\ufe0f?)"  # symbols and emoji
)
_USEFUL = "|".join(
    (
        f"{_JOINABLE}(?:[\u200b-\u200d\u180b-\u180d]+{_JOINABLE})+",
        f"{_RIGHT_TO_LEFT}[\u061c\u200e\u200f]",
        f"[\u061c\u200e\u200f](?={_RIGHT_TO_LEFT})",
        "[\xa9\xae\u1000-\u115e\u1161-\u17b3\u17b6-\u1fff\u2030-\u205e\u2070-\u27ff\u2801-\u3163\u3165-\ud7ff\uf900-\ufdff"
        "\U00010000-\U0003ffff][\ufe00-\ufe0f\U000e0100-\U000e01ef]",  # a form of a symbol or an ideograph
        "[#*0-9]\ufe0f\u20e3",  # keys
        "\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f",  # flags
    )
)
_SCANNER = f"{_USEFUL}|({_INVISIBLE})"
"""Compiled when a text has such a character, as few have one."""
_ANY = re.compile(_INVISIBLE)
_ANY_IN_LINES = re.compile(_INVISIBLE.replace("\n-\x1f", "\x0b\x0c\x0e-\x1f"))


def invisible(text: str) -> Iterator[int]:
    """Yield the offsets of control characters, including line ends, and of other characters that are not seen.

    Tabs and spaces of any width are left out, and the joiners, marks and selectors that emoji and some scripts need.
    """
    if _ANY.search(text):
        yield from (found.start() for found in re.finditer(_SCANNER, text) if found[1])


def invisible_in_lines(text: str) -> Iterator[int]:
    """Yield the offsets of the characters that are not seen in a text of several lines."""
    end = -1
    for found in _ANY_IN_LINES.finditer(text):
        if found.start() >= end:
            start, end = line_around(text, found.start())
            line = text[start:end]
            yield from (start + at for at in invisible(line) if line[at] != "\r")


def line_around(text: str, offset: int) -> Span:
    """Return the line at an offset, without its end."""
    end = text.find("\n", offset)
    return Span(text.rfind("\n", 0, offset) + 1, len(text) if end < 0 else end)


def escaped(sign: str) -> str:
    r"""Return a character as an escape of Python and YAML, such as `\u202e`."""
    return sign.encode("unicode_escape").decode()


def visible(text: str) -> str:
    """Return a text with escapes instead of its invisible characters, so that it is displayed as what it is."""
    pieces, last = [], 0
    for at in invisible(text):
        pieces += [text[last:at], escaped(text[at])]
        last = at + 1
    return "".join([*pieces, text[last:]]) if pieces else text
