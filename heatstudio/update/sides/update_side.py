"""One side of an update: a stack and its resources with the values that Heat compares, and the rules that test them."""

from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct, field

from heatstudio.catalog.rules.update_rule import AllowedValuesOf, UpdateBehavior, UpdateRule
from heatstudio.catalog.schema import Family, ResourceType
from heatstudio.stack.definition.files import NO_FILES, Files
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.definition.source import Source, define, effective_environments
from heatstudio.stack.definition.stack_definition import StackDefinition
from heatstudio.stack.definition.types import FoundType, Types
from heatstudio.stack.functions.examine import resource_calls
from heatstudio.stack.functions.function import FunctionError, resolve
from heatstudio.stack.inputs.environment import EnvironmentFile
from heatstudio.stack.resource_definition import ResourceDefinition, as_deletion_policy
from heatstudio.stack.resource_proxy import FindNode
from heatstudio.stack.unknown import Unknown, ValueSet, all_of, any_of, has_unknown
from heatstudio.stack.values.properties import Properties, resource_properties
from heatstudio.update.difference import compare
from heatstudio.update.running_stack import Resources
from heatstudio.update.sides.outer_value import Explain

ANY_PROPERTY = "*"
DefinedStack = tuple[StackDefinition, Types]
Define = Callable[[FindNode, DefinedStack | None], DefinedStack]
"""A function that defines a stack from the data of its resources and another definition whose parts it may reuse."""


class Side(Struct, frozen=True):
    """One resource on one side of an update."""

    type: ResourceType
    properties: Properties
    written: Mapping[str, object]
    """The resolved parts of the definition, without property translation: properties, metadata, depends_on, ..."""
    read_metadata: object = None
    """The unresolved metadata, if they read other resources."""


def applies(rule: UpdateRule, before: Side, after: Side, changed: frozenset[str], parts: set[str]) -> bool | None:
    """Return whether all conditions of a rule hold; None if that depends on unknown values."""
    if rule.section and rule.section not in parts:
        return False
    if rule.changed and not (changed if ANY_PROPERTY in rule.changed else changed.intersection(rule.changed)):
        return False
    truth = all_of(condition() for condition in _conditions(rule, before, after, changed))
    return None if truth and rule.only_may else truth


def _conditions(
    rule: UpdateRule, before: Side, after: Side, changed: frozenset[str]
) -> Iterator[Callable[[], bool | None]]:
    yield lambda: not _refers_to_resources(rule, after) and holds(rule.after, before, after)
    if rule.newly_set:
        yield lambda: any_of(_is_set(after, name) for name in rule.newly_set if name in changed)
    if rule.before_set:
        yield lambda: all_of(_is_given(before, name) for name in rule.before_set)
    if rule.decreased:
        yield lambda: _decreased(before.properties.value(rule.decreased), after.properties.value(rule.decreased))
    if rule.not_superset:
        name = rule.not_superset
        yield lambda: name in changed and _lacks(before.properties.value(name), after.properties.value(name))
    if rule.one_side_empty:
        yield lambda: _is_set(before, rule.one_side_empty) is not _is_set(after, rule.one_side_empty)
    if rule.inner_changed:
        yield lambda: _inner_changed(rule.inner_changed, before, after)


def _refers_to_resources(rule: UpdateRule, after: Side) -> bool:
    """Return whether a tested value comes from resources: an ID or address never equals a plug-in's keyword."""
    values = (after.properties.value(name) for name in rule.after if name in rule.changed)
    origins = [value.origins for value in values if isinstance(value, Unknown)]
    return any(names and all(name.startswith("resource:") for name in names) for names in origins)


def _is_set(side: Side, name: str) -> bool | None:
    value = side.properties.value(name)
    return None if isinstance(value, Unknown) else bool(value)


def _is_given(side: Side, name: str) -> bool | None:
    value = side.properties.value(name)
    return None if isinstance(value, Unknown) else value is not None


def _decreased(old: object, new: object) -> bool | None:
    if not all(isinstance(value, (int, float, Unknown)) for value in (old, new)) or compare(old, new) is True:
        return False
    return new < old if isinstance(old, (int, float)) and isinstance(new, (int, float)) else None


def _lacks(old: object, new: object) -> bool | None:
    """Return whether the new list lacks an item of the old list; None if unknown."""
    if has_unknown(old) or has_unknown(new):
        return None
    return isinstance(new, list) and isinstance(old, list) and not all(map(ValueSet(new).include, old))


