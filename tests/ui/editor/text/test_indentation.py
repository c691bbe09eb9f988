from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heatstudio.text.yaml_lexer import Construct, LineState
from heatstudio.ui.editor.text.indentation import comment_toggled, indent_after, indented, lines_below, unindented


@pytest.mark.parametrize(
    ("before", "indent"),
    [
        ("resources:", 2),
        ("  server:  # the one", 4),
        ("  server: ", 4),
        ("    type: OS::Nova::Server", 4),
        ("    - port: x", 6),
        ("    - port:", 8),
        ("    - x", 4),
        ("    - ", 4),
        ("  a: |", 4),
        ("  - |", 4),
        ("  a: >-", 4),
        ("  a: {", 4),
        ("  a: [", 4),
        ("  a: {b: c}", 2),
        ("  a: {b: [1, 2", 4),
        ("  a: {b: [1, 2]}", 2),
        ("  - {a: 1,", 6),
        ("  a: '{'", 2),
        ("  a: it costs {", 2),
        ("  # comment:", 2),
        ("    ", 4),
        ("", 0),
        ('  "a": "b"', 2),
    ],
)
def test_enter_indents_the_next_line(before: str, indent: int) -> None:
    assert indent_after(before) == indent


def test_enter_keeps_the_indentation_in_block_scalars() -> None:
    assert indent_after("    if true:", LineState(Construct.BLOCK, 4)) == 4


@given(st.lists(st.text(st.sampled_from(" a#:"), max_size=8), max_size=6))
def test_commenting_twice_changes_nothing(lines: list[str]) -> None:
    uncommented = [line for line in lines if not line.lstrip().startswith("#")]
    assert comment_toggled(comment_toggled(uncommented)) == uncommented


def test_comment_signs_are_aligned() -> None:
    assert comment_toggled(["  a:", "", "    b: c"]) == ["  # a:", "", "  #   b: c"]


def test_indentation_changes_by_two_columns() -> None:
    assert indented(["a", " b", "", "  c"]) == ["  a", "  b", "", "    c"]
    assert unindented(["a", " b", "   c", "    d"]) == ["a", "b", "  c", "  d"]


LINES = [
    "resources:",
    "  server:",
    "    type: x",
    "",
    "# note",
    "    properties:",
    "    - a",
    "    - b",
    "",
    "outputs:",
]


@pytest.mark.parametrize(
    ("line", "end"), [(0, 7), (1, 7), (2, None), (3, None), (4, None), (5, 7), (6, None), (9, None)]
)
def test_fold_ends_before_a_less_indented_line(line: int, end: int | None) -> None:
    distance = max(lines_below(LINES[line:]), default=None)
    assert (None if distance is None else line + distance) == end
