"""Read JSON of unknown shape: a missing value or a value of another type counts as empty."""

from collections.abc import Mapping, Sequence

Facts = Mapping[str, object]


def mapping(value: object) -> Facts:
    """The value if it is a map."""
    return value if isinstance(value, dict) else {}


def part(facts: Facts, key: str) -> Facts:
    """The map at a key."""
    return mapping(facts.get(key))


def items(facts: Facts, key: str) -> Sequence[object]:
    """The list at a key."""
    value = facts.get(key)
    return value if isinstance(value, list) else ()


def text(facts: Facts, key: str) -> str:
    """The text at a key."""
    return optional_text(facts, key) or ""


def optional_text(facts: Facts, key: str) -> str | None:
    """The text at a key, None if there is none."""
    value = facts.get(key)
    return value if isinstance(value, str) else None


def texts(facts: Facts, key: str) -> tuple[str, ...]:
    """The list of texts at a key."""
    return tuple(str(item) for item in items(facts, key))
