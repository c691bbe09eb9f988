"""What the user chose, remembered between runs; every setting is declared here once."""

from __future__ import annotations

import json
from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings

from heatstudio.ui.reading_place import NOWHERE, ReadingPlace
from heatstudio.ui.target import Target

_THEME = "appearance/theme"
_TEXT_SIZE = "appearance/text-size"
_GEOMETRY = "window/geometry"
_DOCKS = "window/docks"
_FILES = "session/files"
_PLACES = "session/places"
_CURRENT = "session/current"
_FOLDER = "session/folder"
_RECENT = "session/recent"
_ENVIRONMENTS = "session/environments"
_OLD_ENVIRONMENTS = "session/old-environments"
_PROBLEM_SCOPE = "problems/scope"
_PROBLEM_GROUPINGS = "problems/groupings"
_RELEASE = "checks/release"
_CLIENT_VERSIONS = "checks/client-versions"
_TOLD_TYPES = "cloud/told-types"
_STARTED = "session/started"
_DIGITS = 4
_RECENT_COUNT = 12
_MOST_ENVIRONMENTS = 200


class Settings:
    """Reads and writes one QSettings; absent or odd values become the default."""

    def __init__(self, store: QSettings) -> None:
        self._store = store

    @property
    def scheme(self) -> str:
        """`system`, `light`, `dark` or `high-contrast`."""
        return self._text(_THEME, "system")

    @scheme.setter
    def scheme(self, scheme: str) -> None:
        self._store.setValue(_THEME, scheme)

    @property
    def text_size(self) -> int:
        """The size of the text in pixels; 0 for the usual one."""
        size = self._text(_TEXT_SIZE, "")
        return int(size) if size.isdecimal() and len(size) < _DIGITS else 0

    @text_size.setter
    def text_size(self, size: int) -> None:
        self._store.setValue(_TEXT_SIZE, str(size))

    @property
    def geometry(self) -> QByteArray:
        """Where the window was; empty at the first start."""
        return self._bytes(_GEOMETRY)

    @geometry.setter
    def geometry(self, geometry: QByteArray) -> None:
        self._store.setValue(_GEOMETRY, geometry)

    @property
    def docks(self) -> QByteArray:
        """Which panes were open, and where; empty at the first start."""
        return self._bytes(_DOCKS)

    @docks.setter
    def docks(self, docks: QByteArray) -> None:
        self._store.setValue(_DOCKS, docks)

    @property
    def files(self) -> list[str]:
        """The files that were open at the end."""
        return self._list(_FILES)

    @files.setter
    def files(self, files: list[str]) -> None:
        self._store.setValue(_FILES, files)

    @property
    def places(self) -> dict[str, ReadingPlace]:
        """What was seen of the open files, in the order of the tabs."""
        return {name: _place(found) for name, found in self._map(_PLACES).items()}

    @places.setter
    def places(self, places: dict[str, ReadingPlace]) -> None:
        self._store.setValue(_PLACES, json.dumps(places))

    @property
    def current_file(self) -> str:
        """The file that was shown at the end; empty if there was none."""
        return self._text(_CURRENT, "")

    @current_file.setter
    def current_file(self, file: str) -> None:
        self._store.setValue(_CURRENT, file)

    @property
    def folder(self) -> str:
        """The folder of templates that was opened last; empty if none was."""
        return self._text(_FOLDER, "")

    @folder.setter
    def folder(self, folder: str) -> None:
        self._store.setValue(_FOLDER, folder)

    @property
    def recent_files(self) -> list[str]:
        """Files opened before, the newest first."""
        return self._list(_RECENT)

    def add_recent_file(self, file: str) -> None:
        """Puts a file at the top of the recent ones."""
        others = [other for other in self.recent_files if other != file]
        self._store.setValue(_RECENT, [file, *others][:_RECENT_COUNT])

    def environments_of(self, file: Path) -> tuple[Path, ...]:
        """The environment files that a template was last checked with, in their order."""
        return tuple(map(Path, self._environments().get(str(file), ())))

    def old_environments_of(self, file: Path) -> tuple[Path, ...] | None:
        """Those of the old side that it was last compared with; None if they were those of the new one."""
        found = self._environments(_OLD_ENVIRONMENTS).get(str(file))
        return tuple(map(Path, found)) if found is not None else None

    def set_old_environments(self, file: Path, environments: tuple[Path, ...] | None) -> None:
        """Remembers the environment files of the old side of a template."""
        self._keep(_OLD_ENVIRONMENTS, file, environments)

    @property
    def environments(self) -> dict[Path, tuple[Path, ...]]:
        """The environment files that templates were last checked with."""
        return {Path(name): tuple(map(Path, paths)) for name, paths in self._environments().items()}

    def set_environments(self, file: Path, environments: tuple[Path, ...]) -> None:
        """Remembers the environment files of a template."""
        self._keep(_ENVIRONMENTS, file, environments or None)

    def _keep(self, key: str, file: Path, environments: tuple[Path, ...] | None) -> None:
        known = self._environments(key)
        known.pop(str(file), None)
        if environments is not None:
            known[str(file)] = [str(path) for path in environments]
        self._store.setValue(key, json.dumps(dict(list(known.items())[-_MOST_ENVIRONMENTS:])))

    @property
    def target(self) -> Target:
        """What templates are checked for."""
        versions = self._map(_CLIENT_VERSIONS)
        return Target(self._text(_RELEASE, ""), {name: one for name, one in versions.items() if isinstance(one, str)})

    @target.setter
    def target(self, target: Target) -> None:
        self._store.setValue(_RELEASE, target.release)
        self._store.setValue(_CLIENT_VERSIONS, json.dumps(dict(target.client_versions)))

    @property
    def problem_scope(self) -> str:
        """Whose problems are listed; empty as long as nobody chose."""
        return self._text(_PROBLEM_SCOPE, "")

    @problem_scope.setter
    def problem_scope(self, scope: str) -> None:
        self._store.setValue(_PROBLEM_SCOPE, scope)

    @property
    def problem_groupings(self) -> dict[str, str]:
        """What the problems of each scope are gathered by, where somebody chose."""
        return {scope: one for scope, one in self._map(_PROBLEM_GROUPINGS).items() if isinstance(one, str)}

    @problem_groupings.setter
    def problem_groupings(self, groupings: dict[str, str]) -> None:
        self._store.setValue(_PROBLEM_GROUPINGS, json.dumps(groupings))

    @property
    def told_types(self) -> str:
        """What the types are called that were read from files; empty if none were, or they are forgotten."""
        return self._text(_TOLD_TYPES, "")

    @told_types.setter
    def told_types(self, name: str) -> None:
        self._store.setValue(_TOLD_TYPES, name)

    def take_first_start(self) -> bool:
        """Whether the program never ran before; True once only."""
        first = not self._store.contains(_STARTED)
        self._store.setValue(_STARTED, "yes")
        return first

    def _environments(self, key: str = _ENVIRONMENTS) -> dict[str, list[str]]:
        lists = [(name, paths) for name, paths in self._map(key).items() if isinstance(paths, list)]
        return {name: [one for one in paths if isinstance(one, str)] for name, paths in lists}

    def _map(self, key: str) -> dict[str, object]:
        """What was written as a JSON object."""
        try:
            found = json.loads(self._text(key, "{}"))
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}

    def _text(self, key: str, default: str) -> str:
        value = self._store.value(key, default)
        return value if isinstance(value, str) else default

    def _bytes(self, key: str) -> QByteArray:
        value = self._store.value(key)
        return value if isinstance(value, QByteArray) else QByteArray()

    def _list(self, key: str) -> list[str]:
        value = self._store.value(key)
        values = value if isinstance(value, list) else [value]
        return [entry for entry in values if isinstance(entry, str) and entry]


def _place(found: object) -> ReadingPlace:
    """A place as JSON has it."""
    if isinstance(found, list) and len(found) == len(NOWHERE) and all(isinstance(one, int) for one in found):
        return ReadingPlace(*found)
    return NOWHERE
