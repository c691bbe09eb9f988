"""The properties that a resource still needs: required properties, and properties that satisfy its groups."""

from collections.abc import Container, Iterator, Mapping

from heatstudio.catalog import ANY_ELEMENT, PropertySchema, PropertyType, ResourceType, TranslationKind
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.groups.group_context import GroupContext
from heatstudio.stack.groups.group_places import at
from heatstudio.stack.groups.property_groups import GroupViolation, check_groups
from heatstudio.stack.path import Path
from heatstudio.stack.unknown import Unknown


def missing_required(children: Mapping[str, PropertySchema], given: frozenset[str]) -> list[str]:
    """Return the names of missing required properties, in the order of the schema."""
    return [schema.name for schema in children.values() if schema.required and schema.name not in given]


def needed_by_groups(
    resource_type: ResourceType, written: object, place: Path, knowledge: Knowledge, functions: Container[object]
) -> list[str]:
    """Return the properties of the map at `place` that would satisfy violated groups, in the order of the groups."""
    named: dict[str, None] = {}
    for violation in broken_groups(resource_type, written, knowledge, functions):
        for fix in violation.fixes:
            named |= {str(path[-1]): None for path in fix.add if path[:-1] == place}
    return list(named)


def broken_groups(
    resource_type: ResourceType, written: object, knowledge: Knowledge | None, functions: Container[object] = ()
) -> Iterator[GroupViolation]:
    """Yield the property groups that the written properties certainly violate."""
    groups = knowledge.groups(resource_type) if knowledge is not None else ()
    if knowledge is None or not groups:
        return iter(())
    context = GroupContext(client_versions=knowledge.client_versions)
    return check_groups(groups, group_values(resource_type, written, functions), context)


def group_values(resource_type: ResourceType, written: object, functions: Container[object] = ()) -> dict[str, object]:
    """Return the values of all properties for group checks, including renamed properties and defaults."""
    children = resource_type.properties
    values = {name: _value(schema, at(written, (name,)), functions) for name, schema in children.items()}
    for old, new in renamed(resource_type).items():
        if values.get(new) is None and at(written, (old,)) is not None:
            values[new] = _unknown(old)
    return values


def renamed(resource_type: ResourceType) -> dict[str, str]:
    """Return the old names of properties with the names that replace them."""
    rules = [rule for rule in resource_type.translation_rules if rule.kind is TranslationKind.REPLACE]
    return {
        rule.source[0]: rule.path[0]
        for rule in rules
        if rule.source is not None and len(rule.source) == 1 and len(rule.path) == 1
    }


def _value(schema: PropertySchema, written: object, functions: Container[object]) -> object:
    """Return a value for group checks, with an unknown value for each function call."""
    if written is None:
        return schema.default
    if isinstance(written, Mapping) and len(written) == 1 and next(iter(written)) in functions:
        return _unknown(schema.name)
    if schema.type is PropertyType.MAP and schema.children and isinstance(written, Mapping):
        return {name: _value(child, written.get(name), functions) for name, child in schema.children.items()}
    element = schema.children.get(ANY_ELEMENT)
    if element is not None and isinstance(written, list):
        return [_value(element, {} if item is None and element.children else item, functions) for item in written]
    return written


def _unknown(name: str) -> Unknown:
    return Unknown(("written", name))
