"""Formatted scalars parse to the same value in any context."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from heatstudio.template.editing.writer import _NAME, _reads_back, scalar_text

NAMES = st.from_regex(_NAME, fullmatch=True)


@given(NAMES, st.booleans(), st.booleans())
def test_plain_name_is_unchanged_and_parses_to_itself(name: str, flow: bool, key: bool) -> None:
    assert scalar_text(name, flow=flow, key=key) == name
    assert _reads_back(name, name, flow=flow, key=key)


@example("b", True, True)
@given(st.text(max_size=12), st.booleans(), st.booleans())
def test_any_text_parses_to_itself(text: str, flow: bool, key: bool) -> None:
    assert _reads_back(scalar_text(text, flow=flow, key=key), text, flow=flow, key=key) or not text.isprintable()


@pytest.mark.parametrize("word", ["yes", "null", "on", "1_000", "0x_1", "-a", "a b", "1e_3", "2012-12-12", "~", "y"])
def test_words_with_another_meaning_are_not_plain_names(word: str) -> None:
    assert not _NAME.fullmatch(word)
