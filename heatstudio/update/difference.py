"""Three-valued comparison of old and new values: equal, different, or unknown."""

from collections.abc import Hashable

from heatstudio.stack.unknown import NewKey, Unknown, same, texts_differ

REFERENCE = "reference"


def reference_key(resource: str) -> Hashable:
    """Return the key of the reference ID of an existing resource."""
    return (REFERENCE, resource)


def referred_resource(value: Unknown) -> str | None:
    """Return the name of the resource if the unknown value is its reference ID, else None."""
    key = _referred(value.key)
    name = key[1] if isinstance(key, tuple) else None
    return name if isinstance(name, str) else None


def compare(old: object, new: object) -> bool | None:
    """Return whether two values are equal; None if unknown."""
    return same(old, new, _differ)


def _differ(first: object, second: object) -> bool:
    if isinstance(first, str) and isinstance(second, Unknown) and isinstance(second.key, NewKey):
        return second.key.certain and second.key.known == first
    if isinstance(first, Unknown) and isinstance(second, Unknown):
        one_key, other_key = _referred(first.key), _referred(second.key)
        if one_key is not None and other_key is not None:
            renewed = (key for key in (first.key, second.key) if isinstance(key, NewKey))
            return one_key != other_key or all(key.certain for key in renewed)
    return texts_differ(first, second)


def _referred(key: Hashable) -> Hashable:
    """Return the reference key in a key, or None; two different reference keys mean two different IDs."""
    if isinstance(key, NewKey):
        key = key.instead_of
    return key if isinstance(key, tuple) and len(key) == 2 and key[0] == REFERENCE else None
