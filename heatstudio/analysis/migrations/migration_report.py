"""The effects of changes as lines of text: `<resource path> <property> <action> <details>`.

The format is that of Heat's own plan for migrating properties (heat-specs, heat-template-migrate-properties).
"""

import json
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from heatstudio.stack.path import Path, dotted
from heatstudio.template import AddEntry, AddItem, Change, DeleteEntry, Existing, RenameKey, SetValue
from heatstudio.template.changed_data import with_parts


class Step(Struct, frozen=True):
    """One addition, replacement or deletion."""

    place: Path
    """The path of the changed map or list."""
    name: str
    action: str
    """`add`, `replace` or `delete`."""
    details: str = ""

    @property
    def sentence(self) -> str:
        """What was done, in a sentence."""
        if self.action == "delete":
            return f"Removed `{self.name}`."
        return f"Replaced `{self.name}` with `{self.details}`." if self.action == "replace" else f"Added `{self.name}`."

    def __str__(self) -> str:
        return " ".join(part for part in (dotted(self.place), self.name, self.action, self.details) if part)


def steps(changes: Iterable[Change]) -> tuple[Step, ...]:
    """Return the steps of changes; a moved value is a replacement, not a deletion and an addition."""
    changes = tuple(changes)
    renamed = {change.path for change in changes if isinstance(change, RenameKey)}
    gone = [change.path for change in changes if isinstance(change, DeleteEntry)]
    reported: list[Step] = []
    moved: set[Path] = set()
    for change in changes:
        if isinstance(change, RenameKey):
            reported.append(_step(change.path, "replace", change.name))
        elif not isinstance(change, DeleteEntry) and change.path not in renamed:
            sources = {path for path in _sources(change.value) for above in gone if path[: len(above)] == above}
            moved |= sources
            reported += _steps_of(change, sorted(sources, key=str))
    emptied = [path for path in gone if not any(source[: len(path)] == path for source in moved)]
    return (*reported, *(_step(path, "delete") for path in emptied))


def _steps_of(change: SetValue | AddEntry | AddItem, sources: list[Path]) -> Iterator[Step]:
    path = (*change.path, change.key) if isinstance(change, AddEntry) else change.path
    if not sources:
        added = not isinstance(change, SetValue)
        shown = with_parts(change.value, Existing, lambda _part: "...")
        yield _step(path, "add" if added else "replace", json.dumps(shown, default=str))
    for source in sources:
        above = _common(source, path)
        yield Step(above, dotted(source[len(above) :]), "replace", dotted(path[len(above) :]))


def _step(path: Path, action: str, details: str = "") -> Step:
    return Step(path[:-1], str(path[-1]), action, details)


def _common(first: Path, second: Path) -> Path:
    length = 0
    while length < min(len(first), len(second)) - 1 and first[length] == second[length]:
        length += 1
    return first[:length]


def _sources(value: object) -> Iterator[Path]:
    if isinstance(value, Existing):
        yield value.path
    parts = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
    for part in parts:
        yield from _sources(part)
