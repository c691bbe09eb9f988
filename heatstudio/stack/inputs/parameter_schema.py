"""Declarations of parameters (heat/engine/parameters.py, heat/engine/hot/parameters.py)."""

import re
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from functools import cache, partial

from msgspec import Struct

from heatstudio.catalog.schema import (
    AllowedPattern,
    AllowedValues,
    Constraint,
    CustomConstraint,
    Length,
    Modulo,
    PropertyType,
    Range,
)
from heatstudio.stack.functions.language import Language
from heatstudio.stack.functions.pattern import Pattern
from heatstudio.stack.numeric import number
from heatstudio.template import Dialect, TreePath

MOST_FAULTS = 50
"""Maximum number of faults reported per declaration."""


class ParameterType(StrEnum):
    """The types of parameters; the values are HOT's names."""

    STRING = "string"
    NUMBER = "number"
    LIST = "comma_delimited_list"
    MAP = "json"
    BOOLEAN = "boolean"

    @property
    def property_type(self) -> PropertyType:
        """The equivalent property type, for constraints."""
        return PropertyType[self.name]


class ParameterSchema(Struct, frozen=True):
    """The declaration of a parameter."""

    name: str
    type: ParameterType
    type_word: str
    """The name of the type in the dialect of the template."""
    description: str | None = None
    default: object = None
    """The default as written; None if there is none."""
    constraints: tuple[Constraint, ...] = ()
    hidden: bool = False
    label: str | None = None
    immutable: bool = False


class SchemaError(Exception):
    """An error for a declaration that Heat rejects: Heat's message, and the path relative to the declaration."""

    def __init__(self, message: str, path: tuple[str | int, ...] = ()) -> None:
        super().__init__(message)
        self.path = path


def parse_parameter_schema(name: str, data: object, language: Language) -> ParameterSchema:
    """Return the schema of a parameter. Raise SchemaError if the declaration is invalid."""
    words = language.dialect
    entry = _checked_map(data, words.parameter_keys, f"parameter ({name})")
    if words.type not in entry:
        raise SchemaError(f"Missing parameter type for parameter: {name}")
    if not isinstance(entry.get("tags", []), list):
        raise SchemaError(f"Tags property should be a list for parameter: {name}", ("tags",))
    constraints = tuple(_hot_constraints(name, entry, language) if language.is_hot else _cfn_constraints(entry))
    word = entry[words.type]
    types = _types(words.parameter_types)
    if not isinstance(word, str) or word not in types:
        raise SchemaError(f"Invalid type ({word})", (words.type,))
    return ParameterSchema(
        name,
        types[word],
        word,
        description=_text(entry.get(words.description)),
        default=entry.get(words.default),
        constraints=constraints,
        hidden=is_hidden(entry, words),
        label=_text(entry.get(words.label)),
        immutable=bool(entry.get(words.immutable, False)),
    )


def is_hidden(entry: object, words: Dialect) -> bool:
    """Return whether the declaration of a parameter hides its value, even if Heat rejects another part of it."""
    value = entry.get(words.hidden, False) if isinstance(entry, Mapping) else False
    return bool(value) if words.is_hot else str(value).lower() == "true"


@cache
def _types(words: tuple[str, ...]) -> dict[str, ParameterType]:
    return dict(zip(words, ParameterType, strict=True))


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _checked_map(data: object, keys: tuple[str, ...], what: str) -> Mapping[str, object]:
    if not isinstance(data, Mapping):
        raise SchemaError(f"Invalid {what}, expected a mapping")
    for key in data:
        if key not in keys:
            raise SchemaError(f"Invalid key '{key}' for {what}", (str(key),))
    return data


def _cfn_constraints(entry: Mapping[str, object]) -> Iterator[Constraint]:
    description = _text(entry.get("ConstraintDescription"))
    for make, low, high in ((_range, "MinValue", "MaxValue"), (_length, "MinLength", "MaxLength")):
        if low in entry or high in entry:
            yield _below(low if low in entry else high, partial(make, entry, low, high, description))
    if "AllowedValues" in entry:
        yield _below("AllowedValues", partial(_allowed_values, entry["AllowedValues"], description))
    if "AllowedPattern" in entry:
        yield _below("AllowedPattern", partial(_allowed_pattern, entry["AllowedPattern"], description))


CONSTRAINT_KEYS = ("description", "length", "range", "modulo", "allowed_values", "allowed_pattern", "custom_constraint")


def _hot_constraints(name: str, entry: Mapping[str, object], language: Language) -> Iterator[Constraint]:
    section = language.dialect.constraints
    constraints = entry.get(section)
    if constraints is None:
        return
    if not isinstance(constraints, list):
        raise SchemaError(f"Invalid parameter constraints for parameter {name}, expected a list", (section,))
    for index, constraint in enumerate(constraints):
        try:
            checked = _checked_map(constraint, CONSTRAINT_KEYS, "parameter constraints")
            yield _hot_constraint(checked, has_modulo="modulo" in language.parameter_constraints)
        except SchemaError as error:
            raise SchemaError(str(error), (section, index, *error.path)) from None


