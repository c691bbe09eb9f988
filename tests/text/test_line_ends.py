"""A file is saved with the line ends that it was read with."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heatstudio.text import editable

LINES = st.lists(st.tuples(st.text(st.sampled_from("ab é\u00a0\u2028"), max_size=3), st.sampled_from(["\n", "\r\n"])))


def joined(lines: list[tuple[str, str]]) -> str:
    return "".join(line + end for line, end in lines)


@pytest.mark.parametrize("text", ["", "a", "a\n", "a\r\nb\r\n", "\ufeffa: 1\n", "a\r\nb\nc\rd", "\r", "\n\n"])
def test_unchanged_text_is_saved_unchanged(text: str) -> None:
    found = editable(text)
    assert found.in_file(found.text) == text
    assert "\r" not in found.text


@given(LINES)
def test_any_mixture_of_line_ends_is_kept(lines: list[tuple[str, str]]) -> None:
    found = editable(joined(lines))
    assert found.in_file(found.text) == joined(lines)


@given(LINES, LINES)
def test_edited_file_has_the_edited_text(before: list[tuple[str, str]], after: list[tuple[str, str]]) -> None:
    text = "\n".join(line for line, _ in after)
    assert editable(editable(joined(before)).in_file(text)).text == text


def test_line_ends_of_unchanged_lines_are_kept() -> None:
    found = editable("one\r\ntwo\nthree\r\nfour\n")
    assert found.in_file("one\ntwo\nnew\nthree\nfour\n") == "one\r\ntwo\nnew\r\nthree\r\nfour\n"
    assert found.newline_word == "mixed line endings"
