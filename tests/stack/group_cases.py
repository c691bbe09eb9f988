"""The recorded results of the real engine for property groups, and the program's results for the same cases."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

from heatstudio.assets import resource_path
from heatstudio.catalog.load import Catalog
from heatstudio.catalog.property_groups.load_groups import GroupLibrary, load_groups
from heatstudio.catalog.property_groups.property_group import PropertyGroups
from heatstudio.stack.groups.group_context import GroupContext
from heatstudio.stack.groups.group_fix import GroupFix
from heatstudio.stack.groups.property_groups import GroupViolation, check_groups
from heatstudio.stack.values.properties import Properties
from heatstudio.stack.values.translation import Translation, active_rules

NOT_OF_PROPERTIES = {
    "OS::Heat::Stack": "a remote Heat answers",
    "OS::Heat::ResourceGroup": "the nested stack is at fault",
    "OS::Heat::AutoScalingGroup": "the nested stack is at fault",
    "AWS::CloudFormation::Stack": "the nested stack is at fault",
    "OS::Nova::Server": "the limits of the cloud are at fault",
}
"""The types that the engine rejects for other reasons than combinations of properties."""
NEWEST = {"nova": "2.96"}
"""The client versions of the engine's runs, with a cloud of the newest services."""


def read_cases(path: Path) -> Iterator[dict[str, object]]:
    """Yield the cases of resources whose properties reach the checks of the plug-in."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            case = json.loads(line)
            if case["kind"] == "resource" and case.get("level") != "schema":
                yield case


@dataclass(frozen=True)
class OneResource:
    """A stack of one resource and the resources that it refers to."""

    references: frozenset[str]
    others: Mapping[str, Mapping[str, object]]

    def names(self) -> Collection[str]:
        return self.references | set(self.others) | {"res", "srv"}

    def requires(self, name: str) -> bool:
        return name in self.references

    def property_value(self, reference: str, name: str) -> object:
        return self.others.get(reference, {}).get(name)


def references(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        if list(value) == ["get_resource"]:
            yield str(value["get_resource"])
        for item in value.values():
            yield from references(item)
    elif isinstance(value, list):
        for item in value:
            yield from references(item)


def resolved(value: object) -> object:
    """Return a value with functions resolved as before creation: a resource to its name, an attribute to null."""
    if isinstance(value, dict):
        if list(value) == ["get_resource"]:
            return value["get_resource"]
        if list(value) == ["get_attr"]:
            return None
        return {key: resolved(item) for key, item in value.items()}
    return [resolved(item) for item in value] if isinstance(value, list) else value


def judge(
    catalog: Catalog,
    library: GroupLibrary,
    type_name: str,
    given: Mapping[str, object],
    *,
    others: Mapping[str, Mapping[str, object]] | None = None,
    metadata: object = None,
    update_policy: object = None,
) -> list[GroupViolation]:
    """Return the violations of a type's groups by the properties of a template."""
    values = property_values(catalog, type_name, given)
    context = GroupContext(
        resource="res",
        neighbors=OneResource(frozenset(references(dict(given))), others or {}),
        client_versions=NEWEST,
        metadata=metadata or {},
        update_policy=update_policy or {},
    )
    return list(check_groups(groups_of(catalog, library, type_name), values, context))


def groups_of(catalog: Catalog, library: GroupLibrary, type_name: str) -> PropertyGroups:
    assert catalog.get(type_name) is not None
    return library.groups(type_name)


def property_values(catalog: Catalog, type_name: str, given: Mapping[str, object]) -> dict[str, object]:
    """Return the property values that a plug-in gets at validation."""
    kind = catalog.get(type_name)
    assert kind is not None
    rules = active_rules(kind.translation_rules, lambda name: bool(given.get(name)))
    return Properties(kind.properties, given, resolve=resolved, translation=Translation(rules)).values()


def library() -> GroupLibrary:
    return load_groups(resource_path("groups"))


def grouped_types() -> list[str]:
    """Return the resource types that have property groups in some Heat, sorted."""
    return sorted(name for path in resource_path("groups").glob("*.json") for name in json.loads(path.read_bytes()))


def applied(values: Mapping[str, object], fix: GroupFix) -> dict[str, object]:
    """Return the values after a fix, with placeholder values for added properties."""
    changed: dict[str, object] = deepcopy(dict(values))
    for path in fix.add:
        put(changed, path, ["added"])
    for path in fix.remove:
        put(changed, path, None)
    for path, value in fix.set:
        put(changed, path, value)
    return changed


def put(container: object, path: tuple[str | int, ...], value: object) -> None:
    """Set a value in nested maps and lists, and create missing levels."""
    step, rest = path[0], path[1:]
    if isinstance(container, dict) and isinstance(step, str):
        if not rest:
            container[step] = value
            return
        if not container.get(step):
            container[step] = [{}] if isinstance(rest[0], int) else {}
        put(container[step], rest, value)
    elif isinstance(container, list) and isinstance(step, int):
        if not rest:
            container[step] = value
        else:
            put(container[step], rest, value)
