"""The types of one cloud's Heat, overlaid on the unchanged bundled catalog, and the named objects of the cloud.

The REST API omits HIDDEN types, properties and attributes, and properties that no plug-in implements
(heat/engine/service.py, resource_schema): the cloud may have them although they are not listed.
"""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import TypeVar

from msgspec import Struct, field

from heatstudio.assets import resource_path
from heatstudio.bundled_data import read_data
from heatstudio.catalog.facts import Facts, items, mapping, optional_text, part, text
from heatstudio.catalog.load import Catalog
from heatstudio.catalog.release import SUPPORTED, Status, SupportStatus
from heatstudio.catalog.schema import (
    AllowedPattern,
    AllowedValues,
    AttributeSchema,
    Constraint,
    CustomConstraint,
    Length,
    Modulo,
    PropertySchema,
    PropertyType,
    Range,
    ResourceType,
)

_LIMITS = ("min", "max")
_HOT = "heat_template_version"
_Member = TypeVar("_Member", bound=StrEnum)
_NAMES = ("resource_type", "Resource Type")
"""The keys of a type's name in the REST API and in the client."""
_LIST = "resource_types"


class CloudCatalog(Struct, frozen=True, eq=False):
    """The types and template versions of a cloud."""

    cloud: str
    """The cloud's name in the configuration."""
    types: Facts = field(default_factory=dict)
    """The REST API's data of each listed type, by name; empty for a type without an answer."""
    versions: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """The functions of each template version; the version is the key, a dot and the name, as Heat lists it."""

    def has_type(self, known: ResourceType) -> bool:
        """Return whether the cloud has a type of the bundled catalog; true if it may have it without listing it."""
        return not self.types or known.name in self.types or known.support_status.status is Status.HIDDEN

    def lacks_property(self, known: ResourceType, name: str) -> bool:
        """Return whether the cloud has the type, but certainly not this property of it."""
        reported = part(part(self.types, known.name), "properties")
        schema = known.properties.get(name)
        return bool(reported) and schema is not None and schema.implemented and _is_missing(schema, reported)

    def lacks_attribute(self, known: ResourceType, name: str) -> bool:
        """Return whether the cloud has the type, but certainly not this attribute of it."""
        reported = part(part(self.types, known.name), "attributes")
        schema = known.attributes.get(name)
        return bool(reported) and schema is not None and _is_missing(schema, reported)

    def functions(self, key: str, name: str) -> frozenset[str] | None:
        """Return the functions of a template version; None if the cloud did not list the version."""
        return self.versions.get(f"{key}.{name}")

    @property
    def newest_hot(self) -> str:
        """The newest HOT version that the cloud listed; empty if it listed none."""
        named = (version.partition(".") for version in self.versions)
        return max((name for key, _, name in named if key == _HOT and name[:1].isdigit()), default="")


def _is_missing(schema: PropertySchema | AttributeSchema, reported: Facts) -> bool:
    return schema.name not in reported and schema.support_status.status is not Status.HIDDEN


def only_there(cloud: CloudCatalog, bundled: Catalog) -> tuple[str, ...]:
    """Return the types that the cloud has and the bundled catalog does not, sorted."""
    known = {*bundled.names(), *bundled.aliases}
    return tuple(sorted(name for name in cloud.types if name not in known))


def overlaid(bundled: Catalog, cloud: CloudCatalog) -> Catalog:
    """Return the bundled catalog with the types that only the cloud has."""
    return bundled.extended(
        {
            name: bundled.with_base_attributes(_type(name, part(cloud.types, name)))
            for name in only_there(cloud, bundled)
        }
    )


def _type(name: str, reported: Facts) -> ResourceType:
    return ResourceType(
        name,
        f"cloud.{name}",
        _status(mapping(reported.get("support_status"))),
        {key: _property(key, mapping(schema)) for key, schema in part(reported, "properties").items()},
        {key: _attribute(key, mapping(schema)) for key, schema in part(reported, "attributes").items()},
        description=text(reported, "description"),
    )


def _status(reported: Facts) -> SupportStatus:
    """Return the reported status with all earlier ones; SUPPORTED if the cloud reports none."""
    if not reported:
        return SUPPORTED
    previous = part(reported, "previous_status")
    return SupportStatus(
        _member(Status, reported.get("status")) or Status.UNSUPPORTED,
        optional_text(reported, "version"),
        text(reported, "message"),
        previous=_status(previous) if previous else None,
    )


def _property(name: str, reported: Facts) -> PropertySchema:
    return PropertySchema(
        name,
        _member(PropertyType, text(reported, "type").capitalize()) or PropertyType.ANY,
        required=reported.get("required") is True,
        default=reported.get("default"),
        update_allowed=reported.get("update_allowed") is True,
        immutable=reported.get("immutable") is True,
        constraints=tuple(found for one in items(reported, "constraints") for found in _constraints(mapping(one))),
        children={key: _property(key, mapping(schema)) for key, schema in part(reported, "schema").items()},
        description=text(reported, "description"),
    )


def _constraints(reported: Facts) -> Iterator[Constraint]:
    for kind, rule in reported.items():
        match kind, rule:
            case "range", dict():
                least, most = (value if isinstance(value, int | float) else None for value in map(rule.get, _LIMITS))
                yield Range(least, most)
            case "length", dict():
                shortest, longest = (value if isinstance(value, int) else None for value in map(rule.get, _LIMITS))
                yield Length(shortest, longest)
            case "modulo", {"step": int() | float() as step, "offset": int() | float() as offset}:
                yield Modulo(step, offset)
            case "allowed_values", [*values]:
                yield AllowedValues(tuple(values))
            case "allowed_pattern", str():
                yield AllowedPattern(rule)
            case "custom_constraint", str():
                yield CustomConstraint(rule)


