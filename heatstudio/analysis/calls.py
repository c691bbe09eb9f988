"""Calls of intrinsic functions in plain data, wherever they stand: also where Heat does not look."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from heatstudio.stack.path import Path, step

_ATTRIBUTE = ("get_attr", "Fn::GetAtt")


def calls(data: object, path: Path) -> Iterator[tuple[str, object, Path]]:
    """Every map with a single key: its key, the value of that, and the path of the value."""
    pending: list[tuple[object, Path]] = [(data, path)]
    while pending:
        value, above = pending.pop()
        if isinstance(value, Mapping):
            if len(value) == 1:
                ((name, arguments),) = value.items()
                if isinstance(name, str):
                    yield name, arguments, (*above, name)
            pending += [(item, (*above, step(key))) for key, item in reversed(list(value.items()))]
        elif isinstance(value, list):
            pending += [(item, (*above, index)) for index, item in reversed(list(enumerate(value)))]


def attribute_calls(data: object, path: Path) -> Iterator[tuple[str, str, Path]]:
    """Every attribute that is read: the resource, the attribute, and the path of the attribute's name."""
    for name, arguments, place in calls(data, path):
        if name in _ATTRIBUTE and isinstance(arguments, list) and len(arguments) > 1:
            resource, attribute = arguments[0], arguments[1]
            if isinstance(resource, str) and isinstance(attribute, str):
                yield resource, attribute, (*place, 1)
