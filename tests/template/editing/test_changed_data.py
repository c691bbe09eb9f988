"""Equality of data: a text and a number with the same digits differ, as Heat distinguishes them."""

from __future__ import annotations

import pytest

from heatstudio.template.editing.rendering_plan import same_data

NAN = float("nan")


@pytest.mark.parametrize(
    ("first", "second", "is_same"),
    [
        (1, "1", False),
        (1, True, False),
        (1, 1.0, False),
        (None, "", False),
        ([1], ["1"], False),
        ([1], [1, 2], False),
        ({"a": [1]}, {"a": ["1"]}, False),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ({"a": 1}, {"b": 1}, False),
        ("1", "1", True),
        ({"a": [1, {"b": None}]}, {"a": [1, {"b": None}]}, True),
        (NAN, float("nan"), True),
    ],
)
def test_data_is_the_same_only_with_the_same_types(first: object, second: object, is_same: bool) -> None:
    assert same_data(first, second) is is_same
    assert same_data(second, first) is is_same
