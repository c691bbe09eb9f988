"""Two long texts, cut around their difference."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heatstudio.text.shortened import shortened


@pytest.mark.parametrize("room", [20, 40, 60, 100])
def test_long_values_are_cut_around_the_difference(room: int) -> None:
    before, after = shortened("x" * 200 + "one" + "y" * 90, "x" * 200 + "two" + "y" * 90, room)
    assert "o" in before
    assert "tw" in after
    assert before != after
    assert len(before) + len(after) <= room + 2


@given(st.text("ab \n"), st.text("ab \n"), st.text("ab \n"), st.text("ab \n"), st.integers(8, 60))
def test_cut_values_differ(start: str, old: str, new: str, end: str, room: int) -> None:
    before, after = start * 9 + old + end * 9, start * 9 + new + end * 9
    one, other = shortened(before, after, room)
    assert (one == other) is (before == after)


def test_short_ends_are_kept() -> None:
    assert shortened("install nginx and start it", "install nginx certbot and start it", 12) == ("…", "…certbot …")
    assert shortened("10.10.0.0/24", "10.20.0.0/24", 19) == ("10.10.0…", "10.20.0…")
    assert shortened("10.10.0.0/24", "10.20.0.0/24", 24) == ("10.10.0.0/24", "10.20.0.0/24")
