"""The initial properties of a new resource, which satisfy all constraints that can be checked offline."""

from heatstudio.analysis.assist.needed_properties import broken_groups
from heatstudio.analysis.example_values import example, examples
from heatstudio.catalog import ResourceType, Status
from heatstudio.catalog.schema import property_at
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.groups.group_fix import GroupFix
from heatstudio.stack.path import Path

_STEPS = 20
"""Maximum number of property groups to fix, one after the other."""


def starter_properties(resource_type: ResourceType, knowledge: Knowledge | None = None) -> dict[str, object]:
    """Return example values for the required properties, and for one fix of each violated group."""
    known = examples().properties.get(resource_type.name, {})
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
