"""Access to JSON data of uncertain shape: a missing value, or a value of another type, counts as empty."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Facts = Mapping[str, object]


def mapping(value: object) -> Facts:
    """Return the value if it is a map, or an empty map."""
    return value if isinstance(value, dict) else {}


def maps_in(data: object) -> Iterator[Mapping[Any, Any]]:
    """Yield every map of plain data, at any depth and in any order."""
    waiting = [data]
    while waiting:
        value = waiting.pop()
        if isinstance(value, Mapping):
            yield value
            waiting += value.values()
        elif isinstance(value, (list, tuple)):
            waiting += value


def part(facts: Facts, key: str) -> Facts:
    """Return the map at a key, or an empty map."""
    return mapping(facts.get(key))


def items(facts: Facts, key: str) -> Sequence[object]:
    """Return the list at a key, or an empty list."""
    value = facts.get(key)
    return value if isinstance(value, list) else ()


def text(facts: Facts, key: str) -> str:
    """Return the string at a key, or an empty string."""
    return optional_text(facts, key) or ""


def optional_text(facts: Facts, key: str) -> str | None:
    """Return the string at a key, or None."""
    value = facts.get(key)
    return value if isinstance(value, str) else None


def texts(facts: Facts, key: str) -> tuple[str, ...]:
    """Return the items of the list at a key as strings."""
    return tuple(str(item) for item in items(facts, key))
