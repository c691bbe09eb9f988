"""Property groups read from `resources/groups`, and held against the schema of their type."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec import to_builtins
from msgspec.structs import replace

from heatstudio.catalog.data import read_data
from heatstudio.catalog.property_groups.group_data import GroupData, LibraryData
from heatstudio.catalog.property_groups.parse_group import GroupDataError, parse_group
from heatstudio.catalog.property_groups.property_group import (
    Combination,
    GroupReference,
    Member,
    PropertyGroup,
    PropertyGroups,
)
from heatstudio.catalog.property_groups.verify_groups import verify_group
from heatstudio.catalog.schema import PropertySchema


class GroupLibrary:
    """The property groups of all resource types; each type's are parsed when they are first asked for."""

    def __init__(self, data: LibraryData) -> None:
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
        pending: list[object] = [to_builtins(self._data)]
        while pending:
            item = pending.pop()
            if isinstance(item, Mapping):
                found.update(name for name in [item.get("client_plugin")] if isinstance(name, str))
                pending.extend(item.values())
            elif isinstance(item, list | tuple):
                pending.extend(item)
        return sorted(found)

    def _parse(self, type_name: str, properties: Mapping[str, PropertySchema]) -> PropertyGroups:
        data = self._data.get(type_name, {})
        if isinstance(data, str):
            data = self._data.get(data, data)
        if isinstance(data, str):
            raise GroupDataError(type_name, "", "the groups of a type are a map, or the name of a type that has one")
        return parse_groups(type_name, data, properties)


def load_groups(folder: Path) -> GroupLibrary:
    """The groups in all JSON files of a folder. Raises OSError, and ValueError for what is not of their form."""
    data: dict[str, str | Mapping[str, GroupData]] = {}
    for path in sorted(folder.glob("*.json")):
        content = read_data(path, dict[str, str | dict[str, GroupData]])
        twice = content.keys() & data.keys()
        if twice:
            raise GroupDataError(min(twice), "", f"declared a second time in {path.name}")
        data.update(content)
    return GroupLibrary(data)


def parse_groups(
    type_name: str, data: Mapping[str, GroupData], properties: Mapping[str, PropertySchema]
) -> PropertyGroups:
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
