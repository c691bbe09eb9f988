"""The initial properties of a new resource, which satisfy all constraints that can be checked offline."""

from collections.abc import Container, Iterator, Mapping, Sequence
from copy import deepcopy
from functools import partial

from heatstudio.analysis.assist.available import Available
from heatstudio.analysis.assist.usage import usage_of
from heatstudio.analysis.example_values import example, examples
from heatstudio.catalog.release import Status
from heatstudio.catalog.rules.translation_rule import TranslationKind
from heatstudio.catalog.schema import ANY_ELEMENT, PropertySchema, PropertyType, ResourceType, property_at
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.groups.group_context import GroupContext
from heatstudio.stack.groups.group_fix import GroupFix
from heatstudio.stack.groups.property_groups import GroupViolation, check_groups
from heatstudio.stack.unknown import Unknown, freeze
from heatstudio.stack.values.properties import Properties
from heatstudio.stack.values.translation import Translation, active_rules
from heatstudio.template import TreePath

_COMMON = 2
"""A property is common if one of so many repositories that use the type sets it."""
EMPTY: Mapping[str, object] = {}
_STEPS = 20
"""Maximum number of property groups to fix, one after the other."""


def starter_properties(
    resource_type: ResourceType,
    knowledge: Knowledge | None = None,
    available: Available | None = None,
    written: Mapping[str, object] = EMPTY,
) -> dict[str, object]:
    """Return the `written` properties, with example values for the required ones and one fix of each violated group.

    A fix whose properties can refer to what is available is preferred, then one whose properties are used more.
    """
    kind, known = resource_type.name, examples().properties.get(resource_type.name, {})
    former = {renamed(resource_type).get(name, name) for name in written}
    values: dict[str, object] = {
        schema.name: known[schema.name] if schema.name in known else example(schema)
        for schema in resource_type.properties.values()
        if schema.required and schema.support_status.status is not Status.HIDDEN and schema.name not in former
    }
    values |= deepcopy(dict(written))
    for name in known:
        values.setdefault(name, known[name])

    def order(fix: GroupFix) -> tuple[bool, int]:
        schemas = [property_at(resource_type.properties, path) for path in fix.add]
        refers = available is not None and any(one and available.reference(one, kind) for one in schemas)
        return not refers, -max((usage_of(kind).properties.get(str(path[0]), 0) for path in fix.add), default=0)

    for _ in range(_STEPS):
        fixes = [
            fix
            for violated in broken_groups(resource_type, values, knowledge)
            for fix in violated.fixes
            if not fix.remove
        ]
        if not any(_apply(fix, values, resource_type) for fix in sorted(fixes, key=order)[:1]):
            break
    return values


def full_properties(schemas: Mapping[str, PropertySchema]) -> dict[str, object]:
    """Return example values for all supported properties, at any depth."""
    supported = (one for one in schemas.values() if one.support_status.status is Status.SUPPORTED)
    return {schema.name: _full(schema) for schema in supported}


def _full(schema: PropertySchema) -> object:
    if schema.type is PropertyType.LIST and schema.element is not None and schema.element.children:
        return [_full(schema.element)]
    return full_properties(schema.children) if schema.type is PropertyType.MAP and schema.children else example(schema)


def wired_properties(
    resource_type: ResourceType, available: Available, knowledge: Knowledge | None = None
) -> dict[str, object]:
    """Return the starter properties with references instead of examples, and common properties that can refer."""
    values = wired_starter(resource_type, available, knowledge)
    return values | common_properties(resource_type, available, values, only_references=True)


def wired_starter(
    resource_type: ResourceType,
    available: Available,
    knowledge: Knowledge | None = None,
    written: Mapping[str, object] = EMPTY,
) -> dict[str, object]:
    """Return the starter properties that are not `written`, with references instead of examples."""
    starter = starter_properties(resource_type, knowledge, available, written)
    schemas, kind = resource_type.properties, resource_type.name
    return {
        name: _wired(available, kind, schemas.get(name), value)
        for name, value in starter.items()
        if name not in written
    }


def common_properties(
    resource_type: ResourceType, available: Available, written: Mapping[str, object], *, only_references: bool = False
) -> dict[str, object]:
    """Return the properties that are not `written` and that most templates set, with references or else examples."""
    schemas, kind, usage = resource_type.properties, resource_type.name, usage_of(resource_type.name)
    known = {*written, *(renamed(resource_type).get(name, name) for name in written)}
    values: dict[str, object] = {}
    places = [
        path.split(".")
        for path, repositories in usage.properties.items()
        if repositories * _COMMON >= usage.repositories
    ]
    for with_examples in (False,) if only_references else (False, True):
        for first, *rest in places:
            schema = schemas.get(first)
            if schema is not None and first not in known and first not in values:
                is_free = schema.default is None and not schema.constraints and not schema.children
                fallback = example(schema) if with_examples and is_free and schema.element is None else None
                value = _common(available, kind, schema, rest) if not with_examples else fallback
                if value not in (None, ""):
                    values[first] = value
    return values


def _wired(available: Available, kind: str, schema: PropertySchema | None, value: object) -> object:
    """Return an example value with references instead of texts, where any fit."""
    inside = schema.children if schema is not None else {}
    if isinstance(value, dict):
        return {key: _wired(available, kind, inside.get(key), one) for key, one in value.items()}
    if isinstance(value, list):
        return [_wired(available, kind, inside.get(ANY_ELEMENT), one) for one in value]
    found = available.reference(schema, kind) if schema is not None else None
    return value if found is None else found


def _common(available: Available, kind: str, schema: PropertySchema, rest: Sequence[str]) -> object:
    """Return a value in which the property at a path below `schema` is a reference; None if nothing fits."""
    if schema.type is PropertyType.LIST and schema.element is not None:
        value = _common(available, kind, schema.element, rest)
        return None if value is None else [value]
    if not rest:
        return available.reference(schema, kind) if schema.entities or schema.refers or schema.external else None
    child = schema.children.get(rest[0])
    value = _common(available, kind, child, rest[1:]) if child is not None else None
    others = {name: example(one) for name, one in schema.children.items() if one.required and name != rest[0]}
    return None if value is None else {rest[0]: value, **others}


def _apply(fix: GroupFix, values: dict[str, object], resource_type: ResourceType) -> bool:
    done = False
    for path in fix.add:
        schema = property_at(resource_type.properties, path)
        done |= schema is not None and _put(values, path, example(schema))
    for path, value in fix.set:
        done |= _put(values, path, value)
    return done


def _put(values: dict[str, object], path: TreePath, value: object) -> bool:
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
