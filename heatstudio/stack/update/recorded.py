"""What is known of resources while an update is planned: those that exist, and those that come out new."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping

from heatstudio.stack.resource_proxy import NodeData
from heatstudio.stack.unknown import Anew, Shape, Unknown
from heatstudio.stack.update.difference import reference_key

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
    """Attributes whose values are not what they were; `names` None stands for all."""

    def __init__(self, resource: str, names: Collection[str] | None = None) -> None:
        self._resource = resource
        self._names = names

    def __getitem__(self, attribute: str) -> object:
        return Unknown(("attribute", self._resource, attribute, RENEWED), _origins(self._resource))

    def __contains__(self, attribute: object) -> bool:
        return isinstance(attribute, str) and (self._names is None or attribute in self._names)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names or ())

    def __len__(self) -> int:
        return len(self._names or ())


def renewed(name: str, *, same_reference: bool = False) -> NodeData:
    """The data of a resource that is made anew: none of its attributes is known, none is what it was."""
    key = reference_key(name)
    return NodeData(name, _reference(name, key if same_reference else Anew(key)), _RenewedAttributes(name))


def with_renewed_attributes(name: str, attributes: Collection[str]) -> NodeData:
    """The data of a resource that stays, but of which some attributes have other values."""
    return NodeData(name, _reference(name, reference_key(name)), _RenewedAttributes(name, attributes))


def _reference(name: str, key: Hashable) -> Unknown:
    return Unknown(key, _origins(name), Shape.TEXT)


def _origins(name: str) -> frozenset[str]:
    return frozenset({f"resource:{name}"})
