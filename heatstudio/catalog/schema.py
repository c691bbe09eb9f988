"""The schemas of properties and attributes.

Schemas are decoded from resources/catalog/heat.json; a constraint is a list that starts with its name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from types import MappingProxyType

from msgspec import Struct, field

from heatstudio.catalog.release import SUPPORTED, SupportStatus


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
