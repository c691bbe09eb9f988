"""Characters that are not seen are replaced by escapes, unless an emoji or a script needs them."""

from __future__ import annotations

from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heatstudio.text.invisible import invisible, visible

NEEDED = {
    "a programmer": "\U0001f469\u200d\U0001f4bb",
    "a burning heart": "\u2764\ufe0f\u200d\U0001f525",
    "an astronaut": "\U0001f469\U0001f3fd\u200d\U0001f680",
    "a rainbow": "\U0001f3f3\ufe0f\u200d\U0001f308",
    "a family": "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "the flag of England": "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "a key": "1\ufe0f\u20e3",
    "a sign": "\xa9\ufe0f",
    "Persian": "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "Hindi": "\u0915\u094d\u200d\u0937",
    "Thai": "\u0e2a\u0e27\u0e31\u200b\u0e04\u0e23",
    "Hebrew with a mark": "\u05d0\u200f.",
    "an ideograph": "\u845b\U000e0100",
    "Korean": "\ud55c\uad6d",
    "an accent": "e\u0301",
    "a no-break space": "5\xa0\u20ac",
}
ESCAPED = {
    "\x1b[31m": r"\x1b[31m",
    "a\r\nb": r"a\r\nb",
    "a\x85b\u2028c": r"a\x85b\u2028c",
    "a\u202eb\u2066": r"a\u202eb\u2066",
    "sec\u200bgroup": r"sec\u200bgroup",
    "a\u200db": r"a\u200db",
    "\u7ba1\u200d\u7406": "\u7ba1\\u200d\u7406",
    "x\ufe0f": r"x\ufe0f",
    "co\xadop": r"co\xadop",
    "a\u200eb": r"a\u200eb",
    "\u3164": r"\u3164",
    "\ud800\uffff": r"\ud800\uffff",
    "\U000e0041": r"\U000e0041",
}


@pytest.mark.parametrize("name", NEEDED)
def test_text_of_scripts_and_emoji_stays_as_it_is(name: str) -> None:
    assert visible(NEEDED[name]) == NEEDED[name]


@pytest.mark.parametrize("text", ESCAPED)
def test_invisible_characters_become_escapes(text: str) -> None:
    assert visible(text) == ESCAPED[text]


@given(st.text())
def test_no_control_character_or_surrogate_is_left(text: str) -> None:
    shown = visible(text)
    assert not {category(sign) for sign in shown if sign != "\t"} & {"Cc", "Cs", "Zl", "Zp"}
    assert not set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufffe\uffff") & set(shown)
    assert list(invisible(shown)) == []
