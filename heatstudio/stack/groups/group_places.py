"""Where a member of a property group finds its values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from heatstudio.catalog.property_group import EACH_ELEMENT, EACH_KEY, MemberPath, Root
from heatstudio.stack.unknown import Unknown

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """One value that a path meets."""

    path: Path
    """From the top of the properties, or of the facts."""
    value: object
    exists: bool = True
    """Whether the key is there; an Unknown that does not exist stands for whatever may be below an unknown value."""
    root: Root = Root.TOP


def find(path: MemberPath, values: object, facts: object, here: Path) -> Iterator[Place]:
    """All places that a path meets, seen from the place `here` of the property values."""
    match path.root:
        case Root.FACT:
            for place in _walk(facts, path.steps, ()):
                yield Place(place.path, place.value, place.exists, Root.FACT)
        case Root.TOP:
            yield from _walk(values, path.steps, ())
        case Root.SCOPE:
            yield from _walk(at(values, here), path.steps, here)


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


def _walk(value: object, steps: tuple[str, ...], path: Path) -> Iterator[Place]:
    if not steps:
        yield Place(path, value)
        return
    step, rest = steps[0], steps[1:]
    if isinstance(value, Unknown):
        yield Place(path, value, exists=False)
    elif step in (EACH_ELEMENT, EACH_KEY):
        for key, element in _children(value, step):
            yield from _walk(element, rest, (*path, key))
    elif isinstance(value, Mapping) and step in value:
        yield from _walk(value[step], rest, (*path, step))
    elif EACH_ELEMENT not in steps and EACH_KEY not in steps:
        yield Place((*path, *steps), None, exists=False)


def _children(value: object, step: str) -> Iterable[tuple[str | int, object]]:
    if step == EACH_ELEMENT:
        return enumerate(value) if isinstance(value, list) else ()
    return value.items() if isinstance(value, Mapping) else ()
