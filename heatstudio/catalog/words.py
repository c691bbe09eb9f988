"""Bundled descriptions and references of resource types and their parts, added to the catalog."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from msgspec import Struct, field
from msgspec.structs import asdict, replace

from heatstudio.assets import resource_path
from heatstudio.bundled_data import read_data
from heatstudio.catalog.schema import ANY_ELEMENT, AttributeSchema, PropertySchema, ResourceType


class TypeDescriptions(Struct, frozen=True, forbid_unknown_fields=True):
    """The descriptions of a resource type, its properties and its attributes."""

    description: str = ""
    properties: Mapping[str, str] = field(default_factory=dict)
    """Descriptions by dotted path, such as `fixed_ips.subnet`; list elements are not steps of the path."""
    attributes: Mapping[str, str] = field(default_factory=dict)
    update_policy: Mapping[str, str] = field(default_factory=dict)
    """Descriptions by dotted path, as in `properties`."""


class PropertyReference(Struct, frozen=True, forbid_unknown_fields=True):
    """What a property refers to, beyond its constraints; see `PropertySchema`."""

    refers: tuple[str, ...] = ()
    external: bool = False
    unique: bool = False


_NO_REFERENCE = PropertyReference()


def type_descriptions(name: str) -> TypeDescriptions:
    """Return the descriptions of a type; empty if it is unknown. Raise ValueError if the data is damaged."""
    return _service_descriptions(name.rpartition("::")[0]).get(name, TypeDescriptions())


@cache
def custom_constraint_words() -> Mapping[str, str]:
    """Return phrases for custom constraints whose names do not say it. Raise ValueError if the data is damaged."""
    return read_data(resource_path("custom_constraints.json"), dict[str, str])


@cache
def base_descriptions() -> TypeDescriptions:
    """Return the descriptions of the attributes of every type. Raise ValueError if the data is damaged."""
    return read_data(resource_path("descriptions", "base.json"), TypeDescriptions)


@cache
def _references() -> Mapping[str, Mapping[str, PropertyReference]]:
    """Return the references of properties by type and dotted path."""
    return read_data(resource_path("references.json"), dict[str, dict[str, PropertyReference]])


@cache
def _service_descriptions(service: str) -> Mapping[str, TypeDescriptions]:
    path = resource_path("descriptions", f"{service.lower().replace('::', '-')}.json")
    return read_data(path, dict[str, TypeDescriptions]) if path.is_file() else {}


def named_type(name: str, found: ResourceType) -> ResourceType:
    """Return a type with its name, the names of its parts and the bundled descriptions."""
    ours, references = type_descriptions(name), _references().get(name, {})
    return replace(
        found,
        name=name,
        properties=_properties(found.properties, ours.properties, references),
        attributes=named_attributes(found.attributes, ours.attributes),
        update_policy=_properties(found.update_policy, ours.update_policy, {}),
        description=ours.description,
    )


def named_attributes(found: Mapping[str, AttributeSchema], ours: Mapping[str, str]) -> dict[str, AttributeSchema]:
    """Return attributes with their names and the bundled descriptions."""
    return {name: replace(one, name=name, description=ours.get(name, "")) for name, one in found.items()}


def _properties(
    found: Mapping[str, PropertySchema],
    ours: Mapping[str, str],
    references: Mapping[str, PropertyReference],
    parent: str = "",
) -> dict[str, PropertySchema]:
    named: dict[str, PropertySchema] = {}
    for name, one in found.items():
        path = parent if name == ANY_ELEMENT else f"{parent}.{name}".lstrip(".")
        description = "" if name == ANY_ELEMENT else ours.get(path, "")
        children = _properties(one.children, ours, references, path)
        reference = asdict(references.get(path, _NO_REFERENCE))
        named[name] = replace(one, name=name, children=children, description=description, **reference)
    return named


@cache
def service_titles() -> Mapping[str, str]:
    """Return the title of each service, such as `Compute (Nova)` for `OS::Nova`."""
    return MappingProxyType(read_data(resource_path("services.json"), dict[str, str]))


def service_rank(service: str) -> int:
    """Return the sort rank of a service; unlisted services come last."""
    titles = list(service_titles())
    return titles.index(service) if service in titles else len(titles)
