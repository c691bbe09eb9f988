"""Conversion of scalars to the types of properties (heat/engine/properties.py, Property._get_*)."""

import json

from heatstudio.catalog.schema import PropertySchema, PropertyType
from heatstudio.stack.numeric import integer, number
from heatstudio.stack.unknown import derived, has_unknown
from heatstudio.stack.values.property_problem import PropertyError, PropertyFault


def convert_scalar(schema: PropertySchema, value: object) -> object:
    """Return the value as Heat passes it to a plug-in: "8" becomes 8 for an integer, None the default or empty value.

    Raise PropertyError with one problem, whose path is empty.
    """
    match schema.type:
        case PropertyType.STRING:
            return _string(schema, value)
        case PropertyType.INTEGER:
            return _integer(schema, value)
        case PropertyType.NUMBER:
            return _number(schema, value)
        case PropertyType.BOOLEAN:
            return _boolean(schema, value)
        case PropertyType.MAP:
            return derived("json", value) if has_unknown(value) else json.dumps(value)
        case _:
            return value


def wrong_type(schema: PropertySchema, value: object, message: str) -> PropertyError:
    """Return the error for a value of a wrong type."""
    return PropertyError.of(PropertyFault.TYPE, message, schema=schema, value=value)


def _string(schema: PropertySchema, value: object) -> str:
    if value is None:
        value = schema.default or ""
    if isinstance(value, (bool, int)):
        return str(value)
    if isinstance(value, str):
        return value
    raise wrong_type(schema, value, f"Value must be a string; got {value!r}")


def _integer(schema: PropertySchema, value: object) -> int:
    if value is None:
        value = schema.default or 0
    try:
        return integer(value)
    except TypeError as error:
        raise wrong_type(schema, value, str(error)) from None
    except (ValueError, OverflowError):
        raise wrong_type(schema, value, f"Value '{value}' is not an integer") from None


def _number(schema: PropertySchema, value: object) -> object:
    if value is None:
        value = schema.default or 0
    try:
        return number(value)
    except (TypeError, ValueError) as error:
        raise wrong_type(schema, value, str(error)) from None


def _boolean(schema: PropertySchema, value: object) -> bool:
    if value is None:
        value = schema.default or False
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in ("true", "false"):
        return value.lower() == "true"
    shown = value.lower() if isinstance(value, str) else value
    raise wrong_type(schema, value, f'"{shown}" is not a valid boolean')
