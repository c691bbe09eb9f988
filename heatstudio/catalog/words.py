"""Our descriptions of resource types, properties and attributes, merged into the catalog."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from msgspec import Struct, field
from msgspec.structs import replace

from heatstudio.assets import resource_path
from heatstudio.bundled_data import read_data
from heatstudio.catalog.resource_type import ResourceType
from heatstudio.catalog.schema import ANY_ELEMENT, AttributeSchema, PropertySchema


class TypeDescriptions(Struct, frozen=True, forbid_unknown_fields=True):
    """The descriptions of a resource type and its parts."""

    description: str = ""
    properties: Mapping[str, str] = field(default_factory=dict)
    """By dotted path, such as `fixed_ips.subnet`; the elements of a list are no step of it."""
    attributes: Mapping[str, str] = field(default_factory=dict)
    update_policy: Mapping[str, str] = field(default_factory=dict)
    """By dotted path, as in `properties`."""


def type_descriptions(name: str) -> TypeDescriptions:
    """Return the descriptions of a type, empty for an unknown one. Raises ValueError if the data are damaged."""
    return _service_descriptions(name.rpartition("::")[0]).get(name, TypeDescriptions())


@cache
def base_descriptions() -> TypeDescriptions:
    """Return the descriptions of what every type has. Raises ValueError if the data are damaged."""
    return read_data(resource_path("descriptions", "base.json"), TypeDescriptions)


@cache
def _service_descriptions(service: str) -> Mapping[str, TypeDescriptions]:
    path = resource_path("descriptions", f"{service.lower().replace('::', '-')}.json")
    return read_data(path, dict[str, TypeDescriptions]) if path.is_file() else {}


def named_type(name: str, found: ResourceType) -> ResourceType:
    """Return a type with its name, the names of its parts and our descriptions."""
    ours = type_descriptions(name)
    return replace(
        found,
        name=name,
        properties=_properties(found.properties, ours.properties),
        attributes=named_attributes(found.attributes, ours.attributes),
        update_policy=_properties(found.update_policy, ours.update_policy),
        description=ours.description,
    )


def named_attributes(found: Mapping[str, AttributeSchema], ours: Mapping[str, str]) -> dict[str, AttributeSchema]:
    """Return attributes with their names and our descriptions."""
    return {name: replace(one, name=name, description=ours.get(name, "")) for name, one in found.items()}


def _properties(
    found: Mapping[str, PropertySchema], ours: Mapping[str, str], parent: str = ""
) -> dict[str, PropertySchema]:
    return {name: _property(name, one, ours, parent) for name, one in found.items()}


def _property(name: str, found: PropertySchema, ours: Mapping[str, str], parent: str) -> PropertySchema:
    path = parent if name == ANY_ELEMENT else f"{parent}.{name}".lstrip(".")
    description = "" if name == ANY_ELEMENT else ours.get(path, "")
    return replace(found, name=name, children=_properties(found.children, ours, path), description=description)


@cache
def service_titles() -> Mapping[str, str]:
    """The title of each service, such as `Compute (Nova)` for `OS::Nova`."""
    return MappingProxyType(read_data(resource_path("services.json"), dict[str, str]))


def service_rank(service: str) -> int:
    """The place of a service in the order of the data; services that it does not name come last."""
    titles = list(service_titles())
    return titles.index(service) if service in titles else len(titles)
