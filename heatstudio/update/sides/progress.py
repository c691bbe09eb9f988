"""The data of resources while an update is planned: existing resources, and resources that the update changes."""

from collections.abc import Callable, Hashable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.stack.resource_proxy import NodeData
from heatstudio.stack.unknown import NewKey, Shape, Unknown
from heatstudio.update.difference import reference_key
from heatstudio.update.running_stack import Resources
from heatstudio.update.sides.attribute_values import AttributeValues

Attributes = Mapping[str, object]


class Recorded(Struct, frozen=True):
    """The data of resources by name; a resource without known data exists, with unknown values."""

    attributes: Callable[[str], Attributes]
    """A function that returns the attributes of an unchanged resource."""
    now: Mapping[str, NodeData]
    renewed: Mapping[str, NodeData] = {}
    """The data of the changed resources."""

    def node(self, name: str) -> NodeData:
        """Return the data of a resource."""
        if name in self.renewed:
            return self.renewed[name]
        return replace(self.now.get(name, NodeData(self.reference(name))), attributes=self.attributes(name))

    def reference(self, name: str) -> object:
        """Return the reference ID of a resource before the update."""
        return self.now[name].reference_id if name in self.now else _reference(name, reference_key(name))


class UpdateProgress:
    """The data of resources before the update, and after the changes planned so far."""

    def __init__(self, now: Mapping[str, NodeData], existing: Resources, values: AttributeValues) -> None:
        self.running = existing
        self.values = values
        self.renewed: dict[str, NodeData] = {}
        """The resources whose reference ID or attributes change or may change."""
        self.before = Recorded(values.before, now)
        self.after = Recorded(values.before, now, self.renewed)

    def inside(self, name: str) -> tuple[Resources, bool]:
        """Return the known resources of the nested stack of a resource, and whether its definition is current."""
        return (self.running[name].members, self.running[name].is_current) if name in self.running else ({}, True)

    def renew(self, name: str, attributes: Attributes, *, reference: bool | None) -> None:
        """Set the new attributes of a resource.

        `reference` is whether the reference ID also changes; None if uncertain.
        """
        found = self.before.reference(name)
        if reference is not False:
            known = found if isinstance(found, str) else None
            found = _reference(name, NewKey(reference_key(name), known, certain=reference is True))
        self.renewed[name] = NodeData(found, attributes)


def _reference(name: str, key: Hashable) -> Unknown:
    return Unknown(key, frozenset({f"resource:{name}"}), Shape.TEXT)
