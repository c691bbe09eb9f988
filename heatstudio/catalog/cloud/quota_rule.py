"""What resources take of a project's quota, by type, and where a cloud reports quota and use.

The rules are in resources/quota.json, each with the code of Heat or of the service that it is read from.
"""

from collections.abc import Mapping
from functools import cache
from typing import Literal

from msgspec import Struct
from msgspec import field as default

from heatstudio.assets import resource_path
from heatstudio.bundled_data import read_data
from heatstudio.catalog.cloud.known_cloud import NameKind

Values = Mapping[str, tuple[object, ...]]
"""Paths such as `rules.direction` through maps and lists, with the values that count; none means any value."""


class TakeRule(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One amount of one kind that a resource of a type takes."""

    kind: str
    number: int | None = 1
    """The amount if no property has it; None if it is unknown."""
    amount: str = ""
    """The path of the amount, or of the name of the object of the cloud that has it."""
    lookup: tuple[str, str] | None = None
    """The custom constraint and the field of that object, such as `nova.flavor` and `vcpus`."""
    absent: int | None = None
    """The amount if the path has no value; None if it is unknown then."""
    each: str = ""
    """The list of which each item takes the amount; the other paths are those of an item."""
    when: Values = default(default_factory=dict)
    """The values of which one is needed, of any path."""
    unless: Values = default(default_factory=dict)
    """The values with which nothing is taken."""
    freed_with: str = ""
    """The path of the flag without which the amount stays taken after the resource is deleted."""


class AskRule(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a resource of a type asks of an object of the cloud that it names."""

    path: str
    """The path of the name or ID of the object."""
    constraint: str
    """The kind of the object, such as `glance.image`."""
    how: Literal["absent", "one_of", "at_most", "differs"]
    """Whether it must not exist, or how its field must relate to the values or to the other number."""
    field: str = ""
    values: tuple[str, ...] = ()
    other: tuple[str, ...] = ()
    """The path of the other value, and, if it names an object of the cloud, the kind and the field of that."""
    words: str
    """What is wrong, with the fields `name` and `value` of the object, and `other` and `limit` of the other one."""
    unless: Values = default(default_factory=dict)


class QuotaRule(Struct, frozen=True, forbid_unknown_fields=True):
    """What the resources of a type take."""

    takes: tuple[TakeRule, ...]
    source: str
    """The code that it is read from."""
    asks: tuple[AskRule, ...] = ()

    def property_names(self) -> set[str]:
        """Return the names of the properties that the rules read."""
        paths = [path for ask in self.asks for path in (ask.path, *ask.other[:1], *ask.unless)]
        for take in self.takes:
            paths += (take.each,) if take.each else (take.amount, *take.when, *take.unless)
        return {path.partition(".")[0] for path in paths}


class QuotaKind(Struct, frozen=True, forbid_unknown_fields=True):
    """Something that a project has a quota of."""

    one: str
    many: str
    service: str = ""
    """The service that reports the quota; empty if none does."""
    limit: tuple[str, ...] = ()
    """The keys to the quota in the service's answer."""
    used: tuple[str, ...] = ()
    """The keys to the amount in use; empty if the objects have to be counted."""
    count: tuple[str, str] | None = None
    """The path that lists the objects in use, and the key of the list."""


class QuotaService(Struct, frozen=True, forbid_unknown_fields=True):
    """A service that reports quota and use."""

    name: str
    path: str
    """The path of the answer; `{project}` stands for the project's ID."""
    source: str
    """The documentation of the answer."""


class QuotaFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything known about quotas."""

    kinds: Mapping[str, QuotaKind] = default(default_factory=dict)
    """In the order in which they are shown."""
    services: Mapping[str, QuotaService] = default(default_factory=dict)
    """By the name of the service in openstacksdk."""
    types: Mapping[str, QuotaRule] = default(default_factory=dict)
    objects: tuple[NameKind, ...] = ()
    """The objects whose sizes and names matter."""


@cache
def quota_facts() -> QuotaFacts:
    """Return the facts about quotas. Raise OSError or ValueError if the data is damaged."""
    return read_data(resource_path("quota.json"), QuotaFacts)
