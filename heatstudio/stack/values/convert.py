"""Conversion of values to the types of properties (heat/engine/properties.py, Property._get_*)."""

import json
from string import printable

from heatstudio.catalog.schema import Constraint, PropertySchema, PropertyType
from heatstudio.stack.numeric import integer, number
from heatstudio.stack.unknown import LISTS, Shape, Unknown, derived, has_unknown, text_pieces
from heatstudio.stack.values.constraints import violation
from heatstudio.stack.values.property_problem import PropertyError, PropertyFault

_WORDS = {
    Shape.TEXT: "A string",
    Shape.CHARACTER: "A single character",
    Shape.STACK_ID: "The ID of a stack",
    Shape.NUMBER: "A number",
    Shape.BOOLEAN: "A boolean",
    Shape.LIST: "A list",
    Shape.ITEMS: "A list",
    Shape.MAP: "A map",
}
NOT_STORED = "None"
_EMPTY = {PropertyType.STRING: "", PropertyType.INTEGER: 0, PropertyType.NUMBER: 0, PropertyType.BOOLEAN: False}
"""What Heat makes of null without a default, by the types of scalars."""
_ALL_TEXTS = {Shape.CHARACTER: ("0", "", *printable), Shape.BOOLEAN: ("True", "False")}
"""All strings to which a value of a shape can be converted for a property of type string."""
_LETTERS_OF_NUMBERS = ".einfaty"
"""The characters of `1.5e3`, `nan` and `infinity`."""
_TEXTS = (Shape.TEXT, Shape.CHARACTER, Shape.STACK_ID)


def convert_scalar(schema: PropertySchema, value: object) -> object:
    """Return the value as Heat passes it to a plug-in: "8" becomes 8 for an integer, None the default or empty value.

    Raise PropertyError with one problem, whose path is empty.
    """
    if value is None and schema.type in _EMPTY:
        value = schema.default or _EMPTY[schema.type]
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
    if isinstance(value, (bool, int)):
        return str(value)
    if isinstance(value, str):
        return value
    raise wrong_type(schema, value, f"Value must be a string; got {value!r}")


def _integer(schema: PropertySchema, value: object) -> int:
    try:
        return integer(value)
    except TypeError as error:
        raise wrong_type(schema, value, str(error)) from None
    except (ValueError, OverflowError):
        raise wrong_type(schema, value, f"Value '{value}' is not an integer") from None


def _number(schema: PropertySchema, value: object) -> object:
    try:
        return number(value)
    except (TypeError, ValueError) as error:
        raise wrong_type(schema, value, str(error)) from None


def _boolean(schema: PropertySchema, value: object) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in ("true", "false"):
        return value.lower() == "true"
    shown = value.lower() if isinstance(value, str) else value
    raise wrong_type(schema, value, f'"{shown}" is not a valid boolean')


def refuse_unknown(schema: PropertySchema, value: Unknown, *, validate: bool) -> None:
    """Raise PropertyError if no value of the shape can be converted or, with `validate`, satisfies the constraints."""
    article = "an" if schema.type is PropertyType.INTEGER else "a"
    if _is_wrong(schema, value.shape):
        message = f"{_WORDS[value.shape]} cannot be {article} {schema.type.value.lower()}."
        raise wrong_type(schema, value, message)
    odd = _impossible_part(schema, value)
    if odd is not None:
        message = f"A string that contains `{odd}` cannot be {article} {schema.type.value.lower()}."
        raise wrong_type(schema, value, message)
    if value.shape is Shape.STACK_ID:
        _refuse_stack_id(schema, value, validate=validate)
    for constraint in schema.constraints if validate else ():
        refusal = _refusal_of_all(constraint, schema.type, value.shape)
        if refusal is not None:
            text = f"{_WORDS[value.shape]} is not allowed here: {refusal}"
            raise PropertyError.of(PropertyFault.CONSTRAINT, text, schema=schema, constraint=constraint, value=value)


def _refuse_stack_id(schema: PropertySchema, value: Unknown, *, validate: bool) -> None:
    """Check the ID of a stack that is not stored yet: the string `None` (heat/engine/hot/parameters.py)."""
    if schema.type not in _EMPTY:
        return
    text = convert_scalar(schema, NOT_STORED)
    for constraint in schema.constraints if validate else ():
        refusal = violation(constraint, text, schema.type)
        if refusal is not None:
            message = f"{refusal} (before the stack exists, its ID is the string `{NOT_STORED}`)"
            raise PropertyError.of(PropertyFault.CONSTRAINT, message, schema=schema, constraint=constraint, value=value)


def _is_wrong(schema: PropertySchema, shape: Shape) -> bool:
    match schema.type:
        case PropertyType.STRING | PropertyType.INTEGER | PropertyType.NUMBER:
            return shape in (*LISTS, Shape.MAP)
        case PropertyType.BOOLEAN:
            return shape in (*LISTS, Shape.MAP, Shape.NUMBER)
        case PropertyType.LIST:
            is_text = shape in _TEXTS and not schema.allow_conversion
            return is_text or shape in (Shape.NUMBER, Shape.BOOLEAN, Shape.MAP)
        case PropertyType.MAP:
            is_text_or_list = shape in (*_TEXTS, *LISTS) and not schema.allow_conversion
            return is_text_or_list or shape in (Shape.NUMBER, Shape.BOOLEAN)
    return False


def _impossible_part(schema: PropertySchema, value: Unknown) -> str | None:
    """Return a known part of a text that no text of a number or boolean contains; None if there is none."""
    for piece in text_pieces(value) or ():
        if not isinstance(piece, str):
            continue
        match schema.type:
            case PropertyType.INTEGER | PropertyType.NUMBER:
                letters = "" if schema.type is PropertyType.INTEGER else _LETTERS_OF_NUMBERS
                is_odd = not all(one.isdecimal() or one.isspace() or one in f"+-_{letters}" for one in piece.lower())
            case PropertyType.BOOLEAN:
                is_odd = not any(piece.lower() in word for word in ("true", "false"))
            case _:
                return None
        if is_odd:
            return piece
    return None


def _refusal_of_all(constraint: Constraint, kind: PropertyType, shape: Shape) -> str | None:
    """Return the message for the first string of a shape (`_ALL_TEXTS`) if the constraint rejects all its strings."""
    texts = _ALL_TEXTS.get(shape)
    if kind is not PropertyType.STRING or texts is None:
        return None
    messages = [violation(constraint, text, kind) for text in texts]
    return messages[0] if all(message is not None for message in messages) else None
