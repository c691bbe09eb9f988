"""The values of the members of property groups: their lookup, tests and calculations."""

import base64
import re
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import NamedTuple

from heatstudio.catalog import PropertySchema, PropertyType
from heatstudio.catalog.property_groups.property_group import EACH_ELEMENT, EACH_KEY, Format, Member, Presence, Root
from heatstudio.stack.numeric import number as to_number
from heatstudio.stack.unknown import Unknown
from heatstudio.stack.values.properties import Properties
from heatstudio.stack.values.property_problem import PropertyError
from heatstudio.template import TreePath

_WILDCARDS = frozenset({EACH_ELEMENT, EACH_KEY})
Truth = bool | None
"""True, False, or None for unknown."""

_DURATION = re.compile(r"PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$")


class ValueAt(NamedTuple):
    """One value at a path."""

    path: TreePath
    """The path from the top of the properties, or of the facts."""
    value: object
    exists: bool = True
    """Whether the key exists; an Unknown with False stands for any value below an unknown value."""
    root: Root = Root.TOP


def at(value: object, path: TreePath) -> object:
    """Return the value at a path; None if there is none."""
    for step in path:
        if isinstance(value, Mapping):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def follow(start: ValueAt, steps: tuple[str, ...]) -> list[ValueAt]:
    """Return all places at a path with wildcards; the path stops at unknown values and missing elements."""
    path, value = start.path, start.value
    for index, step in enumerate(steps):
        if isinstance(value, Unknown):
            return [ValueAt(path, value, exists=False)]
        if step in _WILDCARDS:
            tail = steps[index + 1 :]
            return [
                place for key, item in _children(value, step) for place in follow(ValueAt((*path, key), item), tail)
            ]
        if not isinstance(value, Mapping) or step not in value:
            tail = steps[index:]
            return [] if not _WILDCARDS.isdisjoint(tail) else [ValueAt((*path, *tail), None, exists=False)]
        path, value = (*path, step), value[step]
    return [ValueAt(path, value)]


def _children(value: object, step: str) -> Iterable[tuple[str | int, object]]:
    if step == EACH_ELEMENT:
        return enumerate(value) if isinstance(value, list) else ()
    return value.items() if isinstance(value, Mapping) else ()


def present(presence: Presence, place: ValueAt) -> Truth:
    """Return whether the value at a place passes a presence test."""
    if isinstance(place.value, Unknown):
        return None if presence is Presence.TRUTHY or not place.exists else True
    match presence:
        case Presence.KEY:
            return place.exists
        case Presence.TRUTHY:
            return bool(place.value)
        case Presence.GIVEN:
            return place.value is not None


def ascending(values: list[object]) -> bool:
    """Return whether each number is at most the next; other values are ignored."""
    numbers = [number for value in values if (number := _number(value)) is not None]
    return all(low <= high for low, high in pairwise(numbers))


def _number(value: object) -> int | float | None:
    try:
        return to_number(value)
    except (ValueError, TypeError):
        return None


def calculate(operation: str, values: list[object]) -> object:
    """Return the sum or the product of the numbers; unknown if a value is unknown."""
    unknown = next((value for value in values if isinstance(value, Unknown)), None)
    if unknown is not None:
        return unknown
    numbers = [value for value in values if isinstance(value, int | float)]
    result: int | float = 0 if operation == "sum" else 1
    for number in numbers:
        result = result + number if operation == "sum" else result * number
    return result


def measured(member: Member, value: object) -> object:
    """Return the value that a member's constraints check: the seconds of a duration, or the value itself."""
    return seconds(value) if member.format is Format.DURATION else value


def seconds(value: object) -> int | None:
    """Return the seconds of an ISO 8601 duration as Heat reads it (PT#H#M#S); None for any other value."""
    found = _DURATION.match(value) if isinstance(value, str) else None
    if found is None:
        return None
    hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return hours * 3600 + minutes * 60 + seconds


def is_base64(value: object) -> bool:
    """Return whether Python decodes a string as base64, ignoring other characters, as in Heat; True for non-strings."""
    try:
        base64.b64decode(value if isinstance(value, str) else b"")
    except ValueError:
        return False
    return True


def conversion_fault(wanted: PropertyType, value: object) -> str | None:
    """Return Heat's message if a value does not have the wanted type; otherwise None."""
    try:
        Properties({}, {}).converted(PropertySchema("", wanted), value, (), validate=False)
    except PropertyError as error:
        return error.problems[0].message
    return None
