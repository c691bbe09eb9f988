"""The positions at which a member of a property group finds its values."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from heatstudio.catalog.property_groups.property_group import EACH_ELEMENT, EACH_KEY, Root
from heatstudio.stack.unknown import Unknown

Path = tuple[str | int, ...]
_WILDCARDS = frozenset({EACH_ELEMENT, EACH_KEY})


class Place(NamedTuple):
    """One value that a path matches."""

    path: Path
    """From the top of the properties, or of the facts."""
    value: object
    exists: bool = True
    """Whether the key exists; an Unknown that does not exist means anything below an unknown value."""
    root: Root = Root.TOP


def at(value: object, path: Path) -> object:
    """The value at a path, None if there is none."""
    for step in path:
        if isinstance(value, Mapping):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def follow(start: Place, steps: tuple[str, ...]) -> list[Place]:
    """All places that a path meets; it ends at an unknown value, and before an element that does not exist."""
    path, value = start.path, start.value
    for index, step in enumerate(steps):
        if isinstance(value, Unknown):
            return [Place(path, value, exists=False)]
        if step in _WILDCARDS:
            rest = steps[index + 1 :]
            return [place for key, item in _children(value, step) for place in follow(Place((*path, key), item), rest)]
        if not isinstance(value, Mapping) or step not in value:
            rest = steps[index:]
            return [] if not _WILDCARDS.isdisjoint(rest) else [Place((*path, *rest), None, exists=False)]
        path, value = (*path, step), value[step]
    return [Place(path, value)]


def _children(value: object, step: str) -> Iterable[tuple[str | int, object]]:
    if step == EACH_ELEMENT:
        return enumerate(value) if isinstance(value, list) else ()
    return value.items() if isinstance(value, Mapping) else ()
