from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heatstudio.ui.editor.fuzzy import fuzzy_match


@pytest.mark.parametrize(
    ("pattern", "texts"),
    [
        ("net", ["network", "fixed_network", "user_data_network", "no_extra_tag"]),
        ("oss", ["OS::Nova::Server", "OS::Nova::xSever"]),
    ],
)
def test_better_matches_come_first(pattern: str, texts: list[str]) -> None:
    scores = {text: match.score for text in texts if (match := fuzzy_match(pattern, text))}
    assert list(scores) == texts
    assert sorted(scores, key=lambda text: -scores[text]) == texts


def test_a_missing_letter_does_not_fit() -> None:
    assert fuzzy_match("xyz", "network") is None


@given(st.text(max_size=6), st.text(max_size=20))
def test_meant_letters_are_those_that_were_typed(pattern: str, text: str) -> None:
    match = fuzzy_match(pattern, text)
    if match:
        assert list(match.places) == sorted(match.places)
        assert len(match.places) == len("".join(pattern.split()).lower())
