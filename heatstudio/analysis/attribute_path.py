"""Paths into attributes: the value at each step, through groups and nested templates.

heat/engine/attributes.py, select_from_attribute: a step to a missing value returns null.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from heatstudio.catalog.attribute_shape import ANY, AttributeKind, AttributeShape, parameter_shape, shape_of_attribute
from heatstudio.catalog.rules.update_rule import MemberAttributeKind, MemberRule
from heatstudio.catalog.schema import ANY_ELEMENT
from heatstudio.stack.definition.files import Files
from heatstudio.stack.definition.reads import StackReader
from heatstudio.stack.definition.source import Source, define
from heatstudio.stack.definition.types import DEEPEST_NESTING, FoundType, Types, parse_once
from heatstudio.stack.groups.group_truth import at
from heatstudio.stack.inputs.environment import EnvironmentFile
from heatstudio.stack.inputs.inherited import inherited
from heatstudio.template import Template
from heatstudio.update.sides.attribute_values import LONGEST_CHAIN

MEMBER_PREFIX = "resource."
DECLARED = ANY_ELEMENT
"""The name that stands for the attributes that other resources declare."""
FIRST_MEMBER = "0"
_TEXT_FUNCTIONS = ("get_resource", "get_file", "list_join", "str_replace", "str_replace_strict", "digest", "make_url")
_REFERENCES = ("get_resource", "Ref")
_REFERENCES_OF_MEMBERS = (MemberAttributeKind.REFERENCES, MemberAttributeKind.REFERENCE_MAP)
_COLLECTED = {
    MemberAttributeKind.LIST: AttributeShape(AttributeKind.LIST, item=ANY),
    MemberAttributeKind.MAP: AttributeShape(AttributeKind.MAP, item=ANY),
    MemberAttributeKind.REFERENCES: AttributeShape(AttributeKind.LIST, item=ANY),
    MemberAttributeKind.REFERENCE_MAP: AttributeShape(AttributeKind.MAP, item=ANY),
    MemberAttributeKind.SIZE: AttributeShape(AttributeKind.NUMBER),
}
"""The values that groups compute from the attributes of their members."""


class StackContext(NamedTuple):
    """The stack in which a value is written."""

    stack: StackReader
    types: Types
    followed: int = 0
    """The number of attributes that were followed to this value."""

    def attributes(self, resource: str) -> Attributes | None:
        """Return the attributes of a resource; None if the resource has no type."""
        is_there = self.followed < LONGEST_CHAIN and self.stack.names_resource(resource)
        return _of_resource(self, resource, self.stack.resource_definition(resource).data) if is_there else None


class Attributes(NamedTuple):
    """The attributes of a resource or of a member of a group; the first path element is the attribute name."""

    context: StackContext
    found: FoundType
    properties: Mapping[str, object]
    """The properties as written."""

    @property
    def types(self) -> Types:
        """The types of the stack."""
        return self.context.types

    @property
    def rule(self) -> MemberRule | None:
        """The rule for the members of the resource; None if the type has no members."""
        kind = self.found.type
        return self.types.knowledge.update_behavior(kind).members if kind is not None else None

    @property
    def member(self) -> Attributes | None:
        """The attributes of the first member; None if the template does not contain its type."""
        return self._member(0)

    def _member(self, index: int) -> Attributes | None:
        rule = self.rule
        if rule is None:
            return None
        kind: object = rule.type
        if rule.definition:
            kind = at(self.properties, (rule.definition, "type"))
        elif rule.types:
            kind = at(self.properties, (rule.types, index))
        inner = at(self.properties, (rule.definition, "properties")) if rule.definition else None
        return _of_type(self.context, kind, inner)

    def inner(self, name: str) -> Attributes | None:
        """Return the attributes of a resource of the nested stack; None if unknown."""
        if self.found.template is None:
            return self._member(int(name) if name.isdecimal() else 0)
        nested = nested_in(self.types, self.found)
        return nested.context.attributes(name) if nested is not None else None

    def inner_names(self) -> Iterator[str]:
        """Yield the names of the resources of the nested stack; for a group, only the first member."""
        if self.found.template is not None:
            yield from map(str, self.found.template.section(self.found.template.dialect.resources))
        elif self.member is not None:
            yield FIRST_MEMBER

    @property
    def declared(self) -> tuple[str, ...] | None:
        """The attributes that other resources declare, such as the outputs of a config; None if they are unknown."""
        shapes = self.types.knowledge.attribute_shapes.get(self.found.type.name, {}) if self.found.type else {}
        path = shapes[DECLARED].names if DECLARED in shapes else ()
        found = list(_names(self.context, self.properties, path)) if path and path[0] in self.properties else [None]
        return None if None in found else tuple(name for name in found if name is not None)

    @property
    def embedded(self) -> Nested | None:
        """The nested stack whose template is the value of a property; None if the text is unknown."""
        rule = self.rule
        text = at(self.properties, (rule.template,)) if rule is not None and not rule.is_file else None
        if isinstance(text, Mapping):
            text = self.types.files.get(str(text.get("get_file"))) if len(text) == 1 else None
        template = parse_once(text) if isinstance(text, str) else None
        if template is None or not template.complete:
            return None
        return _nested(self.types, template, self.types.files, inherited(self.types.environment.files))


class Nested(NamedTuple):
    """A nested template and the stack that it defines."""

    template: Template
    context: StackContext


Node = Attributes | AttributeShape
"""The value at a path."""


def attributes_of(types: Types, stack: StackReader, resource: str, entry: object) -> Attributes | None:
    """Return the attributes of a resource, whose entry is plain data; None if the resource has no type."""
    return _of_resource(StackContext(stack, types), resource, entry)


def _of_resource(context: StackContext, resource: str, entry: object) -> Attributes | None:
    words = context.stack.language.dialect
    return _of_type(context, at(entry, (words.type,)), at(entry, (words.properties,)), resource)


def _of_type(context: StackContext, kind: object, properties: object, resource: str = "") -> Attributes | None:
    if not isinstance(kind, str) or not kind:
        return None
    found = context.types.find(kind, resource)
    return Attributes(context, found, properties if isinstance(properties, Mapping) else {})


def nested_in(types: Types, found: FoundType) -> Nested | None:
    """Return the nested template that implements a resource; None if there is none or it is nested too deep."""
    if found.template is None:
        return None
    environments = inherited(types.environment.files, found.name, found.target, found.resource)
    return _nested(types, found.template, found.files or types.files, environments)


def _nested(types: Types, template: Template, files: Files, environments: tuple[EnvironmentFile, ...]) -> Nested | None:
    depth = types.depth + 1
    if depth > DEEPEST_NESTING:
        return None
    source = Source(template, environments, files, depth=depth)
    return Nested(template, StackContext(*define(source, types.knowledge, not_created=True)))


def below(node: Node, step: object) -> Node | None:
    """Return the value at a path element; None if it cannot exist. An element of unknown value leads to any value."""
    if isinstance(node, Attributes):
        return _attribute(node, step) if isinstance(step, str) else ANY
    match node.kind:
        case AttributeKind.MAP if isinstance(step, (str, int)):
            return node.keys.get(step, node.item) if isinstance(step, str) else None
        case AttributeKind.LIST if isinstance(step, int) and node.items is not None:
            return node.items[step] if -len(node.items) <= step < len(node.items) else None
        case AttributeKind.LIST if isinstance(step, (str, int)):
            return node.item if isinstance(step, int) else None
        case AttributeKind.LIST | AttributeKind.MAP if node.item is not None:
            return node.item
        case AttributeKind.TEXT if not isinstance(step, str):
            return node
        case AttributeKind.TEXT | AttributeKind.NUMBER | AttributeKind.BOOLEAN:
            return None
        case _:
            return ANY


def follow(node: Node, steps: Iterable[object]) -> Node | None:
    """Return the value at the end of several path elements; None if it cannot exist."""
    found: Node | None = node
    for step in steps:
        found = below(found, step) if found is not None else None
    return found


def value_read(owner: Attributes, path: Sequence[object]) -> Node | None:
    """Return the value that a path reads: a group collects the values of its members, where `follow` takes one of them.

    heat/engine/resources/openstack/heat/resource_group.py, get_attribute, and its counterparts in other groups.
    """
    name, rule, kind = path[0], owner.rule, owner.found.type
    if not isinstance(name, str):
        return ANY
    if name.startswith(MEMBER_PREFIX):
        member, separator, attribute = name.removeprefix(MEMBER_PREFIX).partition(".")
        inner, rest = owner.inner(member), (attribute, *path[1:]) if separator else path[1:]
        return value_read(inner, rest) if inner is not None and rest else inner or ANY
    collected = rule.attributes.get(name) if rule is not None else None
    if collected is not None and collected.kind in _COLLECTED:
        takes_path = collected.kind in _REFERENCES_OF_MEMBERS and not collected.ignores_path
        return follow(_COLLECTED[collected.kind], path[1:] if takes_path else ())
    if rule is not None and rule.passes_on and collected is None:
        found = value_read(owner.member, path) if owner.member is not None else None
        item = found if isinstance(found, AttributeShape) else ANY
        return ANY if kind is not None and name in kind.attributes else AttributeShape(AttributeKind.LIST, item=item)
    return follow(owner, path)


def _attribute(owner: Attributes, name: str) -> Node:
    kind, rule = owner.found.type, owner.rule
    if name.startswith(MEMBER_PREFIX):
        member, separator, attribute = name.removeprefix(MEMBER_PREFIX).partition(".")
        inner = owner.inner(member)
        return ANY if inner is None else _attribute(inner, attribute) if separator else inner
    if rule is not None and name in rule.spread:
        return owner.member or ANY
    if rule is not None and name in rule.attributes and rule.attributes[name].kind is MemberAttributeKind.OUTPUTS:
        return _outputs(owner.embedded)
    if owner.found.template is not None:
        return _of_output(owner, name)
    schema = kind.attributes.get(name) if kind is not None else None
    if kind is not None and schema is not None:
        mirrored = owner.types.knowledge.update_behavior(kind).attributes.get(name)
        if mirrored is not None and mirrored.value_of and mirrored.value_of in owner.properties:
            context = owner.context._replace(followed=owner.context.followed + 1)
            return _of_value(context, owner.properties[mirrored.value_of])
        known = owner.types.knowledge.attribute_shapes.get(kind.name, {}).get(name)
        return known or shape_of_attribute(schema, kind.properties.get(name))
    member_of = owner.member if rule is not None and rule.passes_on else None
    return _attribute(member_of, name) if member_of is not None else ANY


def _of_output(owner: Attributes, name: str) -> Node:
    nested = nested_in(owner.types, owner.found)
    if nested is None:
        return ANY
    words = nested.template.dialect
    return _of_value(nested.context, at(nested.template.data, (words.outputs, name, words.value)))


def _outputs(nested: Nested | None) -> AttributeShape:
    if nested is None:
        return ANY
    words = nested.template.dialect
    outputs = nested.template.section(words.outputs).items()
    keys = {str(name): _shape_of(nested.context, at(output, (words.value,))) for name, output in outputs}
    return AttributeShape(AttributeKind.MAP, keys)


def _of_value(context: StackContext, value: object) -> Node:
    """Return the shape of a written value, or the attributes that the value refers to."""
    if isinstance(value, dict) and len(value) == 1:
        ((name, arguments),) = value.items()
        if name in context.stack.language.functions:
            return _of_call(context, name, arguments)
    if isinstance(value, dict):
        return AttributeShape(AttributeKind.MAP, {str(key): _shape_of(context, item) for key, item in value.items()})
    if isinstance(value, list):
        items = tuple(_shape_of(context, item) for item in value)
        may_omit = any(isinstance(item, dict) and "if" in item for item in value)
        return AttributeShape(
            AttributeKind.LIST, item=items[0] if len(items) == 1 else ANY, items=None if may_omit else items
        )
    kinds = {
        str: AttributeKind.TEXT,
        bool: AttributeKind.BOOLEAN,
        int: AttributeKind.NUMBER,
        float: AttributeKind.NUMBER,
    }
    return AttributeShape(kinds.get(type(value), AttributeKind.ANY))


def _shape_of(context: StackContext, value: object) -> AttributeShape:
    found = _of_value(context, value)
    return found if isinstance(found, AttributeShape) else ANY


def _of_call(context: StackContext, function: str, arguments: object) -> Node:
    if function in _TEXT_FUNCTIONS:
        return AttributeShape(AttributeKind.TEXT)
    if function == "get_attr" and isinstance(arguments, list) and len(arguments) > 1 and isinstance(arguments[0], str):
        owner = context.attributes(arguments[0])
        return (value_read(owner, arguments[1:]) if owner is not None else None) or ANY
    schema = context.stack.schema(arguments) if isinstance(arguments, str) else None
    return parameter_shape(schema.type.property_type) if function == "get_param" and schema is not None else ANY


def other_names(owner: Attributes, shape: AttributeShape) -> Iterator[str]:
    """Yield probable further keys of a map, from the properties of the resource."""
    names = _names(owner.context, owner.properties, shape.names) if shape.names else ()
    yield from (name for name in names if name is not None)


def _names(context: StackContext, value: object, path: tuple[str, ...]) -> Iterator[str | None]:
    """Yield the names at a path of properties that continues in referenced resources; None for an unknown name."""
    function, named = next(iter(value.items())) if isinstance(value, Mapping) and len(value) == 1 else ("", None)
    if isinstance(value, str) and len(path) < 2:
        yield value  # a name, possibly from a property of a referenced resource
    elif function in context.stack.language.functions:
        owner = context.attributes(named) if function in _REFERENCES and isinstance(named, str) and path else None
        kind = owner.found.type if owner is not None else None
        if owner is None or kind is None or path[0] not in kind.properties:
            yield None
        else:
            yield from _names(context, owner.properties.get(path[0]), path[1:])
    elif isinstance(value, list) and path[:1] == (ANY_ELEMENT,):
        for item in value:
            yield from _names(context, item, path[1:])
    elif isinstance(value, Mapping):
        yield from _names(context, value.get(path[0]), path[1:]) if path else map(str, value)
    elif value is not None:
        yield None
