"""Example values of inserted resources are inside the ranges of their properties."""

from __future__ import annotations

import pytest

from heatstudio.analysis.example_values import example
from heatstudio.catalog.schema import Constraint, Length, Modulo, PropertySchema, PropertyType, Range


@pytest.mark.parametrize(
    ("kind", "constraint", "value"),
    [
        (PropertyType.INTEGER, Range(5, 9), 5),
        (PropertyType.INTEGER, Range(0, 9), 0),
        (PropertyType.INTEGER, Range(-3, None), -3),
        (PropertyType.INTEGER, Range(None, -2), -2),
        (PropertyType.NUMBER, Range(0.5, 2), 0.5),
        (PropertyType.INTEGER, Range(), 1),
        (PropertyType.INTEGER, Modulo(8, 3), 3),
        (PropertyType.LIST, Length(3, None), ["value"] * 3),
    ],
)
def test_example_is_inside_the_range(kind: PropertyType, constraint: Constraint, value: object) -> None:
    found = example(PropertySchema("a", kind, constraints=(constraint,)))
    assert found == value
    assert type(found) is type(value)
