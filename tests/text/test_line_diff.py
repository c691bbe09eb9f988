"""Line differences of two texts: the rows contain both texts in the expected alignment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from heatstudio.text import LineChange
from heatstudio.text.line_diff import AlignedLine, align_lines, changed_runs, compare_line
from tests.work import count_calls

LINES = st.lists(st.sampled_from(["", "a:", "  b:", "  b: 1", "  b: 2", "    type: A", "    type: B"]), max_size=30)


def rows(old: str, new: str) -> list[str]:
    before, after = old.split("\n"), new.split("\n")
    return [
        f"{line.change.value or ' '}"
        f" {before[line.old] if line.old is not None else '.'} | {after[line.new] if line.new is not None else '.'}"
        for line in align_lines(before, after)
    ]


def applied(old: list[str], new: list[str], lines: tuple[AlignedLine, ...]) -> list[str]:
    """Return the new lines, rebuilt from the rows: kept lines from the old text, all others from the new text."""
    result = []
    for line in lines:
        if line.change is LineChange.KEPT and line.old is not None:
            result.append(old[line.old])
        elif line.new is not None:
            result.append(new[line.new])
    return result


@given(LINES, LINES)
@example(
    ["    type: A", "    type: A", "", "  b:", "    type: A", "a:", "    type: A"],
    ["a:", "    type: A", "    type: A", "", "  b:", "    type: A", "    type: A"],
)
def test_difference_applied_to_the_old_text_gives_the_new_one(old: list[str], new: list[str]) -> None:
    lines = align_lines(old, new)
    assert applied(old, new, lines) == new
    assert [line.old for line in lines if line.old is not None] == list(range(len(old)))
    assert [line.new for line in lines if line.new is not None] == list(range(len(new)))
    for line in lines:
        is_old, is_new = line.old is not None, line.new is not None
        assert (line.change is LineChange.MOVED) == (line.moved is not None)
        assert (line.change in {LineChange.DELETED, LineChange.MOVED}) >= (is_old and not is_new)
        assert (line.change in {LineChange.ADDED, LineChange.MOVED}) >= (is_new and not is_old)
        if line.old is not None and line.new is not None:
            assert (line.change is LineChange.KEPT) == (old[line.old] == new[line.new])


@given(LINES)
def test_equal_texts_have_no_differences(lines: list[str]) -> None:
    assert changed_runs(align_lines(lines, lines)) == ()


@given(LINES, LINES)
def test_changed_runs_are_the_rows_that_differ(old: list[str], new: list[str]) -> None:
    lines = align_lines(old, new)
    runs = changed_runs(lines)
    assert [row for run in runs for row in run] == [
        row for row, line in enumerate(lines) if line.change is not LineChange.KEPT
    ]
    assert all(first.stop < second.start for first, second in pairwise(runs))


def test_edited_line_is_aligned_with_the_old_one() -> None:
    assert rows("a\nsize: 10\nb", "a\nsize: 20\nb") == ["  a | a", "~ size: 10 | size: 20", "  b | b"]


def test_edited_line_below_an_added_line_is_aligned() -> None:
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


def test_run_of_an_added_resource_starts_with_its_name() -> None:
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
def test_text_outside_the_changed_spans_is_equal(old: str, new: str) -> None:
    def rest(text: str, side: int) -> str:
        pieces = compare_line(old, new)[side]
        inside = {at for piece in pieces for at in range(piece.start, piece.end)}
        return "".join(character for at, character in enumerate(text) if at not in inside)

    assert rest(old, 0) == rest(new, 1)


def test_changed_spans_are_whole_words() -> None:
    old, new = "  size: 10 # GB", "  size: 120 # GB"
    before, after = compare_line(old, new)
    assert [old[piece.start : piece.end] for piece in before] == ["10"]
    assert [new[piece.start : piece.end] for piece in after] == ["120"]
    assert compare_line(old, old) == ((), ())


def test_very_long_lines_are_compared_at_their_ends() -> None:
    old, new = "x" * 90_000 + "a" + "y" * 90_000, "x" * 90_000 + "b" + "y" * 90_000
    ((before,), (after,)) = compare_line(old, new)
    assert (old[before.start : before.end], new[after.start : after.end]) == ("a", "b")


def long_text(count: int) -> list[str]:
    return [f"  line {at % 50}: {at}" if at % 3 else "    type: OS::Nova::Server" for at in range(count)]


@pytest.mark.parametrize("changed", [1, 200])
def test_changed_lines_of_a_long_text_are_found(changed: int) -> None:
    old = long_text(12_000)
    new = list(old)
    for at in range(changed):
        new[at * 50 + 1] += " changed"
    lines = align_lines(old, new)
    assert sum(line.change is LineChange.CHANGED for line in lines) == changed


def test_work_of_comparison_is_linear_in_the_text() -> None:
    def work(count: int) -> int:
        old = long_text(count)
        new = [line + " changed" if at % 50 == 1 else line for at, line in enumerate(old)]
        return count_calls(lambda: align_lines(old, new))

    work(500)
    assert work(8_000) < 5 * work(2_000)


def test_line_that_is_unique_in_both_texts_is_aligned() -> None:
    old = "resources:\n  gone:\n    type: A\n\n  last:\n    type: A"
    new = "resources:\n  last:\n    type: A\n\n  added:\n    type: A"
    assert [row for row in rows(old, new) if "last" in row] == ["    last: |   last:"]
    lines = align_lines(old.split("\n"), new.split("\n"))
    assert [(run.start, len(run)) for run in changed_runs(lines)] == [(1, 3), (6, 3)]


def resource(name: str, *more: str) -> list[str]:
    return [f"  {name}:", "    type: OS::Heat::Value", *more, ""]


def moved(lines: Sequence[AlignedLine]) -> dict[int, int]:
    """Return the new indices of moved old lines; fail unless both sides of each move agree."""
    there = {line.old: line.moved for line in lines if line.change is LineChange.MOVED and line.old is not None}
    back = {line.moved: line.new for line in lines if line.change is LineChange.MOVED and line.new is not None}
    assert there == back
    return {before: after for before, after in there.items() if before is not None and after is not None}


def test_relocated_block_is_a_move() -> None:
    first, second, third = resource("first", "    a: 1"), resource("second", "    b: 1"), resource("third", "    c: 1")
    old, new = [*first, *second, *third], [*second, *third, *first]
    lines = align_lines(old, new)
    assert moved(lines) == {0: 8, 1: 9, 2: 10, 3: 11}
    assert {line.change for line in lines} == {LineChange.KEPT, LineChange.MOVED}
    assert applied(old, new, lines) == new


def test_moved_block_is_not_reported_as_edited() -> None:
    stays = [line for name in ("stays", "remains") for line in resource(name, "    c: 1", "    d: 1")]
    old = [*resource("first", "    a: 1"), *stays, *resource("web_1", "    b: 1"), "end"]
    new = [*resource("fresh", "    a: 2"), *stays, *resource("first", "    a: 1"), "end"]
    assert set(moved(align_lines(old, new))) >= {0, 1, 2}
    assert LineChange.CHANGED not in {line.change for line in align_lines(old, new)}


def test_changed_block_with_an_unchanged_copy_is_not_a_move() -> None:
    def server(name: str, *values: str) -> list[str]:
        properties = (f"    {key}: {value}" for key, value in zip(("image", "flavor", "key_name"), values, strict=True))
        return resource(name, *properties)

    other = server("other", "fedora", "large", "yours")
    old = [*server("web", "debian", "small", "mine"), *other]
    new = [*server("web", "ubuntu", "small", "ours"), *other, *server("copy", "debian", "small", "mine")]
    assert Counter(line.change for line in align_lines(old, new)) == {
        LineChange.KEPT: len(old) - 2,
        LineChange.CHANGED: 2,
        LineChange.ADDED: 6,
    }


def test_only_unchanged_lines_of_a_block_are_moved() -> None:
    first, second = resource("first", "    a: 1", "    b: 2", "    c: 3"), resource("second", *"xyzuvw")
    changed = [line.replace("b: 2", "b: 20") for line in first]
    assert moved(align_lines([*first, *second], [*second, *changed])) == {0: 9, 1: 10, 2: 11}


@pytest.mark.parametrize(
    "block",
    [["  - a long line of letters", "  - and one more of them"], ["  }", "", "  ]", "}"], ["  a:", "    b: 1", ""]],
    ids=["two lines", "brackets", "few letters"],
)
def test_short_and_common_lines_are_not_moved(block: list[str]) -> None:
    middle = [f"{at}: something that stays" for at in range(12)]
    lines = align_lines([*block, *middle, "end"], [*middle, *block, "end"])
    assert moved(lines) == {}
    assert Counter(line.change for line in lines)[LineChange.DELETED] == len(block)


def test_duplicate_block_is_not_a_move() -> None:
    block, middle = resource("same", "    a: 1"), [f"{at}: something that stays" for at in range(12)]
    assert moved(align_lines([*block, "x", *block, *middle], [*middle, *block])) == {}


@given(st.permutations([resource(name, f"    value: {name}") for name in ("one", "two", "three", "four", "five")]))
def test_reordered_blocks_are_kept_or_moved(blocks: list[list[str]]) -> None:
    old = [line for name in ("one", "two", "three", "four", "five") for line in resource(name, f"    value: {name}")]
    new = [line for block in blocks for line in block]
    lines = align_lines(old, new)
    places = {line.old: line.new for line in lines if line.change is LineChange.KEPT} | moved(lines)
    names = [at for at, line in enumerate(old) if line.startswith("  ") and not line.startswith("   ")]
    assert all(new[places.get(at) or 0] == old[at] for at in names)


def test_blocks_of_a_long_text_are_moved() -> None:
    old = long_text(12_000)
    assert len(moved(align_lines(old, [*old[6_000:], *old[:6_000]]))) > 5_990


def test_work_of_move_detection_is_linear_in_the_text() -> None:
    def work(count: int) -> int:
        old = long_text(count)
        return count_calls(lambda: align_lines(old, [*old[count // 2 :], *old[: count // 2]]))

    work(500)
    assert work(8_000) < 5 * work(2_000)
