"""Validation of plain values by constraints, with Heat's messages (heat/engine/constraints.py)."""

import json
import re
from functools import lru_cache

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
from heatstudio.stack.functions.budget import BudgetExceededError
from heatstudio.stack.functions.pattern import Pattern
from heatstudio.stack.numeric import boolean
from heatstudio.stack.numeric import number as to_number
from heatstudio.stack.unknown import ValueSet, has_unknown
from heatstudio.stack.values.custom_constraints import custom_violation

_NUMBERS = frozenset({PropertyType.INTEGER, PropertyType.NUMBER})
_SIZED = frozenset({PropertyType.STRING, PropertyType.LIST, PropertyType.MAP})
_SCALARS_AND_LISTS = _NUMBERS | {PropertyType.STRING, PropertyType.BOOLEAN, PropertyType.LIST}

_VALID_TYPES: dict[type[Constraint], frozenset[PropertyType]] = {
    Range: _NUMBERS,
    Modulo: _NUMBERS,
    Length: _SIZED,
    AllowedValues: _SCALARS_AND_LISTS,
    AllowedPattern: frozenset({PropertyType.STRING}),
    CustomConstraint: _SCALARS_AND_LISTS,
}


def applies(constraint: Constraint, schema_type: PropertyType) -> bool:
    """Return whether Heat accepts this kind of constraint in a schema of this type."""
    return schema_type in _VALID_TYPES[type(constraint)]


def violation(constraint: Constraint, value: object, schema_type: PropertyType | None = None) -> str | None:
    """Return Heat's message if `value` violates `constraint`; otherwise None.

    `value` is plain data converted to its schema type; a value with Unknown parts violates no constraint.
    `schema_type` only affects allowed values: Heat compares them after converting both sides.
    """
    if has_unknown(value):
        return None
    try:
        fault = _fault(constraint, value, schema_type)
    except (ValueError, TypeError, ArithmeticError) as error:
        return str(error)
    return None if fault is None else constraint.description or fault


def is_undecided(constraint: Constraint, value: object) -> bool:
    """Return whether matching a value against the pattern of a constraint takes too long."""
    return (
        isinstance(constraint, AllowedPattern)
        and isinstance(value, str)
        and _matches(constraint.pattern, value) is None
    )


def _fault(constraint: Constraint, value: object, schema_type: PropertyType | None) -> str | None:
    match constraint:
        case Range():
            return None if _within(constraint, to_number(value)) else f"{value} is out of range {_bounds(constraint)}"
        case Length():
            return _length_fault(constraint, value)
        case Modulo(step, offset):
            if to_number(value) % step == offset:
                return None
            return f"{value} is not a multiple of {step} with an offset of {offset}"
        case AllowedValues(allowed):
            if _is_allowed(allowed, value, schema_type):
                return None
            choice = ", ".join(map(json.dumps, allowed))
            return f"{json.dumps(value)} is not an allowed value [{choice}]"
        case AllowedPattern(pattern):
            return None if _matches(pattern, value) is not False else f'"{value}" does not match pattern "{pattern}"'
        case CustomConstraint(name):
            if not name.strip():
                return f'"{value}" does not validate {name} (constraint not found)'  # no plug-in has an empty name
            return custom_violation(name, value)


def _within(limits: Range | Length, number: float) -> bool:
    if limits.minimum is not None and number < limits.minimum:
        return False
    return limits.maximum is None or not number > limits.maximum


def _bounds(limits: Range | Length) -> str:
    return f"(min: {limits.minimum}, max: {limits.maximum})"


def _length_fault(constraint: Length, value: object) -> str | None:
    if not isinstance(value, str | list | dict | tuple):
        raise TypeError(f"object of type '{type(value).__name__}' has no len()")
    if _within(constraint, len(value)):
        return None
    return f"length ({len(value)}) is out of range {_bounds(constraint)}"


def _is_allowed(allowed: tuple[object, ...], value: object, schema_type: PropertyType | None) -> bool:
    """Return whether a value is allowed; the elements of a list are compared unconverted, other values converted."""
    if isinstance(value, list):
        return all(map(ValueSet(allowed).include, value))
    if schema_type is None:
        return value in allowed
    choice = [_converted(item, schema_type) for item in allowed]
    return _converted(value, schema_type) in choice


def _converted(value: object, schema_type: PropertyType) -> object:
    try:
        match schema_type:
            case PropertyType.INTEGER:
                number = to_number(value)
                if isinstance(number, float):
                    raise ValueError
                return number
            case PropertyType.NUMBER:
                return to_number(value)
            case PropertyType.STRING:
                return str(value)
            case PropertyType.BOOLEAN:
                return boolean(value)
    except ValueError:
        raise ValueError(f'Value "{value}" is invalid for data type "{schema_type}".') from None
    return value


def _matches(pattern: str, value: object) -> bool | None:
    """Return whether the match from the start, as Heat computes it, reaches the end; None if it takes too long."""
    compiled = compile_pattern(pattern)
    if compiled is None:
        return True
    if not isinstance(value, str):
        raise TypeError(f"expected string or bytes-like object, got '{type(value).__name__}'")
    try:
        found = compiled.match(value)
    except BudgetExceededError:
        return None
    return found is not None and found.end() == len(value)


@lru_cache(maxsize=1024)
def compile_pattern(pattern: str) -> Pattern | None:
    """Return the compiled regular expression; None if it is invalid, which is an error of the schema."""
    try:
        return Pattern(pattern)
    except (re.error, OverflowError, RecursionError):
        return None
