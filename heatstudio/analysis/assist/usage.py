"""How often public templates use resource types and their properties, which orders suggestions."""

from collections.abc import Mapping
from functools import cache

from msgspec import Struct, field

from heatstudio.assets import resource_path
from heatstudio.bundled_data import read_data

_NEAR = 4
"""The factor for a type of a service that the template already uses."""


class TypeUsage(Struct, frozen=True, forbid_unknown_fields=True):
    """The number of public repositories that use a resource type, and each of its properties."""

    repositories: int = 0
    properties: Mapping[str, int] = field(default_factory=dict)
    """Numbers by dotted path, such as `fixed_ips.subnet`; list elements are not steps of the path."""


@cache
def _usages() -> Mapping[str, TypeUsage]:
    return read_data(resource_path("usage.json"), dict[str, TypeUsage])


def usage_of(name: str) -> TypeUsage:
    """Return the usage of a type. Raise OSError if the bundled data is missing."""
    return _usages().get(name, TypeUsage())


def by_usage(names: list[str], written: set[str]) -> list[str]:
    """Sort types: the most used first, where types of the services of the `written` types count more."""
    services = {name.rpartition("::")[0] for name in written}

    def weight(name: str) -> int:
        return usage_of(name).repositories * (_NEAR if name.rpartition("::")[0] in services else 1)

    return sorted(names, key=lambda name: (-weight(name), name))
