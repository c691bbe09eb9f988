"""Whether the current and the new value of a property are equal, different or not known."""

from collections.abc import Hashable

from heatstudio.stack.functions.partial_text import texts_differ
from heatstudio.stack.unknown import Anew, Unknown, same

REFERENCE = "reference"


def reference_key(resource: str) -> Hashable:
    """The key of the reference id of a resource that exists."""
    return (REFERENCE, resource)


def referred_resource(value: Unknown) -> str | None:
    """The resource whose reference id an unknown value is."""
    key = _referred(value.key)
    name = key[1] if isinstance(key, tuple) else None
    return name if isinstance(name, str) else None


def compare(old: object, new: object) -> bool | None:
    """Whether two values are equal; None if it is unknown."""
    return same(old, new, _differ)


def _differ(first: object, second: object) -> bool:
    if isinstance(first, str) and isinstance(second, Unknown) and isinstance(second.key, Anew):
        return second.key.certain and second.key.known == first
    if isinstance(first, Unknown) and isinstance(second, Unknown):
        one, other = _referred(first.key), _referred(second.key)
        if one is not None and other is not None:
            return one != other or all(key.certain for key in (first.key, second.key) if isinstance(key, Anew))
    return texts_differ(first, second)


def _referred(key: Hashable) -> Hashable:
    """The resource that a key refers to, None for a key of another kind: no two resources have one reference id."""
    if isinstance(key, Anew):
        key = key.instead_of
    return key if isinstance(key, tuple) and len(key) == 2 and key[0] == REFERENCE else None
