"""What is known of resources while an update is planned: those that exist, and those that come out new."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping

from heatstudio.stack.resource_proxy import NodeData
from heatstudio.stack.unknown import Anew, Shape, Unknown
from heatstudio.stack.update.difference import reference_key
from heatstudio.stack.update.running_stack import Resources

RENEWED = "renewed"


class Recorded(Mapping[str, NodeData]):
    """The data of resources as far as they are known; every other resource exists but is unknown."""

    def __init__(self, *known: Mapping[str, NodeData]) -> None:
        self._known = known

    def __getitem__(self, name: str) -> NodeData:
        for data in self._known:
            if name in data:
                return data[name]
        return NodeData(name, _reference(name, reference_key(name)))

    def __iter__(self) -> Iterator[str]:
        return iter({name: None for data in self._known for name in data})

    def __len__(self) -> int:
        return sum(1 for _ in self)


class _RenewedAttributes(Mapping[str, object]):
    """Attributes of whatever name, none of whose values is what it was."""

    def __init__(self, resource: str) -> None:
        self._resource = resource

    def __getitem__(self, attribute: str) -> object:
        return _renewed_attribute(self._resource, attribute)

    def __contains__(self, attribute: object) -> bool:
        return isinstance(attribute, str)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


class Progress:
    """How far an update got: what is known of the resources that were visited, and of those as they were."""

    def __init__(self, now: Mapping[str, NodeData], existing: Resources) -> None:
        self._existing = existing
        self._now = Recorded(now)
        self.renewed: dict[str, NodeData] = {}
        """The resources that have another reference id or other attributes than before."""
        self.data = Recorded(self.renewed, now)

    def existing(self, name: str) -> NodeData:
        """A resource as it was before the update."""
        return self._now[name]

    def members(self, name: str) -> Resources:
        """What is known of the resources inside of a resource."""
        return self._existing[name].members if name in self._existing else {}

    def renew(self, name: str, *, same_reference: bool = False) -> None:
        """A resource is made anew: none of its attributes is known, none is what it was."""
        old = self.data[name].reference_id
        known = old if isinstance(old, str) else None
        reference = old if same_reference else _reference(name, Anew(reference_key(name), known))
        self.renewed[name] = NodeData(name, reference, _RenewedAttributes(name))

    def renew_attributes(self, name: str, attributes: Collection[str]) -> None:
        """A resource stays, but some of its attributes have other values."""
        old = self.data[name]
        others = {attribute: _renewed_attribute(name, attribute) for attribute in attributes}
        self.renewed[name] = NodeData(name, old.reference_id, {**old.attributes, **others})


def _renewed_attribute(resource: str, attribute: str) -> Unknown:
    return Unknown(("attribute", resource, attribute, RENEWED), _origins(resource))


def _reference(name: str, key: Hashable) -> Unknown:
    return Unknown(key, _origins(name), Shape.TEXT)


def _origins(name: str) -> frozenset[str]:
    return frozenset({f"resource:{name}"})
