"""What Heat knows of properties and attributes: the one schema that every feature reads."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from msgspec import Struct, field

from heatstudio.catalog.support_status import SUPPORTED, SupportStatus


class PropertyType(StrEnum):
    """The data types of property schemas (heat/engine/constraints.py, Schema.TYPES)."""

    STRING = "String"
    INTEGER = "Integer"
    NUMBER = "Number"
    BOOLEAN = "Boolean"
    MAP = "Map"
    LIST = "List"
    ANY = "Any"


class Range(Struct, frozen=True):
    """The least and the greatest number allowed; None means no limit."""

    minimum: float | None = None
    maximum: float | None = None
    description: str | None = None


class Length(Struct, frozen=True):
    """The least and the greatest length allowed of a string, list or map; None means no limit."""

    minimum: int | None = None
    maximum: int | None = None
    description: str | None = None


class Modulo(Struct, frozen=True):
    """Numbers `offset + n * step` only."""

    step: float
    offset: float
    description: str | None = None


class AllowedValues(Struct, frozen=True):
    """One of these values only."""

    values: tuple[object, ...]
    description: str | None = None


class AllowedPattern(Struct, frozen=True):
    """Strings that match the whole regular expression only."""

    pattern: str
    description: str | None = None


class CustomConstraint(Struct, frozen=True):
    """A named check, such as `nova.flavor` or `ip_addr`; most of them ask a cloud."""

    name: str
    description: str | None = None


Constraint = Range | Length | Modulo | AllowedValues | AllowedPattern | CustomConstraint

NO_SCHEMA: Mapping[str, PropertySchema] = MappingProxyType({})
ANY_ELEMENT = "*"


class PropertySchema(Struct, frozen=True):
    """One property, at any depth (heat/engine/properties.py, Schema)."""

    name: str
    type: PropertyType
    required: bool = False
    default: object = None
    update_allowed: bool = False
    immutable: bool = False
    implemented: bool = True
    allow_conversion: bool = False
    constraints: tuple[Constraint, ...] = ()
    support_status: SupportStatus = SUPPORTED
    children: Mapping[str, PropertySchema] = field(default_factory=lambda: NO_SCHEMA)
    """By name for a map; the one element under `*` for a list; empty where anything goes."""
    description: str = ""

    @property
    def element(self) -> PropertySchema | None:
        """The schema of the elements of a list, if it has one."""
        return self.children.get(ANY_ELEMENT)

    @property
    def update_sentence(self) -> str:
        """Heat's own sentence on what an update of this property does (doc/source/ext/resources.py)."""
        if self.update_allowed:
            return "Can be updated without replacement."
        if self.immutable:
            return "Updates are not supported. Resource update will fail on any attempt to update this property."
        return "Updates cause replacement."


class AttributeSchema(Struct, frozen=True):
    """One attribute of a resource type (heat/engine/attributes.py, Schema)."""

    name: str
    type: PropertyType | None = None
    support_status: SupportStatus = SUPPORTED
    cached: bool = True
    description: str = ""
