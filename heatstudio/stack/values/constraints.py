"""Validation of plain values by constraints, with Heat's messages.

heat/engine/constraints.py; heat/engine/constraint/common_constraints.py for those that need no cloud.
"""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache, lru_cache
from importlib import import_module

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
from heatstudio.stack.values.network_address import cidr_fault, ip_address_fault, is_mac_address, subnet_fault

_KEYSTONE = "keystone."
_FQDN_LENGTH = 255
_LABEL = re.compile(r"[a-z0-9-]{1,63}$")
_DIGITS = re.compile(r"^[0-9]+$")
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


def custom_violation(name: str, value: object) -> str | None:
    """Return Heat's message if `value` violates the custom constraint `name` regardless of the cloud.

    Heat rejects an empty name without asking Keystone (heat/engine/clients/os/keystone/keystone_constraints.py).
    """
    if value == "" and name.startswith(_KEYSTONE):
        return f"Error validating value '': The Keystone{name.removeprefix(_KEYSTONE).title()} () could not be found."
    find_fault = _FAULTS.get(name)
    is_absent = not value and name in _MAY_BE_EMPTY
    reason = find_fault(value) if find_fault is not None and not is_absent else None
    if reason is None:
        return None
    return f"Error validating value '{value}': {reason}" if reason else f"Error validating value '{value}'"


def _text(value: object) -> str:
    """Return the value as a string; it already is one, because properties are converted first."""
    return value if isinstance(value, str) else str(value)


def _ip_address_fault(value: object) -> str | None:
    return "Invalid IP address" if not isinstance(value, str) or ip_address_fault(value) else None


def _ip_or_cidr_fault(value: object) -> str | None:
    text = _text(value)
    return (subnet_fault(text) if "/" in text else ip_address_fault(text)) or None


def _mac_fault(value: object) -> str | None:
    return None if isinstance(value, str) and is_mac_address(value) else "Invalid MAC address."


def _dns_name_fault(value: object) -> str | None:
    text = _text(value)
    fault = _dns_fault(text) if text else None
    return f"'{text}' not in valid format. Reason: {fault}" if fault else None


def _dns_fault(text: str) -> str | None:
    trimmed = text.removesuffix(".")
    if len(trimmed) > _FQDN_LENGTH:
        return f"'{trimmed}' exceeds the {_FQDN_LENGTH} character FQDN limit"
    labels = trimmed.split(".")
    for label in labels:
        if not label:
            return "Encountered an empty component."
        if label.endswith("-") or label.startswith("-"):
            return f"Name '{label}' must not start or end with a hyphen."
        if not _LABEL.match(label):
            return f"Name '{label}' must be 1-63 characters long, each of which can only be alphanumeric or a hyphen."
    if text.endswith(".") and len(labels) > 1 and _DIGITS.match(labels[-1]):
        return f"TLD '{labels[-1]}' must not be all numeric."
    return None


def _relative_dns_name_fault(value: object) -> str | None:
    text = _text(value)
    if text.endswith("."):
        return f"'{text}' is a FQDN. It should be a relative domain name."
    if len(text) > _FQDN_LENGTH - 3:
        return (
            f"'{text}' contains '{len(text)}' characters. Adding a domain name will cause it to exceed the "
            f"maximum length of a FQDN of '{_FQDN_LENGTH}'."
        )
    return _dns_name_fault(text)


def _dns_domain_fault(value: object) -> str | None:
    text = _text(value)
    is_relative = bool(text) and not text.endswith(".")
    return _dns_name_fault(text) or (f"'{text}' must end with '.'." if is_relative else None)


def _iso_8601_fault(value: object) -> str | None:
    try:
        import_module("iso8601").parse_date(_text(value))
    except ValueError:
        return ""
    return None


def _expiration_fault(value: object) -> str | None:
    try:
        if import_module("iso8601").parse_date(_text(value).strip()).astimezone(UTC) <= datetime.now(UTC):
            return f"Expiration {value} is invalid: Expiration time is out of date."
    except (ValueError, OverflowError) as error:
        return f"Expiration {value} is invalid: {error}"
    return None


def _timezone_fault(value: object) -> str | None:
    """Check a time zone, unless the system has no time zone data."""
    import zoneinfo

    if not _has_time_zones():
        return None
    try:
        zoneinfo.ZoneInfo(_text(value))
    except (ValueError, OSError, KeyError) as error:
        return f"Invalid timezone: {error}"
    return None


@cache
def _has_time_zones() -> bool:
    import zoneinfo

    return bool(zoneinfo.available_timezones())


def _json_fault(value: object) -> str | None:
    try:
        json.loads(_text(value))
    except ValueError as error:
        return f"JSON string {value} is invalid: {error}"
    return None


def _cron_fault(value: object) -> str | None:
    """Check a cron expression with croniter, Heat's library with its own dialect."""
    try:
        import_module("croniter").croniter(_text(value))
    except (ValueError, LookupError, TypeError, ArithmeticError, AttributeError) as error:
        return f"Invalid CRON expression: {error}"
    return None


_MAY_BE_EMPTY = ("cron_expression", "expiration", "json_string", "timezone")
_FAULTS: dict[str, Callable[[object], str | None]] = {
    "cron_expression": _cron_fault,
    "dns_domain": _dns_domain_fault,
    "dns_name": _dns_name_fault,
    "expiration": _expiration_fault,
    "ip_addr": _ip_address_fault,
    "ip_or_cidr": _ip_or_cidr_fault,
    "iso_8601": _iso_8601_fault,
    "json_string": _json_fault,
    "mac_addr": _mac_fault,
    "net_cidr": lambda value: cidr_fault(_text(value)),
    "rel_dns_name": _relative_dns_name_fault,
    "timezone": _timezone_fault,
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
    if not isinstance(constraint, AllowedPattern) or not isinstance(value, str):
        return False
    return _matches(constraint.pattern, value) is None


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
