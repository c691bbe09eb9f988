"""The expected kind of value at a path: a version, a type, a property of a schema, a parameter name ..."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.analysis.assist.signature import Signature, signatures
from heatstudio.analysis.scope.semantic_model import SemanticModel, value_at
from heatstudio.assets import resource_path
from heatstudio.bundled_data import read_data
from heatstudio.catalog.schema import ANY_ELEMENT, NO_SCHEMA, PropertySchema, PropertyType, ResourceType
from heatstudio.stack.functions.language import Language
from heatstudio.template import Dialect, TreePath
from heatstudio.template.dialect import VERSION_KEYS


class Role(StrEnum):
    """The role of a value.

    `resources/roles.json` names the roles of the places of a template, `resources/functions.json` those of arguments.
    """

    TEMPLATE = "template"
    VERSION = "version"
    ENTRIES = "entries"
    """A section with names chosen by the user."""
    RESOURCE = "resource-entry"
    TYPE = "type"
    TYPES = "types"
    """A list of types."""
    PROPERTY = "property"
    MEMBER = "member"
    """The definition of a group's members: type, properties, metadata."""
    DEPENDS_ON = "depends-on"
    DELETION_POLICY = "deletion-policy"
    CONDITION = "condition"
    """The name of a condition, or an inline condition."""
    CONDITION_DEFINITION = "condition-definition"
    PARAMETER_ENTRY = "parameter-entry"
    PARAMETER_TYPE = "parameter-type"
    PARAMETER_DEFAULT = "parameter-default"
    CONSTRAINTS = "constraints"
    CONSTRAINT = "constraint"
    LIMITS = "limits"
    CUSTOM_CONSTRAINT = "custom-constraint"
    BOOLEAN = "boolean"
    OUTPUT = "output-entry"
    PARAMETER_GROUPS = "parameter-groups"
    PARAMETER_GROUP = "parameter-group"
    VALUE = "value"
    """Any value, including functions."""
    TEXT = "text"
    """Free text."""
    CALL = "call"
    """The arguments of a function."""
    PARAMETER = "parameter"
    PARAMETER_KEY = "parameter-key"
    RESOURCE_NAME = "resource"
    ATTRIBUTE = "attribute"
    ATTRIBUTE_KEY = "attribute-key"
    NAME = "name"
    """A parameter or a resource."""
    FILE = "file"
    MAPPING = "mapping"
    MAPPING_KEY = "mapping-key"
    REPLACEMENTS = "replacements"
    COMPARED = "compared"
    CHOICE = "choice"


class EnclosingCall(Struct, frozen=True):
    """The function call around a path."""

    signature: Signature
    path: TreePath
    """The path of the arguments."""
    place: str | int | None = None
    """The index or key of the argument; None for all arguments."""


class PropertyOwner(Struct, frozen=True):
    """A resource type, and the path of its properties in the template."""

    type: ResourceType
    path: TreePath


class Expectation(Struct, frozen=True):
    """The expected value at a path."""

    role: Role
    schema: PropertySchema | None = None
    resource: str = ""
    owner: PropertyOwner | None = None
    call: EnclosingCall | None = None
    outer: Expectation | None = None
    """The expectation for the call's result."""
    words: tuple[str, ...] = ()
    """The allowed words."""
    in_condition: bool = False

    @property
    def children(self) -> Mapping[str, PropertySchema]:
        """The schemas of the keys, if known."""
        if self.schema is None or self.schema.type is not PropertyType.MAP:
            return NO_SCHEMA
        return self.schema.children

    @property
    def takes_functions(self) -> bool:
        """Whether Heat evaluates functions here."""
        return self.role in _EVALUATED


_EVALUATED = frozenset(
    {
        Role.PROPERTY, Role.VALUE, Role.CONDITION, Role.CONDITION_DEFINITION, Role.CALL, Role.COMPARED,
        Role.DELETION_POLICY, Role.ATTRIBUTE_KEY, Role.PARAMETER_KEY, Role.ATTRIBUTE, Role.MAPPING, Role.MAPPING_KEY,
        Role.REPLACEMENTS,
    }
)  # fmt: skip
_TEXT = Expectation(Role.TEXT)
_VALUE = Expectation(Role.VALUE)


def expectation_at(model: SemanticModel, path: TreePath) -> Expectation:
    """Return the expectation at a path."""
    now, rest = _start(model, model.words, path)
    language = model.language
    for count, step in enumerate(rest):
        above = path[: len(path) - len(rest) + count]
        now = _member(model, now, step, above) or _below(now, step, above, language)
    return now


def _member(model: SemanticModel, now: Expectation, step: str | int, path: TreePath) -> Expectation | None:
    """Return the expectation in the member definition of a group; None elsewhere."""
    if now.role is Role.MEMBER:
        inner = value_at(model.template, (*path, "type"))
        found = model.types.find(inner).type if isinstance(inner, str) and inner else None
        if step == "type":
            return Expectation(Role.TYPE, resource=now.resource)
        if step == "properties" and found is not None:
            return _properties(found, (*path, step), now.resource)
        return Expectation(Role.VALUE, resource=now.resource)
    if now.role is Role.TYPES and isinstance(step, int):
        return Expectation(Role.TYPE, resource=now.resource)
    if now.owner is None or now.owner.path != path:
        return None
    rule = model.knowledge.update_behavior(now.owner.type).members
    if rule is not None and step and step == rule.shared:
        written = value_at(model.template, (*path, rule.types))
        names = [name for name in written if isinstance(name, str)] if isinstance(written, list) else []
        kinds = [kind for kind in (model.types.find(name).type for name in names if name) if kind is not None]
        return _shared(kinds, (*path, step), now)
    if rule is None or not step or step not in (rule.definition, rule.types):
        return None
    schema = now.children.get(str(step))
    return replace(now, role=Role.MEMBER if step == rule.definition else Role.TYPES, schema=schema)


