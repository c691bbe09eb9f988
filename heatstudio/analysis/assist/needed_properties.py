"""The properties that a resource still needs to satisfy its property groups."""

from collections.abc import Container, Iterator, Mapping
from functools import partial

from heatstudio.catalog import ResourceType, TranslationKind
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.groups.group_context import GroupContext
from heatstudio.stack.groups.property_groups import GroupViolation, check_groups
from heatstudio.stack.unknown import Unknown, freeze
from heatstudio.stack.values.properties import Properties
from heatstudio.stack.values.translation import Translation, active_rules
from heatstudio.template import TreePath


def needed_by_groups(
    resource_type: ResourceType, written: object, place: TreePath, knowledge: Knowledge, functions: Container[object]
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
    given = written if isinstance(written, Mapping) else {}
    rules = active_rules(resource_type.translation_rules, lambda name: bool(given.get(name)))
    resolve = partial(_without_calls, functions)
    properties = Properties(resource_type.properties, given, resolve=resolve, translation=Translation(rules))
    return check_groups(groups, properties.values(), GroupContext(client_versions=knowledge.client_versions))


def renamed(resource_type: ResourceType) -> dict[str, str]:
    """Return the old names of properties with the names that replace them."""
    rules = [rule for rule in resource_type.translation_rules if rule.kind is TranslationKind.REPLACE]
    return {
        rule.source[0]: rule.path[0]
        for rule in rules
        if rule.source is not None and len(rule.source) == 1 and len(rule.path) == 1
    }


def _without_calls(functions: Container[object], value: object) -> object:
    """Return a written value with an unknown value for each function call."""
    if isinstance(value, Mapping):
        if len(value) == 1 and next(iter(value)) in functions:
            return Unknown(("written", freeze(value)))
        return {key: _without_calls(functions, item) for key, item in value.items()}
    return [_without_calls(functions, item) for item in value] if isinstance(value, list) else value
