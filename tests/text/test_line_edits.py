"""Edits between two texts: they turn one text into the other and keep equal parts."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from heatstudio.text import LineChange, TextEdit, apply_edits
from heatstudio.text.line_diff import hunks_between, line_edits, with_lines

TEXTS = st.one_of(
    st.text(st.sampled_from("ab :\n\r🚀"), max_size=40),
    st.lists(st.sampled_from(["", "a:", "  b:", "  b: 1", "  b: 2", "    type: A", "    type: B"]), max_size=20).map(
        "\n".join
    ),
)


@given(TEXTS, TEXTS)
def test_edits_turn_one_text_into_the_other(old: str, new: str) -> None:
    edits = line_edits(old, new)
    assert apply_edits(old, edits) == new
    assert bool(edits) == (old != new)


@pytest.mark.parametrize(
    ("old", "new", "edits"),
    [
        ("a: 1\nb: 2\nc: 3\n", "a: 4\nb: 2\nc: 5\n", [((3, 4), "4"), ((13, 14), "5")]),
        ("a: 1\nb: 2\n", "a: 1\nx: y\nb: 2\n", [((5, 5), "x: y\n")]),
        ("a: 1\nb: 2\nc: 3", "b: 2", [((0, 5), ""), ((9, 14), "")]),
        ("a: 1", "a: 1\nb: 2", [((4, 4), "\nb: 2")]),
    ],
)
def test_edits_cover_only_the_differences(old: str, new: str, edits: list[tuple[tuple[int, int], str]]) -> None:
    assert [(tuple(edit.span), edit.text) for edit in line_edits(old, new)] == edits


def test_equal_texts_have_no_edits() -> None:
    none: list[TextEdit] = []
    assert line_edits("a\n", "a\n") == none


@example("\n\n::::\n\n\n::", "\n::\n\n\n::\n::::", Random(0))
@given(TEXTS, TEXTS, st.randoms())
def test_hunks_restored_one_by_one_give_the_old_text(old: str, new: str, random: Random) -> None:
    text, lines = new, old.split("\n")
    for _ in range(old.count("\n") + new.count("\n") + 2):  # lines that occur twice may be aligned anew
        if not (hunks := hunks_between(old, text)):
            break
        hunk = random.choice(hunks)
        edit = with_lines(text, hunk.new, lines[hunk.old.start : hunk.old.stop])
        assert edit is not None
        text = apply_edits(text, [edit])
    assert text == old


def test_hunks_name_their_change_and_the_lines_next_to_deleted_ones() -> None:
    added, changed, deleted = hunks_between("a\nb\nc\nd\n", "new\na\nb: 1\nc\n")
    assert [hunk.change.name for hunk in (added, changed, deleted)] == ["ADDED", "CHANGED", "DELETED"]
    assert [line for line in range(6) if deleted.touches(line)] == [3, 4]
    assert [line for line in range(6) if changed.touches(line)] == [2]


@pytest.mark.parametrize("start", ["a\n", "a:\n  ", ""])
def test_lines_typed_at_the_end_of_a_text_are_added(start: str) -> None:
    (hunk,) = hunks_between(start, f"{start}b\nc")
    assert hunk.change is LineChange.ADDED
    assert hunk.old == range(start.count("\n"), start.count("\n") + 1)