def _shared(types: Sequence[ResourceType], path: TreePath, now: Expectation) -> Expectation | None:
    """Return the expectation of properties that several types share; None without a known type."""
    if not types:
        return None
    children = {name: schema for kind in reversed(types) for name, schema in kind.properties.items()}
    schema = PropertySchema(str(path[-1]), PropertyType.MAP, children=children)
    return Expectation(Role.PROPERTY, schema, now.resource, PropertyOwner(types[0], path))


def _properties(resource_type: ResourceType, path: TreePath, resource: str) -> Expectation:
    schema = PropertySchema(str(path[-1]), PropertyType.MAP, children=resource_type.properties)
    return Expectation(Role.PROPERTY, schema, resource, PropertyOwner(resource_type, path))


def _start(model: SemanticModel, words: Dialect, path: TreePath) -> tuple[Expectation, TreePath]:
    """Return the expectation at the longest known start of a path, and the rest of the path."""
    if path and path[0] in VERSION_KEYS:
        return Expectation(Role.VERSION), ()
    roles, place = _roles(words), tuple("*" if index in (1, 3) else step for index, step in enumerate(path[:5]))
    length = next(length for length in range(len(place), -1, -1) if place[:length] in roles)
    role, rest = roles[place[:length]], path[length:]
    if role in (Role.CONDITION, Role.CONDITION_DEFINITION):
        return Expectation(role, in_condition=True), rest
    resource = str(path[1]) if length == 3 and path[0] == words.resources else ""
    if role is Role.PROPERTY:
        return _of_type(model, words, path[:length], resource), rest
    allowed: tuple[str, ...] = words.parameter_types if role is Role.PARAMETER_TYPE else ()
    if role is Role.DELETION_POLICY:
        different = {word.casefold(): word for word in reversed(words.deletion_policies)}
        allowed = tuple(reversed(different.values()))
    elif role is Role.LIMITS:
        allowed = ("step", "offset") if path[length - 1] == "modulo" else ("min", "max")
    return Expectation(role, resource=resource, words=allowed), rest


@cache
def _roles(words: Dialect) -> Mapping[TreePath, Role]:
    """Return the roles of places in a template; `*` stands for any name or index."""
    roles = read_data(resource_path("roles.json"), dict[str, Role])
    return {tuple(getattr(words, step, step) for step in place.split()): role for place, role in roles.items()}


def _of_type(model: SemanticModel, words: Dialect, path: TreePath, resource: str) -> Expectation:
    """Return the expectation at the properties or the update policy of a resource."""
    found = model.type_of(resource)
    if found is None:
        return Expectation(Role.VALUE, resource=resource)
    if path[-1] == words.properties:
        return _properties(found, path, resource)
    schema = PropertySchema(str(path[-1]), PropertyType.MAP, children=found.update_policy)
    return Expectation(Role.PROPERTY, schema, resource)


def _below(now: Expectation, step: str | int, path: TreePath, language: Language) -> Expectation:
    """Return the expectation one step below `now`, which is at `path`."""
    if isinstance(step, str) and step in now.children:
        return replace(now, role=Role.PROPERTY, schema=now.children[step])
    if now.role is Role.DEPENDS_ON and isinstance(step, int):
        return now
    at_call = now.call if now.call is not None and now.call.path == path and now.call.place is None else None
    is_key = at_call is not None and step in at_call.signature.keys
    functions = language.condition_functions if now.in_condition else language.functions
    if isinstance(step, str) and not is_key and now.takes_functions and step in functions:
        return _call(now, step, (*path, step))
    if at_call is not None:
        argument = EnclosingCall(at_call.signature, path, step)
        return _of_role(at_call.signature.role(step), now.outer if now.outer is not None else _VALUE, argument)
    if now.schema is not None and isinstance(step, int):
        element = now.schema.element if now.schema.type is PropertyType.LIST else None
        return replace(now, role=Role.PROPERTY, schema=element) if element is not None else _plain(now)
    return _plain(now) if now.takes_functions else _TEXT


def _call(now: Expectation, name: str, path: TreePath) -> Expectation:
    signature = signatures().get(name)
    if signature is None:
        return _plain(now)
    call = EnclosingCall(signature, path)
    whole = _of_role(signature.role(None), now, call)
    return whole if whole.role is not Role.VALUE else replace(whole, role=Role.CALL)


def _of_role(role: str | tuple[str, ...], outer: Expectation, call: EnclosingCall) -> Expectation:
    if isinstance(role, tuple):
        return Expectation(Role.CHOICE, call=call, outer=outer, words=role)
    if role == "same":
        return replace(outer, call=call)
    if role == "item":
        element = outer.schema.children.get(ANY_ELEMENT) if outer.schema is not None else None
        return replace(outer, schema=element, call=call) if element is not None else replace(_VALUE, call=call)
    found = Role(role) if role else Role.VALUE
    in_condition = outer.in_condition or found is Role.CONDITION
    return Expectation(found, resource=outer.resource, call=call, outer=outer, in_condition=in_condition)


def _plain(now: Expectation) -> Expectation:
    """Return the expectation inside a value without a schema."""
    return Expectation(Role.VALUE, resource=now.resource, outer=now.outer, in_condition=now.in_condition)
