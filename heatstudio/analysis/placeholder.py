"""Placeholder values that the user has yet to replace."""

from heatstudio.catalog import ANY_ELEMENT, AllowedValues, PropertySchema, PropertyType, Range, ResourceType
from heatstudio.catalog.schema import property_at
from heatstudio.catalog.support_status import Status
from heatstudio.stack.path import Path

_EMPTY: dict[PropertyType, object] = {
    PropertyType.INTEGER: 1,
    PropertyType.NUMBER: 1,
    PropertyType.BOOLEAN: True,
    PropertyType.LIST: [],
    PropertyType.MAP: {},
}


def placeholder(schema: PropertySchema) -> object:
    """Return a value of the right type, which satisfies the offline constraints if such a value is known."""
    if schema.default is not None:
        return schema.default
    for constraint in schema.constraints:
        if isinstance(constraint, AllowedValues) and constraint.values:
            return constraint.values[0]
        if isinstance(constraint, Range) and constraint.minimum is not None:
            return constraint.minimum
    if schema.type is PropertyType.LIST and (element := schema.children.get(ANY_ELEMENT)) is not None:
        return [placeholder(element)]
    if schema.type is PropertyType.MAP and schema.children:
        return {child.name: placeholder(child) for child in schema.children.values() if child.required}
    return _EMPTY.get(schema.type, schema.name.lower())


def filled_placeholder(schema: PropertySchema) -> object:
    """Return a value that Heat treats as set: not empty, zero or false."""
    value = placeholder(schema)
    if value:
        return value
    children = [child for child in schema.children.values() if child.support_status.status is Status.SUPPORTED]
    if schema.type is PropertyType.LIST:
        return [filled_placeholder(child) for child in children] or [schema.name.lower()]
    if schema.type is PropertyType.MAP:
        return {child.name: filled_placeholder(child) for child in children[:1]} or {"key": "value"}
    return _EMPTY.get(schema.type) or schema.name.lower()


def placeholder_at(resource_type: ResourceType | None, path: Path) -> object:
    """Return a value for the property at a path of a resource type, which Heat treats as set."""
    schema = property_at(resource_type.properties, path) if resource_type is not None else None
    return filled_placeholder(schema) if schema is not None else str(path[-1]).lower()
