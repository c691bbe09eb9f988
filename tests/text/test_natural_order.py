"""Natural sort order of names with numbers."""

from __future__ import annotations

from heatstudio.text import natural_key


def test_numbers_are_compared_by_value() -> None:
    names = ["port_10", "port_2", "port", "2", "port_2b"]
    assert sorted(names, key=natural_key) == ["2", "port", "port_2", "port_2b", "port_10"]