def _attribute(name: str, reported: Facts) -> AttributeSchema:
    kind = _member(PropertyType, text(reported, "type").capitalize())
    return AttributeSchema(name, kind, description=text(reported, "description"))


def _member(kind: type[_Member], value: object) -> _Member | None:
    """Return the enumeration member of a value; None for an unknown value, such as one of another Heat version."""
    return next((member for member in kind if member == value), None)


class ReportedTypes(Struct, frozen=True):
    """The resource types in one file."""

    types: Facts
    is_list: bool
    """Whether these are all types of the cloud."""


def imported_types(data: object) -> ReportedTypes | None:
    """Return the types in the JSON data of a list or of one type; None for any other data."""
    if isinstance(data, dict) and _LIST not in data:
        name = _name(data)
        is_type = name and ("properties" in data or "attributes" in data)
        return ReportedTypes({name: data}, is_list=False) if is_type else None
    listed = data if isinstance(data, list) else items(mapping(data), _LIST)
    names = dict.fromkeys(name for one in listed if (name := _name(one)))
    return ReportedTypes({name: {} for name in names}, is_list=True) if names else None


def catalog_of(name: str, reported: Iterable[ReportedTypes], bundled: Catalog) -> CloudCatalog:
    """Return the catalog of the types of all files; without a list, no bundled type counts as missing in the cloud."""
    found = list(reported)
    lists = [one for one in found if one.is_list]
    types: dict[str, object] = {} if lists else {key: {} for key in bundled.names()}
    for one in (*lists, *(one for one in found if not one.is_list)):
        types.update(one.types)
    return CloudCatalog(name, types=types)


def _name(one: object) -> str:
    return one if isinstance(one, str) else next(filter(None, (text(mapping(one), key) for key in _NAMES)), "")


class CloudObject(Struct, frozen=True):
    """One named object of a cloud."""

    id: str
    name: str


class NameKind(Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of objects, and the API that lists them."""

    constraint: str
    """The custom constraint by which Heat validates such names, such as `nova.flavor`."""
    service: str
    """The name of the service in openstacksdk."""
    path: str
    list: str
    """The key of the list in the response."""
    inside: str = ""
    """The key of the map with the fields of an item; empty if the item is this map."""
    id: str = "id"
    name: str = "name"

    @property
    def noun(self) -> str:
        """The noun for an object of this kind."""
        return self.constraint.partition(".")[2].replace("_", " ").replace("vtype", "volume type")


class NameKinds(Struct, frozen=True, forbid_unknown_fields=True):
    """All known kinds of objects, and the kinds that Heat's client plug-ins look up."""

    kinds: tuple[NameKind, ...] = ()
    finders: Mapping[str, str] = field(default_factory=dict)
    """Constraints by client plug-in, method and entity, joined by dots."""


def load_name_kinds() -> NameKinds:
    """Load the kinds of names. Raise OSError or ValueError if the data is damaged."""
    return read_data(resource_path("cloud_names.json"), NameKinds)


class CloudNames(Struct, frozen=True, eq=False):
    """The named objects of a cloud that have been read."""

    things: Mapping[str, tuple[CloudObject, ...]] = field(default_factory=dict)
    """Objects by custom constraint; a missing kind is unknown."""
    partly: frozenset[str] = frozenset()
    """The kinds that were listed incompletely."""
    kinds: NameKinds = field(default_factory=NameKinds)

    def lacks(self, constraint: str, name: str) -> bool:
        """Return whether the cloud certainly has no object of a kind with this name or ID."""
        things = self.things.get(constraint)
        if things is None or constraint in self.partly:
            return False
        return not any(name in (one.id, one.name) for one in things)

    def names(self, constraint: str) -> tuple[str, ...]:
        """Return the names of a kind, sorted; IDs replace a name that several objects share, which Heat rejects."""
        things = self.things.get(constraint, ())
        names = [one.name for one in things]
        return tuple(sorted({one.name or one.id if names.count(one.name) < 2 else one.id for one in things}))

    def noun(self, constraint: str) -> str:
        """Return the noun for an object of a kind."""
        return next((kind.noun for kind in self.kinds.kinds if kind.constraint == constraint), constraint)

    def find(self, client_plugin: str, finder: str, entity: str | None, name: str) -> str | None:
        """Return the ID of the only object with a name or ID; None if there is none or several."""
        method = f"{client_plugin}.{finder}"
        constraint = self.kinds.finders.get(method) or self.kinds.finders.get(f"{method}.{entity}", "")
        found = {one.id for one in self.things.get(constraint, ()) if name in (one.id, one.name)}
        return found.pop() if len(found) == 1 else None


class KnownCloud(Struct, frozen=True, eq=False):
    """A cloud by its name in the configuration; data that has not been read is empty."""

    name: str
    catalog: CloudCatalog | None = None
    names: CloudNames = field(default_factory=CloudNames)

    def word(self, known: ResourceType, *, is_bundled: bool) -> str:
        """Return `only in NAME` or `not in NAME` for a type; empty if the cloud has it or its types are unknown."""
        if self.catalog is None or not self.catalog.types:
            return ""
        if not is_bundled:
            return f"only in {self.name}"
        return "" if self.catalog.has_type(known) else f"not in {self.name}"
