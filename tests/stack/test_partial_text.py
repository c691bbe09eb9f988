"""Partly known texts: results hold for all values of the holes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from heatstudio.stack.unknown import PartialText, Shape, Unknown, joined, texts_differ

NAMES = ("p", "q")
pieces = st.lists(st.one_of(st.text("ab", max_size=3), st.sampled_from([Unknown(name) for name in NAMES])), max_size=4)
fillings = st.fixed_dictionaries({name: st.text("ab", max_size=3) for name in NAMES})


def filled(parts: list[str | Unknown], filling: dict[str, str]) -> str:
    return "".join(part if isinstance(part, str) else filling[str(part.key)] for part in parts)


@given(pieces, pieces, fillings)
def test_texts_that_certainly_differ_differ_for_all_values(
    one: list[str | Unknown], other: list[str | Unknown], filling: dict[str, str]
) -> None:
    if texts_differ(joined(one), joined(other)):
        assert filled(one, filling) != filled(other, filling)


@given(pieces, pieces, fillings)
def test_texts_with_equal_keys_are_equal(
    one: list[str | Unknown], other: list[str | Unknown], filling: dict[str, str]
) -> None:
    first, second = joined(one), joined(other)
    if first == second:
        assert filled(one, filling) == filled(other, filling)


@given(pieces, pieces)
def test_joining_is_associative(one: list[str | Unknown], other: list[str | Unknown]) -> None:
    assert joined([joined(one), joined(other)]) == joined([*one, *other])


def test_text_without_holes_is_known() -> None:
    assert joined(["a", "", "b"]) == "ab"
    assert joined([]) == ""


def test_joining_a_single_text_returns_it() -> None:
    text = Unknown("p", shape=Shape.TEXT)
    assert joined(["", text]) is text
    assert joined([Unknown("p")]) != Unknown("p")


def test_text_with_a_hole_is_unknown() -> None:
    text = joined(["a", Unknown("p", frozenset({"parameter:p"}))])
    assert isinstance(text, Unknown)
    assert isinstance(text.key, PartialText)
    assert text.origins == {"parameter:p"}


def test_texts_with_different_starts_or_lengths_differ() -> None:
    hole = Unknown("p")
    assert texts_differ(joined(["a", hole]), joined(["b", hole]))
    assert texts_differ(joined([hole, "a", hole]), joined([hole, hole]))
    assert texts_differ("x", joined(["y", hole]))
    assert not texts_differ(joined(["a", hole]), joined([hole, "a"]))
    assert not texts_differ("abc", joined(["a", hole]))
