"""Property groups read from `resources/groups`, and held against the schema of their type."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from heatstudio.catalog.parse_group import GroupDataError, parse_group
from heatstudio.catalog.property_group import (
    Combination,
    GroupReference,
    Member,
    PropertyGroup,
    PropertyGroups,
)
from heatstudio.catalog.schema import PropertySchema
from heatstudio.catalog.verify_groups import verify_group

GroupData = Mapping[str, object]
"""One resource type's groups as JSON: by name, or the name of the type that has the same ones."""


class GroupLibrary:
    """The property groups of all resource types; each type's are parsed when they are first asked for."""

    def __init__(self, data: GroupData) -> None:
        self._data = data
        self._groups: dict[str, PropertyGroups] = {}

    def names(self) -> list[str]:
        """The resource types that have property groups, sorted."""
        return sorted(self._data)

    def groups(self, type_name: str, properties: Mapping[str, PropertySchema]) -> PropertyGroups:
        """A type's groups in the order in which Heat checks them.

        Raises GroupDataError if the data do not fit the type's schema.
        """
        if type_name not in self._groups:
            self._groups[type_name] = self._parse(type_name, properties)
        return self._groups[type_name]

    def client_plugins(self) -> list[str]:
        """The client plug-ins whose API version some group asks for, sorted."""
        found: set[str] = set()
        pending: list[object] = [self._data]
        while pending:
            item = pending.pop()
            if isinstance(item, Mapping):
                found.update(name for name in [item.get("client_plugin")] if isinstance(name, str))
                pending.extend(item.values())
            elif isinstance(item, list):
                pending.extend(item)
        return sorted(found)

    def _parse(self, type_name: str, properties: Mapping[str, PropertySchema]) -> PropertyGroups:
        data = self._data.get(type_name, {})
        if isinstance(data, str):
            data = self._data.get(data)
        if not isinstance(data, Mapping):
            raise GroupDataError(type_name, "", "the groups of a type are a map, or the name of a type that has one")
        return parse_groups(type_name, data, properties)


def load_groups(folder: Path) -> GroupLibrary:
    """The groups in all JSON files of a folder. Raises OSError, and GroupDataError for what is no JSON object."""
    data: dict[str, object] = {}
    for path in sorted(folder.glob("*.json")):
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise GroupDataError(path.name, "", f"not readable as JSON: {error}") from None
        if not isinstance(content, dict):
            raise GroupDataError(path.name, "", "not a map of resource types")
        for name, groups in content.items():
            if name in data:
                raise GroupDataError(name, "", f"declared a second time in {path.name}")
            data[name] = groups
    return GroupLibrary(data)


def parse_groups(type_name: str, data: GroupData, properties: Mapping[str, PropertySchema]) -> PropertyGroups:
    """The groups of one type. Raises GroupDataError, which names the type and the group, for anything wrong."""
    groups = {name: parse_group(type_name, name, group) for name, group in data.items()}
    parts: set[str] = set()
    for group in groups.values():
        verify_group(type_name, group, properties)
        for name in _references(group):
            _verify_reference(type_name, group, name, groups)
            parts.add(name)
    _refuse_circles(type_name, groups)
    return tuple(replace(group, referenced=group.name in parts) for group in groups.values())


def _verify_reference(type_name: str, group: PropertyGroup, name: str, groups: Mapping[str, PropertyGroup]) -> None:
    if name not in groups:
        raise GroupDataError(type_name, group.name, f"unknown group `{name}`")
    if groups[name].scope != group.scope:
        raise GroupDataError(type_name, group.name, f"the group `{name}` has another scope")


def _references(group: PropertyGroup) -> list[str]:
    found: list[str] = []
    pending: list[object] = [group.expression, group.when]
    while pending:
        item = pending.pop()
        if isinstance(item, GroupReference):
            found.append(item.name)
        elif isinstance(item, Combination):
            pending.extend(item.members)
        elif isinstance(item, Member):
            pending.append(item.where)
    return found


def _refuse_circles(type_name: str, groups: Mapping[str, PropertyGroup]) -> None:
    finished: set[str] = set()

    def visit(name: str, above: tuple[str, ...]) -> None:
        if name in above:
            circle = " -> ".join([*above[above.index(name) :], name])
            raise GroupDataError(type_name, name, f"the group refers to itself: {circle}")
        if name not in finished:
            for referenced in _references(groups[name]):
                visit(referenced, (*above, name))
            finished.add(name)

    for name in groups:
        visit(name, ())
