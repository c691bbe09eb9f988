"""Persistent settings, each declared once."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from PySide6.QtCore import QByteArray, QSettings

from heatstudio.service.inputs.snapshot import Target

_Value = TypeVar("_Value")
_STARTED = "session/started"
_DIGITS = 4
_RECENT_COUNT = 12
_MOST_ENVIRONMENTS = 200


class ViewState(NamedTuple):
    """The offset of the caret, the line at the top, and the horizontal scroll position in pixels."""

    caret: int
    line: int
    left: int


NOWHERE = ViewState(0, 0, 0)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _number(value: object) -> int:
    text = _text(value)
    return int(text) if text.isdecimal() and len(text) < _DIGITS else 0


def _bytes(value: object) -> QByteArray:
    return value if isinstance(value, QByteArray) else QByteArray()


def _list(value: object) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [entry for entry in values if isinstance(entry, str) and entry]


def _paths(value: object) -> tuple[Path, ...]:
    return tuple(map(Path, _list(value)))


def _map(value: object) -> dict[str, object]:
    """Return a stored JSON object; empty if it is invalid."""
    try:
        found = json.loads(_text(value) or "{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _texts(value: object) -> dict[str, str]:
    return {name: one for name, one in _map(value).items() if isinstance(one, str)}


def _places(value: object) -> dict[str, ViewState]:
    return {name: _place(found) for name, found in _map(value).items()}


def _place(found: object) -> ViewState:
    if isinstance(found, list) and len(found) == len(NOWHERE) and all(isinstance(one, int) for one in found):
        return ViewState(*found)
    return NOWHERE


def _names_by_file(value: object) -> dict[Path, tuple[str, ...]]:
    return {Path(file): tuple(_list(names)) for file, names in _map(value).items() if isinstance(names, list)}


def _paths_by_file(value: object) -> dict[Path, tuple[Path, ...]]:
    return {file: tuple(map(Path, names)) for file, names in _names_by_file(value).items()}


def _by_file(known: Mapping[Path, Sequence[object]]) -> str:
    newest = list(known.items())[-_MOST_ENVIRONMENTS:]
    return json.dumps({str(file): list(map(str, values)) for file, values in newest})


def _with(known: dict[Path, _Value], file: Path, value: _Value | None) -> dict[Path, _Value]:
    """Return a map with a value as the newest one; None removes it."""
    others = {other: kept for other, kept in known.items() if other != file}
    return others if value is None else {**others, file: value}


class _Setting(Generic[_Value]):
    """The descriptor of a setting; a missing or invalid value reads as the empty value."""

    def __init__(
        self, key: str, read: Callable[[object], _Value], write: Callable[[_Value], object] = lambda value: value
    ) -> None:
        self._key, self._read, self._write = key, read, write

    def __get__(self, settings: Settings, _owner: type[Settings]) -> _Value:
        return self._read(settings.store.value(self._key))

    def __set__(self, settings: Settings, value: _Value) -> None:
        settings.store.setValue(self._key, self._write(value))


class Settings:
    """The settings in a QSettings store."""

    scheme = _Setting("appearance/theme", lambda value: _text(value) or "system")
    """`system`, `light`, `dark` or `high-contrast`."""
    scale = _Setting("appearance/scale", _number, str)
    """The size of all texts of the window in percent; 0 for the default."""
    text_size = _Setting("appearance/text-size", _number, str)
    """The font size of the text in pixels; 0 for the default."""
    text_family = _Setting("appearance/text-family", _text)
    """The font family of the text; empty for the default."""
    keys = _Setting("window/keys", lambda value: {name: _list(one) for name, one in _map(value).items()}, json.dumps)
    """The changed keys of commands."""
    geometry = _Setting("window/geometry", _bytes)
    """The geometry of the window."""
    layout = _Setting("window/layout", _map, json.dumps)
    """The layout of the panes."""
    groups = _Setting("window/groups", _map, json.dumps)
    """The tabs of the editor area and their arrangement."""
    files = _Setting("session/files", _list)
    """The files that were open last."""
    places = _Setting("session/places", _places, json.dumps)
    """The view states of the open files, in the order of the tabs."""
    current_file = _Setting("session/current", _text)
    """The current file."""
    folder = _Setting("session/folder", _text)
    """The last opened folder."""
    recent_files = _Setting("session/recent", _list)
    """Recently opened files, the newest first."""
    problem_scope = _Setting("problems/scope", _text)
    """The scope of the listed problems."""
    problem_groupings = _Setting("problems/groupings", _texts, json.dumps)
    """The grouping of problems for each scope."""
    hidden_families = _Setting("problems/hidden-families", _list)
    """The families of problems that the list does not show."""
    environments = _Setting("session/environments", _paths_by_file, _by_file)
    """The environment files that templates were last checked with, in their order."""
    old_environments = _Setting("session/old-environments", _paths_by_file, _by_file)
    """The environment files of the baselines of templates, unless they are the current ones."""
    baselines = _Setting("session/baselines", _names_by_file, _by_file)
    """The chosen baselines of templates, as their kinds and names."""
    last_cloud = _Setting("cloud/last", _text)
    """The last connected cloud."""
    unfinished_rename = _Setting("cloud/unfinished-rename", _text)
    """The file with the plan of the rename of a resource that has not ended; empty if there is none."""
    imported_types = _Setting("cloud/imported-types", _text)
    """The name of the types imported from files."""
    trusted_folders = _Setting("cloud/trusted-folders", _paths, lambda folders: list(map(str, folders)))
    """The folders whose own cloud configuration is used."""
    _switches = _Setting("appearance/switches", _map, json.dumps)
    _release = _Setting("checks/release", _text)
    _client_versions = _Setting("checks/client-versions", _texts, json.dumps)

    def __init__(self, store: QSettings) -> None:
        self.store = store

    def is_on(self, switch: str, *, usually: bool) -> bool:
        """Return whether a checkable command is checked."""
        known = self._switches.get(switch)
        return known if isinstance(known, bool) else usually

    def turn(self, switch: str, *, on: bool) -> None:
        """Store whether a command is checked."""
        self._switches = {**self._switches, switch: on}

    def add_recent_file(self, file: str) -> None:
        """Add a file at the top of the recent ones."""
        self.recent_files = [file, *(other for other in self.recent_files if other != file)][:_RECENT_COUNT]

    def set_environments(self, file: Path, environments: tuple[Path, ...]) -> None:
        """Store the environment files of a template."""
        self.environments = _with(self.environments, file, environments or None)

    def set_old_environments(self, file: Path, environments: tuple[Path, ...] | None) -> None:
        """Store the environment files of a template's baseline; None for the current ones."""
        self.old_environments = _with(self.old_environments, file, environments)

    def set_baseline(self, file: Path, choice: tuple[str, ...]) -> None:
        """Store the chosen baseline of a template."""
        self.baselines = _with(self.baselines, file, choice)

    def follow_rename(self, renamed: Callable[[Path], Path]) -> None:
        """Replace renamed files in all settings."""
        used = self.environments, self.old_environments
        self.environments, self.old_environments = (
            {renamed(file): tuple(map(renamed, files)) for file, files in known.items()} for known in used
        )
        self.baselines = {renamed(file): choice for file, choice in self.baselines.items()}
        self.recent_files = [str(renamed(Path(file))) for file in self.recent_files]

    @property
    def target(self) -> Target:
        """The target of checks."""
        return Target(self._release, self._client_versions)

    @target.setter
    def target(self, target: Target) -> None:
        self._release, self._client_versions = target.release, dict(target.client_versions)

    def trust_folder(self, folder: Path) -> None:
        """Trust the cloud configuration in a folder."""
        self.trusted_folders = (*{*self.trusted_folders, folder},)

    def take_first_start(self) -> bool:
        """Return whether this is the first start of the program; True once only."""
        first = not self.store.contains(_STARTED)
        self.store.setValue(_STARTED, "yes")
        return first
