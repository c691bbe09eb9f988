"""The data of a resource that the functions of a template read (specification: StackDefinition class)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress

from msgspec import Struct, field

from heatstudio.stack.unknown import ATTRIBUTE, Unknown, freeze

ATTRIBUTES_READY = frozenset({"CREATE", "ADOPT", "SUSPEND", "RESUME", "UPDATE", "ROLLBACK", "SNAPSHOT", "CHECK"})
"""The actions after which attributes have values (heat/engine/hot/functions.py, GetAttThenSelect)."""
SHOW = "show"


class PathAttribute(Struct, frozen=True):
    """An attribute whose value the plug-in computes for a path into the attribute."""

    at: Callable[[tuple[object, ...]], object]
    """A function that returns the value at a path, with possibly Unknown parts, or raises LookupError."""


class NodeData(Struct, frozen=True):
    """The data of a resource that Heat records after visiting it (heat/engine/node_data.py)."""

    reference_id: object = None
    """The value of `get_resource`; may be Unknown."""
    attributes: Mapping[str, object] = field(default_factory=dict)
    """Values by top-level name; each may be Unknown or a PathAttribute. Missing valid names are unknown."""
    action: str = "CREATE"
    status: str = "COMPLETE"


FindNode = Callable[[str], NodeData | None]
"""A function that returns the data of a resource by its name; None if they are unknown."""


def no_data(_name: str) -> None:
    """Return no data: no resource has any."""


class ResourceProxy(Struct, frozen=True):
    """The essential data of one resource: its state, reference ID and attributes."""

    name: str
    data: NodeData | None = None
    attribute_names: Collection[str] | None = None
    """The attributes of the type; None if the type is unknown, so that any name may be valid."""

    @property
    def action(self) -> str:
        """The last action; INIT for a resource without data."""
        return self.data.action if self.data is not None else "INIT"

    @property
    def is_ready(self) -> bool:
        """Whether the attributes have values."""
        return self.action in ATTRIBUTES_READY

    def reference_id(self) -> object:
        """Return the value of `get_resource`; unknown if there is no data."""
        return Unknown(("reference", self.name), self._origins) if self.data is None else self.data.reference_id

    def has_attribute(self, name: object) -> bool:
        """Return whether the type has, or may have, an attribute of this name. Raise TypeError if unhashable."""
        return self.attribute_names is None or name in self.attribute_names

    def attribute(self, name: object) -> object:
        """Return the value of an attribute; None before creation. Raise KeyError if the type has no such attribute."""
        if not self.has_attribute(name):
            raise KeyError(name)
        if self.data is None:
            return Unknown((ATTRIBUTE, self.name, freeze(name)), self._origins)
        if not self.is_ready:
            return None
        if isinstance(name, str) and name in self.data.attributes:
            return self.data.attributes[name]
        return Unknown((ATTRIBUTE, self.name, freeze(name)), self._origins)

    def attributes(self) -> object:
        """Return all attributes but `show`; None if Heat has no values, for example before creation."""
        if self.data is None:
            return Unknown(("attributes", self.name), self._origins)
        ready = self.data.action in ATTRIBUTES_READY - {"ROLLBACK"} and self.data.status in ("IN_PROGRESS", "COMPLETE")
        if not ready:
            return None
        found: dict[str, object] = {}
        for name, value in self.data.attributes.items():
            if name != SHOW:
                with suppress(LookupError):  # Heat omits attributes without a value for the empty path
                    found[name] = value.at(()) if isinstance(value, PathAttribute) else value
        return found

    @property
    def _origins(self) -> frozenset[str]:
        return frozenset({f"resource:{self.name}"})


class ParentResourceProxy(Struct, frozen=True):
    """The resource of the parent stack that a nested template implements (its facade)."""

    metadata: object = field(default_factory=dict)
    deletion_policy: object = "Delete"
    update_policy: object = field(default_factory=dict)
