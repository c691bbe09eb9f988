"""The initial properties of a new resource, which satisfy all constraints that can be checked offline."""

from collections.abc import Mapping
from functools import cache

from msgspec import Struct

from heatstudio.analysis.assist.needed_properties import broken_groups
from heatstudio.assets import resource_path
from heatstudio.bundled_data import read_data
from heatstudio.catalog import (
    ANY_ELEMENT,
    AllowedValues,
    Constraint,
    CustomConstraint,
    Length,
    Modulo,
    PropertySchema,
    PropertyType,
    Range,
    ResourceType,
    Status,
)
from heatstudio.catalog.schema import property_at
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.groups.group_fix import GroupFix
from heatstudio.stack.path import Path
from heatstudio.stack.values.constraints import violation

_STEPS = 20
"""Maximum number of property groups to fix, one after the other."""


class Examples(Struct, frozen=True, forbid_unknown_fields=True):
    """Example values for cases in which the schema does not imply a value."""

    constraints: Mapping[str, str]
    texts: tuple[str, ...]
    properties: Mapping[str, Mapping[str, object]]


@cache
def _examples() -> Examples:
    return read_data(resource_path("examples.json"), Examples)


def starter_properties(resource_type: ResourceType, knowledge: Knowledge | None = None) -> dict[str, object]:
    """Return example values for the required properties, and for one fix of each violated group."""
    known = _examples().properties.get(resource_type.name, {})
    values: dict[str, object] = {
        schema.name: known[schema.name] if schema.name in known else example(schema)
        for schema in resource_type.properties.values()
        if schema.required and schema.support_status.status is not Status.HIDDEN
    }
    for name in known:
        values.setdefault(name, known[name])
    for _ in range(_STEPS):
        fixes = [
            fix
            for violated in broken_groups(resource_type, values, knowledge)
            for fix in violated.fixes
            if not fix.remove
        ]
        if not any(_apply(fix, values, resource_type) for fix in fixes[:1]):
            break
    return values


def _apply(fix: GroupFix, values: dict[str, object], resource_type: ResourceType) -> bool:
    done = False
    for path in fix.add:
        schema = property_at(resource_type.properties, path)
        done |= schema is not None and _put(values, path, example(schema))
    for path, value in fix.set:
        done |= _put(values, path, value)
    return done


def _put(values: dict[str, object], path: Path, value: object) -> bool:
    """Set a value at a path. Return False if the container is missing or already has the value."""
    place: object = values
    for step in path[:-1]:
        if isinstance(place, dict) and isinstance(step, str):
            place = place.setdefault(step, {})
        elif isinstance(place, list) and isinstance(step, int) and step < len(place):
            place = place[step]
        else:
            return False
    if not isinstance(place, dict) or place.get(str(path[-1])) == value:
        return False
    place[str(path[-1])] = value
    return True


def example(schema: PropertySchema) -> object:
    """Return a value that a property accepts."""
    if schema.default is not None:
        return schema.default
    for constraint in schema.constraints:
        if isinstance(constraint, AllowedValues) and constraint.values:
            return constraint.values[0]
    match schema.type:
        case PropertyType.STRING | PropertyType.ANY:
            return _text(schema)
        case PropertyType.INTEGER | PropertyType.NUMBER:
            return _number(schema.constraints)
        case PropertyType.BOOLEAN:
            return True
        case PropertyType.LIST:
            element = schema.children.get(ANY_ELEMENT)
            least = max((one.minimum or 0 for one in schema.constraints if isinstance(one, Length)), default=1)
            return [example(element) if element is not None else "value"] * max(int(least), 1)
        case PropertyType.MAP:
            required = [child for child in schema.children.values() if child.required]
            return {child.name: example(child) for child in required}


def _number(constraints: tuple[Constraint, ...]) -> int | float:
    for constraint in constraints:
        if isinstance(constraint, Range):
            bound = constraint.minimum if constraint.minimum is not None else constraint.maximum
            if bound is not None:
                return int(bound) if bound == int(bound) else bound
        if isinstance(constraint, Modulo):
            return int(constraint.offset)
    return 1


def _text(schema: PropertySchema) -> str:
    """Return an example that the constraints accept, preferably the property's name."""
    named = _examples().constraints
    known = [named[one.name] for one in schema.constraints if isinstance(one, CustomConstraint) and one.name in named]
    candidates = [*known, schema.name.lower() if schema.name != ANY_ELEMENT else "value", *_examples().texts]
    lengths = [one.minimum or 0 for one in schema.constraints if isinstance(one, Length)]
    candidates += ["x" * length for length in lengths]
    for one in candidates:
        if all(violation(constraint, one, schema.type) is None for constraint in schema.constraints):
            return one
    return candidates[0]
