"""Verification that property groups refer to existing properties, and to each other without a cycle."""

from __future__ import annotations

from collections.abc import Mapping

from heatstudio.catalog.property_groups.load_groups import GroupDataError, parse_path, references
from heatstudio.catalog.property_groups.property_group import (
    EACH_ELEMENT,
    EACH_KEY,
    Arithmetic,
    Combination,
    Expression,
    Member,
    MemberPath,
    PropertyGroup,
    PropertyGroups,
    Root,
    Term,
)
from heatstudio.catalog.schema import ANY_ELEMENT, PropertySchema, PropertyType
from heatstudio.stack.groups.group_message import FIELD

FIELD_WORDS = frozenset(
    {
        "$resource",
        "$resources",
        "$properties",
        "$names",
        "$set",
        "$first",
        "$missing",
        "$missing_list",
        "$first_missing",
        "$fault",
    }
)
"""The special fields of a message; `$set` is followed by names of properties."""

_Node = PropertySchema | Mapping[str, PropertySchema] | None
"""A schema, the properties at one level, or None if any key is allowed."""


def verify_groups(type_name: str, groups: PropertyGroups, properties: Mapping[str, PropertySchema]) -> None:
    """Raise GroupDataError for a path without a property, and for a reference that is unknown or cyclic."""
    by_name = {group.name: group for group in groups}
    for group in groups:
        _Verifier(type_name, group, properties).verify()
        for name in references(group):
            _verify_reference(type_name, group, name, by_name)
    _refuse_circles(type_name, by_name)


def _verify_reference(type_name: str, group: PropertyGroup, name: str, groups: Mapping[str, PropertyGroup]) -> None:
    if name not in groups:
        raise GroupDataError(type_name, group.name, f"unknown group `{name}`")
    if groups[name].scope != group.scope:
        raise GroupDataError(type_name, group.name, f"the group `{name}` has another scope")


def _refuse_circles(type_name: str, groups: Mapping[str, PropertyGroup]) -> None:
    finished: set[str] = set()

    def visit(name: str, above: tuple[str, ...]) -> None:
        if name in above:
            circle = " -> ".join([*above[above.index(name) :], name])
            raise GroupDataError(type_name, name, f"the group refers to itself: {circle}")
        if name not in finished:
            for referenced in references(groups[name]):
                visit(referenced, (*above, name))
            finished.add(name)

    for name in groups:
        visit(name, ())


def _innermost_element(path: MemberPath) -> MemberPath:
    """Return the path of the innermost list element in a path."""
    ends = [at for at, step in enumerate(path.steps, 1) if step == EACH_ELEMENT]
    return MemberPath(path.steps[: ends[-1]] if ends else (), path.root)


class _Verifier:
    def __init__(self, type_name: str, group: PropertyGroup, properties: Mapping[str, PropertySchema]) -> None:
        self._type_name = type_name
        self._group = group
        self._top: _Node = properties
        self._scope: _Node = properties

    def verify(self) -> None:
        if self._group.scope is not None:
            self._scope = self._walk(self._group.scope, self._top)
        self._expression(self._group.expression, self._scope)
        self._expression(self._group.when, self._scope)
        if self._group.usual:
            self._path(parse_path(self._group.usual), self._scope)
        for message in self._group.messages.values():
            for field in FIELD.findall(message.text):
                self._field(field)

    def _field(self, field: str) -> None:
        word, *paths = field.split() if field.startswith("$") else ("", field)
        if word and word not in FIELD_WORDS:
            raise self._error(f"unknown field `{{{field}}}` in a message")
        for path in paths:
            self._path(parse_path(path), self._scope)

    def _error(self, reason: str) -> GroupDataError:
        return GroupDataError(self._type_name, self._group.name, reason)

    def _expression(self, expression: Expression | Term | None, here: _Node) -> None:
        match expression:
            case Combination(_, members) | Arithmetic(_, members):
                for member in members:
                    self._expression(member, here)
            case Member():
                self._member(expression, here)

    def _member(self, member: Member, here: _Node) -> None:
        self._path(member.path, here)
        if member.where is not None:
            self._expression(member.where, self._path(_innermost_element(member.path), here))

    def _path(self, path: MemberPath, here: _Node) -> _Node:
        match path.root:
            case Root.FACT:
                return None
            case Root.TOP:
                return self._walk(path, self._top)
            case Root.SCOPE:
                return self._walk(path, here)

    def _walk(self, path: MemberPath, node: _Node) -> _Node:
        for step in path.steps:
            if node is None:
                return None
            node = self._step(node, step, path)
        return node

    def _step(self, node: PropertySchema | Mapping[str, PropertySchema], step: str, path: MemberPath) -> _Node:
        if isinstance(node, PropertySchema):
            if step == EACH_ELEMENT and node.type is PropertyType.LIST:
                return node.children.get(ANY_ELEMENT)
            if step != EACH_ELEMENT and node.type is PropertyType.MAP:
                return self._named(node.children, step, path) if node.children else None
            if node.type is PropertyType.ANY:
                return None
            raise self._error(f"the path `{path}` does not fit: `{node.name}` is a {node.type.lower()}")
        return self._named(node, step, path)

    def _named(self, children: Mapping[str, PropertySchema], step: str, path: MemberPath) -> _Node:
        if step == EACH_KEY:
            return None
        if step not in children:
            raise self._error(f"unknown property `{step}` in the path `{path}`")
        return children[step]
