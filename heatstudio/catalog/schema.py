"""Resource types, and the schemas of their properties and attributes.

Schemas are decoded from resources/catalog/heat.json; a constraint is a list that starts with its name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from types import MappingProxyType

from msgspec import Struct, field

from heatstudio.catalog.release import SUPPORTED, SupportStatus
from heatstudio.catalog.rules.translation_rule import TranslationRule


class PropertyType(StrEnum):
    """The data types of property schemas (heat/engine/constraints.py, Schema.TYPES)."""

    STRING = "String"
    INTEGER = "Integer"
    NUMBER = "Number"
    BOOLEAN = "Boolean"
    MAP = "Map"
    LIST = "List"
    ANY = "Any"


class Range(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="range"):
    """A constraint to a range of numbers, including both ends; None means no limit."""

    minimum: int | float | None = None
    maximum: int | float | None = None
    description: str | None = None


class Length(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="length"):
    """A constraint to a range of lengths of a string, list or map; None means no limit."""

    minimum: int | None = None
    maximum: int | None = None
    description: str | None = None


class Modulo(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="modulo"):
    """A constraint to the numbers `offset + n * step`."""

    step: int | float
    offset: int | float
    description: str | None = None


class AllowedValues(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="allowed_values"):
    """A constraint to a list of values."""

    values: tuple[object, ...]
    description: str | None = None


class AllowedPattern(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="allowed_pattern"):
    """A constraint to strings that match the whole regular expression."""

    pattern: str
    description: str | None = None


class CustomConstraint(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="custom_constraint"):
    """A named check, such as `nova.flavor` or `ip_addr`; most of them need a cloud."""

    name: str
    description: str | None = None


Constraint = Range | Length | Modulo | AllowedValues | AllowedPattern | CustomConstraint

NO_SCHEMA: Mapping[str, PropertySchema] = MappingProxyType({})
ANY_ELEMENT = "*"


class PropertySchema(Struct, frozen=True, forbid_unknown_fields=True):
    """The schema of a property at any depth (heat/engine/properties.py, Schema)."""

    name: str = ""
    type: PropertyType = PropertyType.ANY
    required: bool = False
    default: object = None
    update_allowed: bool = False
    immutable: bool = False
    implemented: bool = True
    allow_conversion: bool = False
    constraints: tuple[Constraint, ...] = ()
    support_status: SupportStatus = field(default=SUPPORTED, name="status")
    children: Mapping[str, PropertySchema] = field(default_factory=lambda: NO_SCHEMA)
    """The children of a map by name, or of a list under `*`; empty if anything is allowed."""
    description: str = ""
    refers: tuple[str, ...] = ()
    """The resource types that the property refers to although no constraint says so."""
    external: bool = False
    """Whether the property refers to a network that is not made by templates."""
    unique: bool = False
    """Whether each resource of the type refers to another one."""

    @property
    def element(self) -> PropertySchema | None:
        """The schema of the elements of a list; None if it has none."""
        return self.children.get(ANY_ELEMENT) or (PropertySchema(refers=self.refers) if self.refers else None)

    @property
    def entities(self) -> frozenset[str]:
        """The kinds of cloud objects that the property refers to, such as `neutron.network`."""
        return frozenset(one.name.rstrip("s") for one in self.constraints if isinstance(one, CustomConstraint))


class AttributeSchema(Struct, frozen=True, forbid_unknown_fields=True):
    """The schema of an attribute (heat/engine/attributes.py, Schema)."""

    name: str = ""
    type: PropertyType | None = None
    support_status: SupportStatus = field(default=SUPPORTED, name="status")
    cached: bool = True
    description: str = ""


def property_at(schemas: Mapping[str, PropertySchema], path: Iterable[str | int]) -> PropertySchema | None:
    """Return the property at a path, in which a number stands for the elements of a list; None if there is none."""
    found: PropertySchema | None = None
    for step in path:
        found = schemas.get(ANY_ELEMENT if isinstance(step, int) else step)
        schemas = found.children if found is not None else {}
    return found


def nested_properties(schemas: Mapping[str, PropertySchema], parent: str = "") -> Iterator[tuple[str, PropertySchema]]:
    """Yield the properties at every depth with dotted paths; list elements are not steps of a path."""
    for name, schema in schemas.items():
        path = parent if name == ANY_ELEMENT else f"{parent}.{name}".lstrip(".")
        if name != ANY_ELEMENT:
            yield path, schema
        yield from nested_properties(schema.children, path)


class Family(StrEnum):
    """The base classes of plug-ins that change how Heat treats a type."""

    NEUTRON = "neutron"
    """heat/engine/resources/openstack/neutron/neutron.py: no reference ID before creation."""
    STACK = "stack"
    """heat/engine/resources/stack_resource.py: owns a nested stack."""
    NO_OP = "no-op"
    """heat/engine/resources/openstack/heat/none_resource.py: accepts everything, does nothing."""
    TEMPLATE = "template"
    """heat/engine/resources/template_resource.py: implemented by a template of the user."""


class ReferenceBeforeCreation(StrEnum):
    """The value of get_resource while the resource does not exist."""

    NAME = "name"
    """The resource's name in the template."""
    NULL = "null"
    NONE_TEXT = "None"
    """The string `None`, due to a bug in the plug-in."""


class ResourceType(Struct, frozen=True, forbid_unknown_fields=True):
    """A resource type of the catalog, or one that a nested template implements."""

    name: str = ""
    class_name: str = field(default="", name="class")
    """The implementing class, which Heat compares instead of names to detect a changed type."""
    support_status: SupportStatus = field(default=SUPPORTED, name="status")
    properties: Mapping[str, PropertySchema] = field(default_factory=lambda: NO_SCHEMA)
    attributes: Mapping[str, AttributeSchema] = field(default_factory=dict)
    """The attributes of the type, including the attributes of every type (`show`)."""
    translation_rules: tuple[TranslationRule, ...] = ()
    update_policy: Mapping[str, PropertySchema] = field(default_factory=lambda: NO_SCHEMA)
    snapshot_allowed: bool = False
    """Whether the deletion policy `Snapshot` is allowed."""
    client_plugin: str | None = None
    service_extension: str | None = None
    entity: str | None = None
    families: frozenset[Family] = frozenset()
    overrides: Mapping[str, str] = field(default_factory=dict)
    """The overridden hooks of heat/engine/resource.py with the class that defines each."""
    reference_before_creation: ReferenceBeforeCreation = ReferenceBeforeCreation.NAME
    reference_property: str | None = None
    """The property whose value get_resource returns if it is set, also before creation."""
    description: str = ""

    @property
    def created_entity(self) -> str:
        """The kind of cloud object that the type creates, such as `neutron.network`; by default named like the type."""
        entity = self.entity or self.name.rpartition("::")[2].lower()
        return f"{self.client_plugin}.{entity}".rstrip("s")

    def fits(self, schema: PropertySchema) -> bool:
        """Return whether the value of a property may be a resource of this type."""
        if schema.type is PropertyType.LIST:
            return False
        return self.name in schema.refers or (not schema.external and self.created_entity in schema.entities)

    @property
    def service(self) -> str:
        """The prefix of the name that groups types, such as `OS::Nova`."""
        return self.name.rpartition("::")[0] or self.name
