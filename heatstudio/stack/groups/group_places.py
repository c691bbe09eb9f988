"""Lookup of the values of a property group's members."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from heatstudio.catalog.property_groups.property_group import EACH_ELEMENT, EACH_KEY, Root
from heatstudio.stack.unknown import Unknown
from heatstudio.template import TreePath

_WILDCARDS = frozenset({EACH_ELEMENT, EACH_KEY})


class ValueAt(NamedTuple):
    """One value at a path."""

    path: TreePath
    """The path from the top of the properties, or of the facts."""
    value: object
    exists: bool = True
    """Whether the key exists; an Unknown with False stands for any value below an unknown value."""
    root: Root = Root.TOP


def at(value: object, path: TreePath) -> object:
    """Return the value at a path; None if there is none."""
    for step in path:
        if isinstance(value, Mapping):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def follow(start: ValueAt, steps: tuple[str, ...]) -> list[ValueAt]:
    """Return all places at a path with wildcards; the path stops at unknown values and missing elements."""
    path, value = start.path, start.value
    for index, step in enumerate(steps):
        if isinstance(value, Unknown):
            return [ValueAt(path, value, exists=False)]
        if step in _WILDCARDS:
            tail = steps[index + 1 :]
            return [
                place for key, item in _children(value, step) for place in follow(ValueAt((*path, key), item), tail)
            ]
        if not isinstance(value, Mapping) or step not in value:
            tail = steps[index:]
            return [] if not _WILDCARDS.isdisjoint(tail) else [ValueAt((*path, *tail), None, exists=False)]
        path, value = (*path, step), value[step]
    return [ValueAt(path, value)]


def _children(value: object, step: str) -> Iterable[tuple[str | int, object]]:
    if step == EACH_ELEMENT:
        return enumerate(value) if isinstance(value, list) else ()
    return value.items() if isinstance(value, Mapping) else ()
