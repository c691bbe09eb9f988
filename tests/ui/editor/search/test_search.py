from __future__ import annotations

import pytest

from heatstudio.text import Span, apply_edits
from heatstudio.ui.editor.search.search import Search, SearchPatternError, find_all, replace_edits


@pytest.mark.parametrize(
    ("search", "found"),
    [
        (Search("net"), [Span(0, 3), Span(4, 7), Span(12, 15)]),
        (Search("net", matches_case=True), [Span(0, 3), Span(12, 15)]),
        (Search("net", whole_words=True), [Span(0, 3), Span(12, 15)]),
        (Search("n.t", is_regex=True, matches_case=True), [Span(0, 3), Span(12, 15)]),
        (Search("^", is_regex=True), [Span(0, 0)]),
        (Search("(?=n)", is_regex=True), [Span(0, 0), Span(4, 4), Span(12, 12)]),
        (Search(""), []),
    ],
)
def test_matches_are_found(search: Search, found: list[Span]) -> None:
    assert find_all("net Network net", search) == found


@pytest.mark.parametrize(
    ("replacement", "after"), [(r"\2: \1", "b: a"), ("$2: $1", "b: a"), (r"$10\$2", "a0$2"), ("$b", "$b")]
)
def test_groups_are_inserted_into_the_replacement(replacement: str, after: str) -> None:
    text, search = "a: b", Search(r"(\w): (\w)", is_regex=True)
    assert apply_edits(text, replace_edits(text, search, replacement, find_all(text, search))) == after


@pytest.mark.parametrize(
    ("pattern", "replacement", "after"),
    [
        ("^", "# ", "# a\n# \n# bb\n# "),
        ("$", ";", "a;\n;\nbb;\n;"),
        ("^$", "-", "a\n-\nbb\n-"),
        (".*", "x", "x\nx\nx\nx"),
        ("b*", "-", "-a-\n-\n-\n-"),
        ("|b", "-", "-a-\n-\n----\n-"),
    ],
)
def test_empty_matches_are_found_and_replaced(pattern: str, replacement: str, after: str) -> None:
    text, search = "a\n\nbb\n", Search(pattern, is_regex=True)
    assert apply_edits(text, replace_edits(text, search, replacement, find_all(text, search))) == after


def test_plain_replacement_is_used_literally() -> None:
    text, search = "a", Search("a")
    assert apply_edits(text, replace_edits(text, search, r"\1", find_all(text, search))) == r"\1"


@pytest.mark.parametrize(
    ("pattern", "replacement"),
    [("(", ""), ("a", r"\7"), ("a", r"\x"), ("a", "$9"), ("(" * 3000, ""), ("a{9999999999999}", "")],
)
def test_unreadable_input_is_reported(pattern: str, replacement: str) -> None:
    search = Search(pattern, is_regex=True)
    with pytest.raises(SearchPatternError):
        replace_edits("a", search, replacement, find_all("a", search))


def test_expression_that_takes_too_long_is_rejected() -> None:
    with pytest.raises(SearchPatternError, match="takes too long"):
        find_all("a" * 200 + "b", Search("(a|aa)+$", is_regex=True))
