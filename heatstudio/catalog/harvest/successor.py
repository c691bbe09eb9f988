"""The name of what to use instead of something deprecated."""

from __future__ import annotations

from collections.abc import Iterable

from heatstudio.catalog.harvest.protocols import Facts, StatusLike

Path = tuple[str, ...]


def moves(rules: Iterable[Facts]) -> dict[Path, Path]:
    """From the old to the new path of every value that a translation rule moves."""
    return {}


def successor_of(path: Path, status: StatusLike, moved: dict[Path, Path]) -> str | None:
    """The successor of a property or attribute."""
    return None


def type_successor(status: StatusLike) -> str | None:
    """The successor of a resource type."""
    return None
