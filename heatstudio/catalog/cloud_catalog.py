"""What the Heat of one cloud has, as its REST tells it: laid over the bundled catalog, which stays what it is.

The REST leaves out what is HIDDEN, types, properties and attributes alike, and properties that no plug-in implements
(heat/engine/service.py, resource_schema): that these are not told does not mean that the cloud does not have them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct, field

from heatstudio.catalog.facts import Facts, items, mapping, part, text
from heatstudio.catalog.load import Catalog
from heatstudio.catalog.resource_type import ResourceType
from heatstudio.catalog.schema import AttributeSchema, PropertySchema
from heatstudio.catalog.support_status import Status

_FLAGS = ("required", "update_allowed", "immutable")
_LIMITS = ("min", "max")
_HOT = "heat_template_version"


class CloudCatalog(Struct, frozen=True, eq=False):
    """The types and template versions of a cloud."""

    cloud: str
    """Its name in the configuration."""
    read: str = ""
    """When it was asked, ISO 8601."""
    types: Facts = field(default_factory=dict)
    """What the REST tells of each listed type, by name; empty for a type that it told nothing of."""
    versions: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """The functions of each template version, by the version as Heat lists it: its key, a dot, its name."""

    def has_type(self, known: ResourceType) -> bool:
        """Whether the cloud has a type of the bundled catalog, as far as it tells."""
        return not self.types or known.name in self.types or known.support_status.status is Status.HIDDEN

    def lacks_property(self, known: ResourceType, name: str) -> bool:
        """Whether the cloud has the type, but surely not this property of it."""
        told = part(part(self.types, known.name), "properties")
        schema = known.properties.get(name)
        return bool(told) and schema is not None and schema.implemented and _is_missing(schema, told)

    def lacks_attribute(self, known: ResourceType, name: str) -> bool:
        """Whether the cloud has the type, but surely not this attribute of it."""
        told = part(part(self.types, known.name), "attributes")
        schema = known.attributes.get(name)
        return bool(told) and schema is not None and _is_missing(schema, told)

    def functions(self, key: str, name: str) -> frozenset[str] | None:
        """The functions of a template version; None if the cloud does not have the version, or told of none."""
        return self.versions.get(f"{key}.{name}")

    @property
    def newest_hot(self) -> str:
        """The newest version of HOT that the cloud has; empty if it told of none."""
        named = (version.partition(".") for version in self.versions)
        return max((name for key, _, name in named if key == _HOT and name[:1].isdigit()), default="")


def _is_missing(schema: PropertySchema | AttributeSchema, told: Facts) -> bool:
    return schema.name not in told and schema.support_status.status is not Status.HIDDEN


def only_there(cloud: CloudCatalog, bundled: Catalog) -> tuple[str, ...]:
    """The types that the cloud has and the bundled catalog does not, sorted."""
    known = {*bundled.names(), *bundled.aliases}
    return tuple(sorted(name for name in cloud.types if name not in known))


def overlaid(bundled: Catalog, cloud: CloudCatalog) -> Catalog:
    """The bundled catalog with the types that only the cloud has."""
    names = only_there(cloud, bundled)
    facts = {name: _type_facts(part(cloud.types, name), name) for name in names}
    prose = {name: _type_prose(part(cloud.types, name)) for name in names}
    known_prose = dict(bundled.prose) | {"types": {**part(bundled.prose, "types"), **prose}}
    types = dict(sorted({**bundled.type_facts, **facts}.items()))
    return bundled.extended(types, known_prose)


def _type_facts(told: Facts, name: str) -> Facts:
    """A type in the words of the harvest (heatstudio/catalog/materialize.py)."""
    return {
        "class": f"cloud.{name}",
        "status": list(_statuses(told.get("support_status"))),
        "properties": {key: _property(mapping(schema)) for key, schema in part(told, "properties").items()},
        "attributes": {key: _attribute(mapping(schema)) for key, schema in part(told, "attributes").items()},
    }


def _statuses(told: object) -> Iterator[Facts]:
    """The chain from the newest to the oldest."""
    while isinstance(told, Mapping):
        yield {"status": told.get("status"), "version": told.get("version")}
        told = told.get("previous_status")


def _property(told: Facts) -> Facts:
    facts: dict[str, object] = {flag: True for flag in _FLAGS if told.get(flag) is True}
    facts["type"] = text(told, "type").capitalize()
    if "default" in told:
        facts["default"] = told["default"]
    facts["constraints"] = [found for one in items(told, "constraints") for found in _constraints(mapping(one))]
    facts["children"] = {key: _property(mapping(schema)) for key, schema in part(told, "schema").items()}
    return facts


def _constraints(told: Facts) -> Iterator[Facts]:
    for kind, rule in told.items():
        if kind in ("range", "length"):
            yield {kind: [mapping(rule).get(limit) for limit in _LIMITS]}
        elif kind == "modulo":
            yield {kind: [mapping(rule).get("step"), mapping(rule).get("offset")]}
        elif kind in ("allowed_values", "allowed_pattern", "custom_constraint"):
            yield {kind: rule}


def _attribute(told: Facts) -> Facts:
    return {"type": text(told, "type").capitalize()}


def _type_prose(told: Facts) -> Facts:
    return {
        "description": text(told, "description"),
        "status": [text(mapping(told.get("support_status")), "message")],
        "properties": {key: _property_prose(mapping(schema)) for key, schema in part(told, "properties").items()},
        "attributes": {
            key: {"description": text(mapping(schema), "description")}
            for key, schema in part(told, "attributes").items()
        },
    }


def _property_prose(told: Facts) -> Facts:
    children = {key: _property_prose(mapping(schema)) for key, schema in part(told, "schema").items()}
    return {"description": text(told, "description"), "children": children}


def cloud_catalog_of(facts: Facts) -> CloudCatalog:
    """A cloud's catalog as it was kept; what is odd in it counts as not told."""
    return CloudCatalog(
        text(facts, "cloud"),
        text(facts, "read"),
        part(facts, "types"),
        {
            version: frozenset(name for name in items(part(facts, "versions"), version) if isinstance(name, str))
            for version in part(facts, "versions")
        },
    )


def facts_of(catalog: CloudCatalog) -> Facts:
    """A cloud's catalog as JSON can keep it."""
    return {
        "cloud": catalog.cloud,
        "read": catalog.read,
        "types": catalog.types,
        "versions": {version: sorted(names) for version, names in catalog.versions.items()},
    }
