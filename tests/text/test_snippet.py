from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from heatstudio.text.snippet import Field, indent_snippet, parse_snippet


def test_fields_are_sorted_by_number_with_zero_last() -> None:
    snippet = parse_snippet("b: ${2:two}\na: ${1}$0!")
    assert snippet.text == "b: two\na: !"
    assert snippet.fields == (Field(1, 10, 10), Field(2, 3, 6), Field(0, 10, 10))


def test_final_position_without_field_zero_is_the_end() -> None:
    assert parse_snippet("flavor: ").fields == (Field(0, 8, 8),)


def test_backslash_escapes_special_characters() -> None:
    assert parse_snippet(r"\$1 ${1:a\}b}").text == "$1 a}b"


def test_lines_are_indented_like_their_context() -> None:
    assert indent_snippet("a:\n  b", "    ") == "a:\n      b"
    assert indent_snippet("a: b\n\nc: d", "  ") == "a: b\n\n  c: d", "no blanks at the end of an empty line"


@given(st.text(st.sampled_from("${}1:a\\\n"), max_size=20))
def test_every_text_is_a_snippet(source: str) -> None:
    snippet = parse_snippet(source)
    assert snippet.fields
    assert all(0 <= field.start <= field.end <= len(snippet.text) for field in snippet.fields)
