"""Heat's own words on its resource types, and how they are laid over what is known of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from msgspec import Struct, field
from msgspec.structs import replace

from heatstudio.assets import resource_path
from heatstudio.catalog.data import read_data
from heatstudio.catalog.resource_type import ResourceType
from heatstudio.catalog.schema import AttributeSchema, Constraint, PropertySchema
from heatstudio.catalog.support_status import SupportStatus


class Words(Struct, frozen=True, forbid_unknown_fields=True):
    """What Heat says of a property or an attribute."""

    description: str = ""
    status: tuple[str, ...] = ()
    """The message of each state, newest first."""
    constraints: tuple[str, ...] = ()
    """What Heat says when a constraint is not met; empty where it has no words of its own."""
    children: Mapping[str, Words] = field(default_factory=dict)


class TypeWords(Struct, frozen=True, forbid_unknown_fields=True):
    """What Heat says of a resource type."""

    description: str = ""
    status: tuple[str, ...] = ()
    properties: Mapping[str, Words] = field(default_factory=dict)
    attributes: Mapping[str, Words] = field(default_factory=dict)
    update_policy: Mapping[str, Words] = field(default_factory=dict)


class Prose(Struct, frozen=True, forbid_unknown_fields=True):
    """All words of one Heat."""

    heat: str = ""
    types: Mapping[str, TypeWords] = field(default_factory=dict)
    base_attributes: Mapping[str, Words] = field(default_factory=dict)


_NO_WORDS = Words()


def named_type(name: str, found: ResourceType, words: TypeWords) -> ResourceType:
    """A type as the catalog keeps it, with its name, the names of its parts and Heat's words."""
    return replace(
        found,
        name=name,
        support_status=_status(found.support_status, words.status),
        properties=_properties(found.properties, words.properties),
        attributes=named_attributes(found.attributes, words.attributes),
        update_policy=_properties(found.update_policy, words.update_policy),
        description=words.description,
    )


def named_attributes(found: Mapping[str, AttributeSchema], words: Mapping[str, Words]) -> dict[str, AttributeSchema]:
    """Attributes with their names and Heat's words."""
    return {name: _attribute(name, one, words.get(name, _NO_WORDS)) for name, one in found.items()}


def _attribute(name: str, found: AttributeSchema, words: Words) -> AttributeSchema:
    status = _status(found.support_status, words.status)
    return replace(found, name=name, support_status=status, description=words.description)


def _properties(found: Mapping[str, PropertySchema], words: Mapping[str, Words]) -> dict[str, PropertySchema]:
    return {name: _property(name, one, words.get(name, _NO_WORDS)) for name, one in found.items()}


def _property(name: str, found: PropertySchema, words: Words) -> PropertySchema:
    return replace(
        found,
        name=name,
        constraints=_constraints(found.constraints, words.constraints),
        support_status=_status(found.support_status, words.status),
        children=_properties(found.children, words.children),
        description=words.description,
    )


def _constraints(found: tuple[Constraint, ...], words: tuple[str, ...]) -> tuple[Constraint, ...]:
    worded = (replace(one, description=said or None) for one, said in zip(found, words, strict=False))
    return (*worded, *found[len(words) :])


def _status(found: SupportStatus, messages: tuple[str, ...]) -> SupportStatus:
    """The chain with a message for each state, newest first."""
    if not messages:
        return found
    previous = _status(found.previous, messages[1:]) if found.previous is not None else None
    return replace(found, message=messages[0], previous=previous)


@cache
def service_titles() -> Mapping[str, str]:
    """The title of each service, such as `Compute (Nova)` for `OS::Nova`."""
    return MappingProxyType(read_data(resource_path("services.json"), dict[str, str]))


def service_rank(service: str) -> int:
    """The place of a service in the order of the data; services that it does not name come last."""
    titles = list(service_titles())
    return titles.index(service) if service in titles else len(titles)
