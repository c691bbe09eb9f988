"""The data that property groups read besides the properties of a resource."""

import re
from collections.abc import Collection, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Protocol

from msgspec import Struct, field

from heatstudio.stack.unknown import Unknown

NAMES = ("stack", "resources")
DEFAULT_STACK_TIMEOUT = 3600
"""The timeout, in seconds, of a stack that does not set one: the default of `stack_action_timeout` in heat.conf."""

_VERSION = re.compile(r"v?([0-9]{1,9}(?:\.[0-9]{1,9})*)", re.IGNORECASE)


class Neighbors(Protocol):
    """The other resources of the stack, relative to one resource."""

    def names(self) -> Collection[str]:
        """Return the names of all resources of the stack."""

    def requires(self, name: str) -> bool:
        """Return whether the resource refers to or depends on the resource `name`."""

    def property_value(self, reference: str, name: str) -> object:
        """Return a property of the resource with a reference ID (its name before creation), or None."""


class GroupContext(Struct, frozen=True):
    """The resource, its data besides properties, its neighbors and client versions; unknown data break no group."""

    resource: str = ""
    resources_word: str = "resources"
    properties_word: str = "properties"
    metadata: object = field(default_factory=dict)
    update_policy: object = field(default_factory=dict)
    neighbors: Neighbors | None = None
    client_versions: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """API (micro)versions by client plug-in, such as `nova`: `2.96`."""

    def facts(self, steps: tuple[str, ...]) -> dict[str, object]:
        """Return the data for a path that starts with `@`; include all resource names only if the path reads them."""
        if steps[:2] == NAMES:
            names = Unknown("resources", frozenset()) if self.neighbors is None else list(self.neighbors.names())
            return {"stack": {"resources": names}}
        stack = {"timeout": DEFAULT_STACK_TIMEOUT}
        return {"metadata": self.metadata, "update_policy": self.update_policy, "stack": stack}

    def client_version(self, client_plugin: str) -> tuple[int, ...] | None:
        """Return the version of a client plug-in as numbers; None if it is unknown."""
        return _numbers(self.client_versions.get(client_plugin, ""))


@lru_cache(maxsize=64)
def _numbers(version: str) -> tuple[int, ...] | None:
    parts = version.split(".")
    return tuple(int(part) for part in parts) if all(part.isdecimal() for part in parts) else None


def read_api_version(text: str) -> str | None:
    """Return the version in a text such as `2.79` or `v2.79`; None if the text is not a version."""
    found = _VERSION.fullmatch(text.strip())
    return found[1] if found is not None else None
