"""Search in lists of values that may be partly unknown."""

from __future__ import annotations

import pytest

from heatstudio.stack.unknown import Unknown, ValueSet

A, B = Unknown("a"), Unknown("b")


@pytest.mark.parametrize(
    ("value", "values", "included"),
    [
        (1, [1, 2], True),
        (1, ["1"], False),
        (1, [True], True),
        (1.0, [1], True),
        (None, [None], True),
        (None, [0, ""], False),
        ({"a": 1, "b": [2]}, [{"b": [2], "a": 1.0}], True),
        ({"a": 1}, [{"a": 2}], False),
        ([1, 2], [[2, 1]], False),
        ([1], [(1,)], True),
        ({}, [[]], False),
        (A, [A], True),
        (A, [B], None),
        (A, [1], None),
        (1, [2, A], None),
        (1, [1, A], True),
        ([1, A], [[1, 2, 3]], False),
        ([1, A], [[1, 2]], None),
        ({"a": 1}, [{"a": A}, {"b": A}], None),
        ({"a": 1}, [{"b": A}], False),
        (1, [], False),
    ],
)
def test_value_is_included(value: object, values: list[object], included: bool | None) -> None:
    assert ValueSet(values).include(value) is included