def _inner_changed(path: tuple[str, ...], before: Side, after: Side) -> bool | None:
    name, *inside = path
    equal = compare(_inner(before.properties.value(name), inside), _inner(after.properties.value(name), inside))
    return None if equal is None else not equal


def _inner(value: object, path: list[str]) -> object:
    for name in path:
        if isinstance(value, Unknown):
            return value
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def holds(wanted: AllowedValuesOf, before: Side, after: Side) -> bool | None:
    """Return whether all properties have one of their wanted values; an empty new value defaults to the old value."""
    return all_of(ValueSet(values).include(_newer(name, before, after)) for name, values in wanted.items())


def _newer(name: str, before: Side, after: Side) -> object:
    value = after.properties.value(name) if name in after.type.properties else None
    if value in (None, "") and name in before.type.properties:
        value = before.properties.value(name)
    return value


class Blueprint(Struct, frozen=True):
    """A function that defines a stack, with the environments, the files and the nesting depth of the stack."""

    define: Define
    environments: tuple[EnvironmentFile, ...] = ()
    files: Files = NO_FILES
    depth: int = 0


def blueprint(source: Source, knowledge: Knowledge) -> Blueprint:
    """Return the blueprint of a source."""

    def define_source(data: FindNode, before: DefinedStack | None) -> DefinedStack:
        return define(source, knowledge, resource_data=data, previous=before)

    return Blueprint(define_source, effective_environments(source, knowledge), source.files, source.depth)


class StackSide(Struct, frozen=True):
    """The stack definition of one side of an update."""

    definition: StackDefinition
    types: Types
    blueprint: Blueprint

    def resolved(self, parsed: object) -> object:
        """Return the value of parsed data; a failure is an unknown value, with the message as its key."""
        try:
            return resolve(parsed, self.definition)
        except FunctionError as error:
            return Unknown(("failed", error.message), frozenset({"an invalid value"}))

    def found(self, name: str) -> FoundType:
        """Return the type that implements a resource."""
        return self.types.find(self.definition.resource_definition(name).type, name)

    def behavior(self, name: str) -> UpdateBehavior:
        """Return the update rules of the type of a resource."""
        return self.types.behavior(self.found(name))

    def parameter(self, name: str) -> object:
        """Return the value of a parameter, or an unknown value if reading it fails."""
        try:
            return self.definition.parameter(name)
        except (KeyError, FunctionError, ValueError):
            return Unknown(("parameter", name), frozenset({f"parameter:{name}"}))

    def side(self, definition: ResourceDefinition, kind: ResourceType | None) -> Side:
        """Return a resource with the property values that its type derives from the definition."""
        resource_type = kind or ResourceType(definition.type, definition.type)
        properties = self.properties(definition, resource_type)
        parts = {} if Family.NO_OP in resource_type.families else self._parts(definition)
        reads = any(resource_calls(definition.metadata, self.definition))
        data = definition.data if reads and isinstance(definition.data, Mapping) else {}
        metadata = data.get(self.definition.language.dialect.metadata)
        return Side(resource_type, properties, parts, metadata)

    def properties(self, definition: ResourceDefinition, kind: ResourceType) -> Properties:
        """Return the values of a resource's properties."""
        return resource_properties(definition, kind, self.definition, finder=lambda _rule, _entity, value: value)

    def _parts(self, definition: ResourceDefinition) -> dict[str, object]:
        """Return the resolved parts of a definition that Heat compares, by name (heat/engine/rsrc_defn.py)."""
        word = self.definition.language.dialect.depends_on
        has_dependencies = isinstance(definition.data, Mapping) and word in definition.data
        parts: dict[str, object] = {
            "properties": definition.properties,
            "metadata": definition.metadata,
            "deletion_policy": as_deletion_policy(self.resolved(definition.deletion_policy)),
            "update_policy": definition.update_policy,
            "depends_on": list(definition.depends_on) if has_dependencies else None,
            "condition": definition.condition,
        }
        found = {name: self.resolved(part) for name, part in parts.items() if part is not None}
        return {"type": definition.type, **found}


class Owner(Struct, frozen=True):
    """A resource with a nested stack, on one side."""

    stack: StackSide
    definition: ResourceDefinition
    found: FoundType
    side: Side
    explain: Explain
    """A function that returns why values that depend on a resource of the owner's stack change."""
    running: Resources = field(default_factory=dict)
    """The known running resources of the nested stack."""
    is_current: bool = True
    """Whether the running resource has the definition of the stack's template."""

    @property
    def behavior(self) -> UpdateBehavior:
        """The update rules of the type of the resource."""
        return self.stack.types.behavior(self.found)
