"""Errors that follow from the type of a parameter without a value."""

from __future__ import annotations

import json

import pytest

from heatstudio.catalog.schema import AllowedValues, CustomConstraint, Length, PropertySchema, PropertyType
from heatstudio.stack.definition.knowledge import load_knowledge
from heatstudio.stack.definition.source import Source, define
from heatstudio.stack.functions.function import FunctionError, resolve
from heatstudio.stack.unknown import Shape, Unknown
from heatstudio.stack.values.convert import refuse_unknown
from heatstudio.stack.values.property_problem import PropertyError, PropertyFault
from heatstudio.template import parse_template

WRONG = {
    Shape.ANY: set(),
    Shape.TEXT: {PropertyType.LIST, PropertyType.MAP},
    Shape.CHARACTER: {PropertyType.LIST, PropertyType.MAP},
    Shape.STACK_ID: set(PropertyType) - {PropertyType.STRING, PropertyType.ANY},
    Shape.NUMBER: {PropertyType.LIST, PropertyType.MAP, PropertyType.BOOLEAN},
    Shape.BOOLEAN: {PropertyType.LIST, PropertyType.MAP},
    Shape.LIST: set(PropertyType) - {PropertyType.LIST, PropertyType.ANY},
    Shape.ITEMS: set(PropertyType) - {PropertyType.LIST, PropertyType.ANY},
    Shape.MAP: set(PropertyType) - {PropertyType.MAP, PropertyType.ANY},
}


def unknown(shape: Shape) -> Unknown:
    return Unknown(("parameter", "p"), shape=shape)


def fault(schema: PropertySchema, shape: Shape, *, validate: bool = True) -> PropertyFault | None:
    try:
        refuse_unknown(schema, unknown(shape), validate=validate)
    except PropertyError as error:
        return error.problems[0].fault
    return None


@pytest.mark.parametrize("shape", Shape)
def test_types_to_which_no_value_of_a_shape_converts(shape: Shape) -> None:
    refused = {kind for kind in PropertyType if fault(PropertySchema("p", kind), shape) is PropertyFault.TYPE}
    assert refused == WRONG[shape]


def test_nested_templates_accept_text_for_lists_and_maps() -> None:
    for kind in (PropertyType.LIST, PropertyType.MAP):
        assert fault(PropertySchema("p", kind, allow_conversion=True), Shape.TEXT) is None


def test_one_character_is_never_an_address() -> None:
    address = PropertySchema("p", PropertyType.STRING, constraints=(CustomConstraint("ip_addr"),))
    assert fault(address, Shape.CHARACTER) is PropertyFault.CONSTRAINT
    assert fault(address, Shape.CHARACTER, validate=False) is None
    assert fault(address, Shape.TEXT) is None
    long = PropertySchema("p", PropertyType.STRING, constraints=(Length(minimum=1),))
    assert fault(long, Shape.CHARACTER) is None


def test_boolean_as_text_is_one_of_two_texts() -> None:
    mode = PropertySchema("p", PropertyType.STRING, constraints=(AllowedValues(("tunnel", "transport")),))
    truth = PropertySchema("p", PropertyType.STRING, constraints=(AllowedValues(("True", "maybe")),))
    assert fault(mode, Shape.BOOLEAN) is PropertyFault.CONSTRAINT
    assert fault(truth, Shape.BOOLEAN) is None


def test_stack_id_is_the_text_none_before_creation() -> None:
    address = PropertySchema("p", PropertyType.STRING, constraints=(CustomConstraint("ip_addr"),))
    assert fault(address, Shape.STACK_ID) is PropertyFault.CONSTRAINT
    assert fault(address, Shape.STACK_ID, validate=False) is None
    assert fault(PropertySchema("p", PropertyType.STRING, constraints=(Length(4, 4),)), Shape.STACK_ID) is None


def test_shape_of_an_item() -> None:
    assert unknown(Shape.LIST).item(0).shape is Shape.TEXT
    assert unknown(Shape.TEXT).item("1").shape is Shape.CHARACTER
    assert unknown(Shape.ANY).item("key").shape is Shape.ANY
    with pytest.raises(TypeError):
        unknown(Shape.NUMBER).item(0)
    with pytest.raises(ValueError, match="invalid literal"):
        unknown(Shape.TEXT).item("key")


@pytest.mark.parametrize(
    ("kind", "other", "decided"),
    [
        ("string", "a", None),
        ("number", "1", False),
        ("number", 1, None),
        ("boolean", "true", False),
        ("boolean", True, None),
        ("comma_delimited_list", "a", False),
        ("json", "a", None),
    ],
)
def test_values_of_another_type_are_never_equal(kind: str, other: object, decided: bool | None) -> None:
    given = {"heat_template_version": "2018-08-31", "parameters": {"p": {"type": kind}}}
    conditions = {"c": {"equals": [{"get_param": "p"}, other]}, "d": {"equals": [[{"get_param": "p"}], [other]]}}
    stack, _ = define(Source(parse_template(json.dumps(given | {"conditions": conditions}))), load_knowledge())
    for name in conditions:
        value = stack.condition(name)
        assert isinstance(value, Unknown) if decided is None else value is decided


@pytest.mark.parametrize("name", ["OS::stack_id", "OS::project_id"])
def test_pseudo_parameters_are_text(name: str) -> None:
    resource = {"type": "OS::Heat::Value", "properties": {"value": {"list_join": [",", {"get_param": name}]}}}
    given = {"heat_template_version": "2018-08-31", "resources": {"a": resource}}
    stack, _ = define(Source(parse_template(json.dumps(given))), load_knowledge())
    properties = stack.resource_definition("a").properties
    with pytest.raises(FunctionError, match="must operate on a list"):
        resolve(properties, stack)
