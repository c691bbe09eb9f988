"""Nouns in the singular or plural after a number."""

import pytest

from heatstudio.text import counted


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
