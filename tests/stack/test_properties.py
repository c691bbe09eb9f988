"""Property values and their problems, with example schemas."""

from __future__ import annotations

import pytest

from heatstudio.catalog.schema import ANY_ELEMENT, AllowedValues, PropertySchema, PropertyType, Range
from heatstudio.stack.unknown import Unknown
from heatstudio.stack.values.properties import Properties
from heatstudio.stack.values.property_problem import PropertyError, PropertyFault

SIZE = PropertySchema("size", PropertyType.INTEGER, constraints=(Range(1, 9),))
NAME = PropertySchema("name", PropertyType.STRING, required=True)
MODE = PropertySchema("mode", PropertyType.STRING, default="a", constraints=(AllowedValues(("a", "b")),))
PART = PropertySchema(ANY_ELEMENT, PropertyType.MAP, children={"size": SIZE, "name": NAME})
PARTS = PropertySchema("parts", PropertyType.LIST, children={ANY_ELEMENT: PART})
SCHEMA = {schema.name: schema for schema in (SIZE, MODE, PARTS)}


def problems(data: dict[str, object], schema: dict[str, PropertySchema] | None = None) -> list[tuple[str, object]]:
    found = Properties(schema or SCHEMA, data).problems()
    return [(problem.fault.name, problem.path) for problem in found]


def test_empty_properties_are_valid() -> None:
    assert problems({}) == []
    assert Properties(SCHEMA, {}).values() == {"size": None, "mode": "a", "parts": None}


@pytest.mark.parametrize(
    ("kind", "given", "value"),
    [
        (PropertyType.INTEGER, "8", 8),
        (PropertyType.INTEGER, 8.5, 8),
        (PropertyType.INTEGER, None, 0),
        (PropertyType.NUMBER, "8.5", 8.5),
        (PropertyType.BOOLEAN, "TRUE", True),
        (PropertyType.STRING, 8, "8"),
        (PropertyType.STRING, True, "True"),
        (PropertyType.LIST, None, []),
        (PropertyType.MAP, None, {}),
        (PropertyType.ANY, 1.5, 1.5),
    ],
)
def test_values_are_converted(kind: PropertyType, given: object, value: object) -> None:
    assert Properties({"p": PropertySchema("p", kind)}, {"p": given})["p"] == value


@pytest.mark.parametrize(
    ("kind", "given"),
    [
        (PropertyType.INTEGER, "8.5"),
        (PropertyType.INTEGER, []),
        (PropertyType.NUMBER, "many"),
        (PropertyType.BOOLEAN, "yes"),
        (PropertyType.BOOLEAN, 1),
        (PropertyType.STRING, 1.5),
        (PropertyType.STRING, {}),
        (PropertyType.LIST, "a,b"),
        (PropertyType.MAP, [1]),
    ],
)
def test_other_values_are_rejected(kind: PropertyType, given: object) -> None:
    with pytest.raises(PropertyError) as caught:
        Properties({"p": PropertySchema("p", kind)}, {"p": given})["p"]
    assert [problem.fault for problem in caught.value.problems] == [PropertyFault.TYPE]


def test_all_problems_are_reported_with_their_paths() -> None:
    data: dict[str, object] = {
        "size": 12,
        "nonsense": 1,
        "mode": "c",
        "parts": [{"size": "x"}, {"name": "n", "extra": 1}, "no map"],
    }
    assert problems(data) == [
        ("CONSTRAINT", ("size",)),
        ("UNKNOWN", ("nonsense",)),
        ("CONSTRAINT", ("mode",)),
        ("TYPE", ("parts", 0, "size")),
        ("MISSING", ("parts", 0, "name")),
        ("UNKNOWN", ("parts", 1, "extra")),
        ("TYPE", ("parts", 2)),
    ]


def test_name_problems() -> None:
    later = PropertySchema("later", PropertyType.STRING, implemented=False)
    properties = Properties({"later": later, "name": NAME}, {"later": "x", "nonsense": 1})
    assert [problem.fault.name for problem in properties.name_problems()] == ["NOT_IMPLEMENTED", "UNKNOWN"]


def test_unknown_values_have_no_problems() -> None:
    unknown = Unknown(("parameter", "p"))
    assert problems({"size": unknown, "parts": [unknown, {"name": unknown, "size": unknown}]}) == []


def test_constraints_on_pending_values_are_not_checked() -> None:
    properties = Properties(SCHEMA, {"mode": "c"}, is_pending=lambda value: value == "c")
    assert list(properties.problems()) == []


def test_description_of_the_resource_is_used_for_the_property() -> None:
    schema = {"description": PropertySchema("description", PropertyType.STRING, update_allowed=True)}
    assert Properties(schema, {}, description="words")["description"] == "words"
    assert Properties(schema, {"description": "own"}, description="words")["description"] == "own"


def test_unimplemented_elements_are_rejected_individually() -> None:
    tag = PropertySchema(ANY_ELEMENT, PropertyType.MAP, implemented=False, children={"name": NAME})
    tags = {"tags": PropertySchema("tags", PropertyType.LIST, children={ANY_ELEMENT: tag})}
    assert problems({"tags": []}, tags) == []
    assert problems({"tags": [{"name": "a"}]}, tags) == [("NOT_IMPLEMENTED", ("tags", 0))]
