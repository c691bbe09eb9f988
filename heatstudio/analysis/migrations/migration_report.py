"""The effects of changes as sentences, which are right before and after the changes are applied."""

import json
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from heatstudio.stack.path import dotted
from heatstudio.template import AddEntry, AddItem, Change, DeleteEntry, Existing, RenameKey, SetValue, TreePath
from heatstudio.template.editing.rendering_plan import with_parts


class Step(Struct, frozen=True):
    """One addition, replacement or deletion."""

    place: TreePath
    """The path of the changed map or list."""
    name: str
    sentence: str


def steps(changes: Iterable[Change]) -> tuple[Step, ...]:
    """Return the steps of changes; a moved value is a replacement, not a deletion and an addition."""
    changes = tuple(changes)
    renamed = {change.path for change in changes if isinstance(change, RenameKey)}
    gone = [change.path for change in changes if isinstance(change, DeleteEntry)]
    reported: list[Step] = []
    moved: set[TreePath] = set()
    for change in changes:
        if isinstance(change, RenameKey):
            reported.append(_replacement(change.path[:-1], str(change.path[-1]), change.name))
        elif not isinstance(change, DeleteEntry) and change.path not in renamed:
            sources = {path for path in _sources(change.value) for above in gone if path[: len(above)] == above}
            moved |= sources
            reported += _steps_of(change, sorted(sources, key=str))
    emptied = [path for path in gone if not any(source[: len(path)] == path for source in moved)]
    return (*reported, *(_step(path, "is removed") for path in emptied))


def _steps_of(change: SetValue | AddEntry | AddItem, sources: list[TreePath]) -> Iterator[Step]:
    path = (*change.path, change.key) if isinstance(change, AddEntry) else change.path
    if not sources:
        shown = json.dumps(with_parts(change.value, Existing, lambda _part: "..."), default=str)
        yield _step(path, f"is set to `{shown}`" if isinstance(change, SetValue) else "is added")
    for source in sources:
        above = _common(source, path)
        yield _replacement(above, dotted(source[len(above) :]), dotted(path[len(above) :]))


def _step(path: TreePath, action: str) -> Step:
    return Step(path[:-1], str(path[-1]), f"`{path[-1]}` {action}.")


def _replacement(place: TreePath, old: str, new: str) -> Step:
    return Step(place, old, f"`{new}` replaces `{old}`.")


def _common(first: TreePath, second: TreePath) -> TreePath:
    length = 0
    while length < min(len(first), len(second)) - 1 and first[length] == second[length]:
        length += 1
    return first[:length]


def _sources(value: object) -> Iterator[TreePath]:
    if isinstance(value, Existing):
        yield value.path
    parts = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
    for part in parts:
        yield from _sources(part)
