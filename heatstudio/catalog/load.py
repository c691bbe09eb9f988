"""Loading of the catalog: Heat's resource types and template versions, as harvested from Heat's code.

Bundled descriptions and references of types and their parts are added to it. Each older Heat is stored as its
differences from the next newer one, in a file in resources/catalog/older named after the first number of its version.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType

from msgspec import Raw, Struct, field, json
from msgspec.structs import asdict, replace

from heatstudio.assets import resource_path
from heatstudio.bundled_data import decoded, read_data
from heatstudio.catalog.release import SUPPORTED, Release, Status, SupportStatus, version_order
from heatstudio.catalog.schema import ANY_ELEMENT, AttributeSchema, PropertySchema, ResourceType

REMOVED = "Removed"
"""The class name of a removed function, whose use is an error."""


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


class TemplateVersion(Struct, frozen=True, forbid_unknown_fields=True):
    """A value of a version key; two names of one version (`2018-08-31`, `rocky`) share `class_name`."""

    key: str
    """The section that states the version, such as `heat_template_version`."""
    name: str
    class_name: str = field(name="class")
    sections: tuple[str, ...]
    resource_keys: tuple[str, ...]
    recognized_resource_keys: tuple[str, ...]
    """The keys that pass Heat's first check; Heat rejects keys not in `resource_keys` later with another message."""
    output_keys: tuple[str, ...]
    parameter_keys: tuple[str, ...]
    parameter_types: tuple[str, ...]
    parameter_constraints: tuple[str, ...]
    """The keys of a parameter's `constraints`; empty for CFN, which has no such key."""
    pseudo_parameters: tuple[str, ...]
    deletion_policies: tuple[str, ...]
    functions: Mapping[str, str]
    """The implementing class of each function, or `REMOVED`."""
    condition_functions: Mapping[str, str]
    """The functions allowed in conditions; any other known function is invalid there."""


class Catalog(Struct, frozen=True, eq=False, forbid_unknown_fields=True, dict=True):
    """The resource types and template versions of one Heat release. Types are decoded on first use and cached."""

    heat_version: str = field(name="heat")
    types: Mapping[str, Raw]
    """The undecoded types of this Heat."""
    base_attributes: Mapping[str, AttributeSchema] = field(default_factory=dict)
    """The attributes of every type."""
    template_versions: tuple[TemplateVersion, ...] = ()
    aliases: Mapping[str, str] = field(default_factory=dict)
    """The aliases in Heat's `environment.d`: a type name, or a prefix and `*`, and the type that it maps to."""
    custom_constraints: Mapping[str, bool] = field(default_factory=dict)
    """Whether each custom constraint, by name, has to query a cloud."""
    reported: Mapping[str, ResourceType] = field(default_factory=dict)
    """Additional types that a cloud listed."""
    _made: dict[str, ResourceType] = field(default_factory=dict)

    @property
    def series(self) -> int:
        """The first number of the Heat version, which is unique to an OpenStack release."""
        return int(self.heat_version.partition(".")[0])

    def names(self) -> list[str]:
        """Return all resource types, sorted."""
        return sorted((*self.types, *self.reported))

    @cached_property
    def visible_names(self) -> list[str]:
        """The types that Heat itself lists, which excludes HIDDEN ones."""
        stated = {name: json.decode(facts, type=_Stated).status for name, facts in self.types.items()}
        stated.update((name, one.support_status) for name, one in self.reported.items())
        return [name for name in self.names() if stated[name].status is not Status.HIDDEN]

    def get(self, name: str) -> ResourceType | None:
        """Return the type of this exact name, without following aliases; None if it is unknown."""
        made = self._made.get(name) or self.reported.get(name)
        if made is None and name in self.types:
            found = decoded(self.types[name], ResourceType, f"heat.json, {name}")
            made = self._made.setdefault(name, self.with_base_attributes(named_type(name, found)))
        return made

    def with_base_attributes(self, own: ResourceType) -> ResourceType:
        """Return a type with the attributes of every type."""
        base = named_attributes(self.base_attributes, base_descriptions().attributes)
        return replace(own, attributes={**own.attributes, **base})

    def template_version(self, key: str, name: str) -> TemplateVersion | None:
        """Return the template version that a template states as `key: name`."""
        return next((version for version in self.template_versions if (version.key, version.name) == (key, name)), None)

    def extended(self, reported: Mapping[str, ResourceType]) -> Catalog:
        """Return the catalog with more types; decoded types are kept."""
        return replace(self, reported={**self.reported, **reported}, _made=dict(self._made))


class _Stated(Struct):
    """The support status of a type, without its other facts."""

    status: SupportStatus = SUPPORTED


def load_catalog(path: Path | None = None) -> Catalog:
    """Load the bundled catalog, or the harvested catalog at `path`.

    Raise OSError if it cannot be read, and ValueError if it is invalid.
    """
    return read_data(path or resource_path("catalog", "heat.json"), Catalog)


class OlderCatalog(Struct, frozen=True, forbid_unknown_fields=True):
    """The differences of an older Heat from the next newer one; None marks an unchanged part of the catalog."""

    heat: str
    types: Mapping[str, Raw] = {}
    """The complete data of the types that differ."""
    later: tuple[str, ...] = ()
    """The types that this Heat does not have yet."""
    base_attributes: Mapping[str, AttributeSchema] | None = None
    template_versions: tuple[TemplateVersion, ...] | None = None
    aliases: Mapping[str, str] | None = None
    custom_constraints: Mapping[str, bool] | None = None

    def below(self, newer: Catalog) -> Catalog:
        """Return the catalog of this Heat, given that of the next newer one."""
        types = {name: facts for name, facts in newer.types.items() if name not in self.later} | dict(self.types)
        parts = {part: value for part in _PARTS if (value := getattr(self, part)) is not None}
        return replace(newer, heat_version=self.heat, types=types, _made={}, **parts)


_PARTS = ("base_attributes", "template_versions", "aliases", "custom_constraints")


def catalogs(newest: Catalog, folder: Path | None = None) -> Iterator[Catalog]:
    """Yield the catalogs of all Heat versions, newest first. Raise OSError or ValueError for damaged data."""
    yield newest
    files = (folder or resource_path("catalog", "older")).glob("*.json")
    for path in sorted(files, key=lambda path: version_order(path.stem), reverse=True):
        newest = read_data(path, OlderCatalog).below(newest)
        yield newest


def catalog_at(newest: Catalog, release: Release) -> Catalog:
    """Return the catalog of a release's Heat, or the oldest known catalog if the release is older."""
    found = newest
    for found in catalogs(newest):
        if version_order(release.heat) >= version_order(str(found.series)):
            break
    return found


@cache
def release_changes() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Return the changes of each changed type by release, newest first."""
    return read_data(resource_path("catalog", "changes.json"), dict[str, dict[str, tuple[str, ...]]])
