"""The view of a resource for the functions of a template (specification: StackDefinition class)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress

from msgspec import Struct, field

from heatstudio.stack.unknown import ATTRIBUTE, Unknown

ATTRIBUTES_READY = frozenset({"CREATE", "ADOPT", "SUSPEND", "RESUME", "UPDATE", "ROLLBACK", "SNAPSHOT", "CHECK"})
"""The actions after which attributes have values (heat/engine/hot/functions.py, GetAttThenSelect)."""
SHOW = "show"


class PathAttribute(Struct, frozen=True):
    """An attribute that a plug-in computes together with the path into it."""

    at: Callable[[tuple[object, ...]], object]
    """The value for a path, parts of which may be Unknown. Raises LookupError where there is none."""


class NodeData(Struct, frozen=True):
    """The recorded data of a visited resource (heat/engine/node_data.py)."""

    name: str
    reference_id: object = None
    """What `get_resource` gives; may be Unknown."""
    attributes: Mapping[str, object] = field(default_factory=dict)
    """By top-level name; values may be Unknown or a PathAttribute. A valid name that is missing counts as unknown."""
    action: str = "CREATE"
    status: str = "COMPLETE"
    uuid: str | None = None
    primary_key: int | None = None


class ResourceProxy(Struct, frozen=True):
    """The essential data of one resource: its state, reference id and attributes."""

    name: str
    data: NodeData | None = None
    attribute_names: Collection[str] | None = None
    """The names that the type has; None where the type is unknown, so that any name may be right."""

    @property
    def action(self) -> str:
        """The last action; a resource without data is not created yet."""
        return self.data.action if self.data is not None else "INIT"

    @property
    def status(self) -> str:
        """The status of the last action."""
        return self.data.status if self.data is not None else "COMPLETE"

    @property
    def is_ready(self) -> bool:
        """Whether its attributes have values."""
        return self.action in ATTRIBUTES_READY

    def reference_id(self) -> object:
        """What `get_resource` gives: unknown until apply when there is no data."""
        return Unknown(("reference", self.name), self._origins) if self.data is None else self.data.reference_id

    def has_attribute(self, name: object) -> bool:
        """Whether the type has an attribute of this name, as far as known. Raises TypeError for lists and maps."""
        return self.attribute_names is None or name in self.attribute_names

    def attribute(self, name: object) -> object:
        """The value of one attribute; None before creation. Raises KeyError when the type has no such attribute."""
        if not self.has_attribute(name):
            raise KeyError(name)
        if self.data is None:
            return Unknown((ATTRIBUTE, self.name, name), self._origins)
        if not self.is_ready:
            return None
        if isinstance(name, str) and name in self.data.attributes:
            return self.data.attributes[name]
        return Unknown((ATTRIBUTE, self.name, name), self._origins)

    def attributes(self) -> object:
        """All attributes but `show`; None where Heat has none to give, for example before creation."""
        if self.data is None:
            return Unknown(("attributes", self.name), self._origins)
        ready = self.data.action in ATTRIBUTES_READY - {"ROLLBACK"} and self.data.status in ("IN_PROGRESS", "COMPLETE")
        if not ready:
            return None
        found: dict[str, object] = {}
        for name, value in self.data.attributes.items():
            if name != SHOW:
                with suppress(LookupError):  # Heat leaves out what it cannot give as a whole
                    found[name] = value.at(()) if isinstance(value, PathAttribute) else value
        return found

    @property
    def _origins(self) -> frozenset[str]:
        return frozenset({f"resource:{self.name}"})


class ParentResourceProxy(Struct, frozen=True):
    """The resource of the parent stack that a nested template implements (its facade)."""

    name: str
    metadata: object = field(default_factory=dict)
    deletion_policy: object = "Delete"
    update_policy: object = field(default_factory=dict)

    @classmethod
    def unknown(cls, name: str) -> ParentResourceProxy:
        """A facade that exists but of which nothing is known, as when a nested template is opened alone."""
        origins = frozenset({"function:resource_facade"})
        return cls(
            name,
            metadata=Unknown(("facade", name, "metadata"), origins),
            deletion_policy=Unknown(("facade", name, "deletion_policy"), origins),
            update_policy=Unknown(("facade", name, "update_policy"), origins),
        )
