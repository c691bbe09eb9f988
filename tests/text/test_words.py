"""The order of names with numbers, nouns after a number, and names in a sentence."""

from __future__ import annotations

import pytest

from heatstudio.text import counted, enumerated, natural_key


def test_numbers_are_compared_by_value() -> None:
    names = ["port_10", "port_2", "port", "2", "port_2b"]
    assert sorted(names, key=natural_key) == ["2", "port", "port_2", "port_2b", "port_10"]


@pytest.mark.parametrize(
    ("number", "nouns", "expected"),
    [
        (0, ("file",), "0 files"),
        (1, ("file",), "1 file"),
        (2, ("file",), "2 files"),
        (1, ("property", "properties"), "1 property"),
        (1200, ("property", "properties"), "1,200 properties"),
    ],
)
def test_noun_agrees_with_its_number(number: int, nouns: tuple[str, ...], expected: str) -> None:
    assert counted(number, *nouns) == expected


@pytest.mark.parametrize(
    ("names", "expected"),
    [([], ""), (["a"], "a"), (["a", "b"], "a or b"), (["a", "b", "c"], "a, b or c"), (["a", "", "c"], "a or c")],
)
def test_names_are_enumerated_without_empty_ones(names: list[str], expected: str) -> None:
    assert enumerated(names, "or") == expected
