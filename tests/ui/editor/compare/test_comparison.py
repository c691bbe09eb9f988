"""The comparison of two texts as rows of plain data."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heatstudio.text import LineChange
from heatstudio.ui.editor.compare.comparison import TextComparison, compare_texts, resource_lines

OLD = "a\nsize: 10\nb\ngone\nc"
NEW = "a\nsize: 20\nb\nc\nadded"
TEXTS = st.lists(st.sampled_from(["", "a", "  b: 1", "  b: 2", "c"]), min_size=1, max_size=12).map("\n".join)


@pytest.fixture
def comparison() -> TextComparison:
    return compare_texts(OLD, NEW, {})


def test_both_sides_have_the_same_rows(comparison: TextComparison) -> None:
    assert comparison.texts == ("a\nsize: 10\nb\ngone\nc\n", "a\nsize: 20\nb\n\nc\nadded")
    assert [comparison.old_row(row).line for row in range(6)] == [0, 1, 2, 3, 4, None]
    assert [comparison.new_row(row).line for row in range(6)] == [0, 1, 2, None, 3, 4]
    assert [comparison.new_row(row).change.value for row in range(6)] == ["", "~", "", "-", "", "+"]
    (piece,) = comparison.new_row(1).pieces
    assert "size: 20"[piece.start : piece.end] == "20"


def test_moved_line_links_to_its_new_position() -> None:
    block = "  port:\n    type: OS::Neutron::Port\n"
    old, new = f"a\n{block}\nmiddle\nof it\nall\nz", f"a\nmiddle\nof it\nall\n{block}\nz"
    moved = compare_texts(old, new, {})
    assert [moved.old_row(row).change.value for row in range(len(moved.rows))] == ["", *"↕↕↕", "", "", "", *"↕↕↕", ""]
    assert (moved.old_row(1).moved, moved.new_row(7).moved) == ("to line 5", "from line 2")
    assert [moved.new_line(row) for row in range(3)] == [0, 4, 5]
    assert moved.summary == "3 lines moved"


def test_row_out_of_range_is_empty(comparison: TextComparison) -> None:
    assert comparison.old_row(99).change is LineChange.KEPT
    assert TextComparison().texts == ("", "")


def test_next_change_wraps_around(comparison: TextComparison) -> None:
    assert [(run.start, run.stop) for run in comparison.runs] == [(1, 2), (3, 4), (5, 6)]
    assert [comparison.next_run(row, 1) for row in range(6)] == [0, 1, 1, 2, 2, 0]
    assert [comparison.next_run(row, -1) for row in range(6)] == [2, 2, 0, 0, 1, 1]
    assert [comparison.run_at(row) for row in range(6)] == [None, 0, None, 1, None, 2]
    assert compare_texts("a", "a", {}).next_run(0, 1) is None


def test_deleted_line_maps_to_the_following_line(comparison: TextComparison) -> None:
    assert [comparison.new_line(row) for row in range(6)] == [0, 1, 2, 3, 3, 4]


@given(TEXTS, TEXTS)
def test_rows_and_lines_map_to_each_other(old: str, new: str) -> None:
    comparison = compare_texts(old, new, {})
    for line in range(new.count("\n") + 1):
        assert comparison.new_line(comparison.row_of_new(line)) == line
    assert comparison.row_of_new(10_000) == comparison.row_of_new(new.count("\n"))
    steps = [comparison.next_run(run.start, 1) for run in comparison.runs]
    assert steps == [*range(1, len(steps)), 0][: len(steps)]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("a", "a", "No differences"),
        ("a", "b", "1 line changed"),
        ("a\nb", "a\nb\nc\nd", "2 lines added"),
        (OLD, NEW, "1 line changed, 1 added, 1 deleted"),
    ],
)
def test_summary_counts_each_kind(old: str, new: str, words: str) -> None:
    assert compare_texts(old, new, {}).summary == words


def test_resources_of_the_old_text_have_their_lines() -> None:
    text = "resources:\n  a: {type: OS::Heat::None}\n\n  b:\n    type: OS::Heat::None\n"
    assert resource_lines(text) == {"a": 1, "b": 3}
    assert resource_lines("") == {}
    assert resource_lines("{[") == {}


@given(TEXTS, TEXTS)
def test_one_column_has_every_line_once_and_the_same_changes(old: str, new: str) -> None:
    comparison = compare_texts(old, new, {})
    column = comparison.inline
    rows = [column.column_row(row) for row in range(len(column.rows))]
    assert [row.line for row in rows if not row.is_old] == list(range(new.count("\n") + 1))
    kept = {row.old for row in comparison.rows if row.change is LineChange.KEPT}
    assert {row.line for row in rows if row.is_old} | kept == {*range(old.count("\n") + 1)}
    assert len(column.runs) == len(comparison.runs)
    texts = (old.split("\n"), new.split("\n"))
    assert column.column.split("\n") == [texts[not row.is_old][row.line or 0] for row in rows]


@given(TEXTS, TEXTS, st.sets(st.integers(0, 4)))
def test_folds_hide_only_unchanged_rows(old: str, new: str, opened: set[int]) -> None:
    for comparison in (compare_texts(old, new, {}), compare_texts(old, new, {}).inline):
        for first, rows in comparison.folds(opened).items():
            assert first == rows.start
            assert all(comparison.rows[row].change is LineChange.KEPT for row in rows)
            assert first not in comparison.folds({*opened, comparison.gap_of(first)})
