"""Loading of property groups from `resources/groups`; tests compare them with the schemas of every release."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec import to_builtins
from msgspec.structs import replace

from heatstudio.bundled_data import read_data
from heatstudio.catalog.property_groups.group_data import GroupData, LibraryData
from heatstudio.catalog.property_groups.parse_group import GroupDataError, parse_group
from heatstudio.catalog.property_groups.property_group import (
    Combination,
    GroupReference,
    Member,
    PropertyGroup,
    PropertyGroups,
)


class GroupLibrary:
    """The property groups of all resource types; each type's groups are parsed on first use.

    `series` is the first number of the version of the Heat that checks the groups; None means the newest Heat.
    """

    def __init__(self, data: LibraryData, series: int | None = None) -> None:
        self._data = data
        self._series = series
        self._groups: dict[str, PropertyGroups] = {}

    def at(self, series: int) -> GroupLibrary:
        """Return the library of an older Heat."""
        return GroupLibrary(self._data, series)

    def groups(self, type_name: str) -> PropertyGroups:
        """Return a type's groups in Heat's order of checks. Raise GroupDataError if one is invalid."""
        if type_name not in self._groups:
            self._groups[type_name] = self._parse(type_name)
        return self._groups[type_name]

    def client_plugins(self) -> list[str]:
        """Return the client plug-ins whose API version property groups use, sorted."""
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

    def _parse(self, type_name: str) -> PropertyGroups:
        data = self._data.get(type_name, {})
        if isinstance(data, str):
            data = self._data.get(data, data)
        if isinstance(data, str):
            raise GroupDataError(type_name, "", "the groups of a type must be a map, or the name of a type with a map")
        checked = {name: group for name, group in data.items() if group.is_checked_by(self._series)}
        return parse_groups(type_name, checked)


def load_groups(folder: Path) -> GroupLibrary:
    """Load all JSON files of a folder. Raise OSError, or ValueError for invalid data."""
    data: dict[str, str | Mapping[str, GroupData]] = {}
    for path in sorted(folder.glob("*.json")):
        content = read_data(path, dict[str, str | dict[str, GroupData]])
        twice = content.keys() & data.keys()
        if twice:
            raise GroupDataError(min(twice), "", f"declared a second time in {path.name}")
        data.update(content)
    return GroupLibrary(data)


def parse_groups(type_name: str, data: Mapping[str, GroupData]) -> PropertyGroups:
    """Parse the groups of one type. Raise GroupDataError, which names the type and the group."""
    groups = [parse_group(type_name, name, group) for name, group in data.items()]
    parts = {name for group in groups for name in references(group)}
    return tuple(replace(group, referenced=group.name in parts) for group in groups)


def references(group: PropertyGroup) -> list[str]:
    """Return the names of the groups to which a group refers."""
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
