"""What differs between two texts: the rows give back both texts, and they are the rows a reader expects."""

from __future__ import annotations

from itertools import pairwise
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heatstudio.text.line_diff import AlignedLine, LineChange, align_lines, changed_runs, compare_line

LINES = st.lists(st.sampled_from(["", "a:", "  b:", "  b: 1", "  b: 2", "    type: A", "    type: B"]), max_size=30)


def rows(old: str, new: str) -> list[str]:
    before, after = old.split("\n"), new.split("\n")
    return [
        f"{line.change.sign or ' '}"
        f" {before[line.old] if line.old is not None else '.'} | {after[line.new] if line.new is not None else '.'}"
        for line in align_lines(before, after)
    ]


def applied(old: list[str], new: list[str], lines: tuple[AlignedLine, ...]) -> list[str]:
    """The old lines after what the rows say: kept ones come from the old text, only what differs from the new one."""
    result = []
    for line in lines:
        if line.change is LineChange.KEPT and line.old is not None:
            result.append(old[line.old])
        elif line.new is not None:
            result.append(new[line.new])
    return result


@given(LINES, LINES)
def test_difference_applied_to_the_old_text_gives_the_new_one(old: list[str], new: list[str]) -> None:
    lines = align_lines(old, new)
    assert applied(old, new, lines) == new
    assert [line.old for line in lines if line.old is not None] == list(range(len(old)))
    assert [line.new for line in lines if line.new is not None] == list(range(len(new)))
    for line in lines:
        is_old, is_new = line.old is not None, line.new is not None
        assert (line.change is LineChange.DELETED) == (is_old and not is_new)
        assert (line.change is LineChange.ADDED) == (is_new and not is_old)
        if line.old is not None and line.new is not None:
            assert (line.change is LineChange.KEPT) == (old[line.old] == new[line.new])


@given(LINES)
def test_a_text_does_not_differ_from_itself(lines: list[str]) -> None:
    assert changed_runs(align_lines(lines, lines)) == ()


@given(LINES, LINES)
def test_runs_are_the_rows_that_differ(old: list[str], new: list[str]) -> None:
    lines = align_lines(old, new)
    runs = changed_runs(lines)
    assert [row for run in runs for row in run] == [
        row for row, line in enumerate(lines) if line.change is not LineChange.KEPT
    ]
    assert all(first.stop < second.start for first, second in pairwise(runs))


def test_a_line_written_anew_stands_beside_the_old_one() -> None:
    assert rows("a\nsize: 10\nb", "a\nsize: 20\nb") == ["  a | a", "~ size: 10 | size: 20", "  b | b"]


def test_the_line_that_is_alike_is_paired_though_others_are_added_above_it() -> None:
    assert rows("x\nname: web\ny", "x\n# a word on it\nname: web-tier\ny") == [
        "  x | x",
        "+ . | # a word on it",
        "~ name: web | name: web-tier",
        "  y | y",
    ]


def test_lines_with_nothing_in_common_are_deleted_and_added() -> None:
    assert rows("x\nalpha\nbravo\ny", "x\n1\n2\n3\ny")[1:-1] == [
        "- alpha | .",
        "- bravo | .",
        "+ . | 1",
        "+ . | 2",
        "+ . | 3",
    ]


def test_an_added_resource_begins_with_its_name() -> None:
    def resource(name: str) -> str:
        return f"  {name}:\n    type: OS::Heat::Value\n    properties:\n      value: 1\n\n"

    old = f"resources:\n{resource('first')}{resource('last')}outputs:"
    new = f"resources:\n{resource('first')}{resource('added')}{resource('last')}outputs:"
    lines = align_lines(old.split("\n"), new.split("\n"))
    (run,) = changed_runs(lines)
    assert [new.split("\n")[lines[row].new or 0] for row in run] == resource("added").split("\n")[:-1]
    (run,) = changed_runs(align_lines(new.split("\n"), old.split("\n")))
    assert (run.start, len(run)) == (6, 5)


def test_empty_texts() -> None:
    assert align_lines([], []) == ()
    assert rows("", "") == ["   | "]
    assert rows("a", "a\n") == ["  a | a", "+ . | "]


@given(st.text(max_size=40), st.text(max_size=40))
def test_what_is_outside_of_the_pieces_is_equal(old: str, new: str) -> None:
    def rest(text: str, side: int) -> str:
        pieces = compare_line(old, new)[side]
        inside = {at for piece in pieces for at in range(piece.start, piece.end)}
        return "".join(character for at, character in enumerate(text) if at not in inside)

    assert rest(old, 0) == rest(new, 1)


def test_pieces_are_whole_words() -> None:
    old, new = "  size: 10 # GB", "  size: 120 # GB"
    before, after = compare_line(old, new)
    assert [old[piece.start : piece.end] for piece in before] == ["10"]
    assert [new[piece.start : piece.end] for piece in after] == ["120"]
    assert compare_line(old, old) == ((), ())


def test_very_long_lines_are_compared_at_their_ends() -> None:
    old, new = "x" * 90_000 + "a" + "y" * 90_000, "x" * 90_000 + "b" + "y" * 90_000
    ((before,), (after,)) = compare_line(old, new)
    assert (old[before.start : before.end], new[after.start : after.end]) == ("a", "b")


@pytest.mark.parametrize("changed", [1, 200])
def test_long_texts_are_compared_in_time(changed: int) -> None:
    old = [f"  line {at % 50}: {at}" if at % 3 else "    type: OS::Nova::Server" for at in range(12_000)]
    new = list(old)
    for at in range(changed):
        new[at * 50 + 1] += " changed"
    start = perf_counter()
    lines = align_lines(old, new)
    assert perf_counter() - start < 2
    assert sum(line.change is LineChange.CHANGED for line in lines) == changed


def test_a_name_that_both_texts_have_once_stays_with_itself() -> None:
    old = "resources:\n  gone:\n    type: A\n\n  last:\n    type: A"
    new = "resources:\n  last:\n    type: A\n\n  added:\n    type: A"
    assert [row for row in rows(old, new) if "last" in row] == ["    last: |   last:"]
    lines = align_lines(old.split("\n"), new.split("\n"))
    assert [(run.start, len(run)) for run in changed_runs(lines)] == [(1, 3), (6, 3)]