def _hot_constraint(data: Mapping[str, object], *, has_modulo: bool) -> Constraint:
    """Return the constraint of one list item; Heat reads only the first of its keys, in this order."""
    description = _text(data.get("description"))
    if has_modulo and "modulo" in data:
        bounds = _checked_map(data["modulo"], ("step", "offset"), "modulo constraint")
        return _below("modulo", partial(_modulo, bounds, description))
    for word, make in (("range", _range), ("length", _length)):
        if word in data:
            limits = _checked_map(data[word], ("min", "max"), f"{word} constraint")
            return _below(word, partial(make, limits, "min", "max", description))
    if "allowed_values" in data:
        return _below("allowed_values", partial(_allowed_values, data["allowed_values"], description))
    if "allowed_pattern" in data:
        return _below("allowed_pattern", partial(_allowed_pattern, data["allowed_pattern"], description))
    if "custom_constraint" in data:
        name = data["custom_constraint"]
        return CustomConstraint(name if isinstance(name, str) else "", description)
    raise SchemaError("No constraint expressed")


def _below(key: str, make: Callable[[], Constraint]) -> Constraint:
    """Return a constraint. Raise SchemaError with the key in its path if the constraint is invalid."""
    try:
        return make()
    except SchemaError as error:
        raise SchemaError(str(error), (key, *error.path)) from None
    except (ValueError, TypeError) as error:
        raise SchemaError(str(error), (key,)) from None


def _number(data: Mapping[str, object], key: str) -> int | float | None:
    value = data.get(key)
    return None if value is None else number(value)


def _range(data: Mapping[str, object], low: str, high: str, description: str | None) -> Constraint:
    minimum, maximum = _number(data, low), _number(data, high)
    if minimum is None and maximum is None:
        raise SchemaError("A range constraint must have a min value and/or a max value specified.")
    return Range(minimum, maximum, description)


def _length(data: Mapping[str, object], low: str, high: str, description: str | None) -> Constraint:
    minimum, maximum = _number(data, low), _number(data, high)
    if minimum is None and maximum is None:
        raise SchemaError("A length constraint must have a min value and/or a max value specified.")
    if isinstance(minimum, float) or isinstance(maximum, float):
        raise SchemaError("min/max length must be integral")
    return Length(minimum, maximum, description)


def _modulo(data: Mapping[str, object], description: str | None) -> Constraint:
    step, offset = _number(data, "step"), _number(data, "offset")
    if step is None or offset is None:
        raise SchemaError("A modulo constraint must have a step value and an offset value specified.")
    if int(step) != step or int(offset) != offset:
        raise SchemaError("step/offset must be integer")
    if int(step) == 0:
        raise SchemaError("step cannot be 0.")
    if abs(offset) >= abs(step):
        raise SchemaError("offset must be smaller (by absolute value) than step.")
    if step * offset < 0:
        raise SchemaError("step and offset must be both positive or both negative.")
    return Modulo(step, offset, description)


def _allowed_values(values: object, description: str | None) -> Constraint:
    if not isinstance(values, list):
        raise SchemaError("AllowedValues must be a list")
    return AllowedValues(tuple(values), description)


def _allowed_pattern(pattern: object, description: str | None) -> Constraint:
    if not isinstance(pattern, str):
        raise SchemaError("AllowedPattern must be a string")
    try:
        Pattern(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise SchemaError(str(error)) from None
    return AllowedPattern(pattern, description)


def declaration_faults(
    name: str, data: object, language: Language
) -> tuple[tuple[SchemaError, ...], ParameterSchema | None]:
    """Return the faults, and the schema without the faulty parts or None if the type is wrong or faults remain."""
    words = language.dialect
    typed, reported = True, dict[tuple[str, TreePath], SchemaError]()
    order = _positions(data, words.constraints)
    for _ in range(MOST_FAULTS):
        try:
            schema = parse_parameter_schema(name, data, language)
        except SchemaError as error:
            fault = SchemaError(str(error), _as_written(error.path, order))
            reported[str(fault), fault.path[:1]] = fault
            if not isinstance(data, Mapping):
                break
            if error.path in ((), (words.type,)):
                typed, data = False, {**data, words.type: words.parameter_types[0]}
            else:
                data = _without(data, error.path, order)
        else:
            return tuple(reported.values()), schema if typed else None
    return tuple(reported.values()), None


def _positions(data: object, section: str) -> list[int]:
    """Return the positions of all constraints."""
    constraints = data.get(section) if isinstance(data, Mapping) else None
    return list(range(len(constraints))) if isinstance(constraints, list) else []


def _as_written(path: TreePath, order: list[int]) -> TreePath:
    return (path[0], order[path[1]], *path[2:]) if len(path) > 1 and isinstance(path[1], int) else path


def _without(data: Mapping[str, object], path: TreePath, order: list[int]) -> dict[str, object]:
    """Return the declaration without the faulty key, or without the faulty constraint."""
    key = path[0]
    value = data.get(str(key))
    if len(path) > 1 and isinstance(path[1], int) and isinstance(value, list):
        order.pop(path[1])
        return {**data, str(key): [*value[: path[1]], *value[path[1] + 1 :]]}
    return {other: item for other, item in data.items() if str(other) != key}
