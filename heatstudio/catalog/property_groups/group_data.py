"""The serialized form of property groups in `resources/groups`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta, Struct, field

from heatstudio.catalog.property_groups.property_group import (
    ExceptionKind,
    Format,
    Operator,
    Presence,
    Quantifier,
    ViolationKind,
)
from heatstudio.catalog.schema import Constraint, PropertyType

Versions = tuple[Annotated[str, Meta(pattern=r"^\d+(\.\d+)*$")], ...]
"""The first supported version, or the first and the last."""
Message = str | Mapping[ExceptionKind, tuple[str, ...]]
"""A text, or an exception of Heat with property names."""


class PartData(Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a group: a member (`property`), a combination (`operator`), a version (`client_plugin`) or a term."""

    property: str | None = None
    given: Presence | None = None
    constraints: tuple[Constraint, ...] = ()
    format: Format | None = None
    type: PropertyType | None = None
    quantifier: Quantifier = Quantifier.ANY
    where: str | PartData | None = None
    follow: str | None = None
    keys: bool = False
    once: bool = False
    excepted: tuple[str, ...] = field(default=(), name="except")
    operator: Operator | None = None
    properties: tuple[str | PartData, ...] = ()
    client_plugin: str | None = None
    client_plugin_supported: Versions = ()
    sum: tuple[str | PartData, ...] | None = None
    product: tuple[str | PartData, ...] | None = None
    values: tuple[object, ...] | None = None


class GroupData(Struct, frozen=True, forbid_unknown_fields=True):
    """The serialized form of a group."""

    operator: Operator
    properties: Annotated[tuple[str | PartData, ...], Meta(min_length=1)]
    given: Presence = Presence.GIVEN
    when: str | PartData | None = None
    scope: str | None = None
    heat: str | Mapping[ViolationKind, Message] = field(default_factory=dict)
    client_plugin: str | None = None
    client_plugin_supported: Versions = ()
    usual: str = ""
    """The property in `when` that most authors set instead of the members of the group."""
    words: str = ""
    """The requirement in our words, if words made from the members are hard to read."""
    exempt: Mapping[str, object] = field(default_factory=dict)
    """The values of other properties of a list item with which the item does not count."""
    since: int = 0
    """The first Heat that checks the group, as the first number of its version."""
    until: int | None = None
    """The last Heat that checks the group; None if the newest one does."""
    why: str = ""
    """An explanation for readers of the data."""

    def is_checked_by(self, series: int | None) -> bool:
        """Return whether the Heat of a series checks the group; None stands for the newest Heat."""
        return self.until is None if series is None else self.since <= series <= (self.until or series)


LibraryData = Mapping[str, str | Mapping[str, GroupData]]
"""Groups by resource type and name, or the name of a type with the same groups."""
