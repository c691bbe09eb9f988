"""Load templates, environments and their files from disk.

Files are read when a template asks for them, never outside the folder that the user opened, and never from a network.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from heatstudio.stack.definition.client_files import is_file_of_registry
from heatstudio.stack.definition.files import CLOSED, sent_text
from heatstudio.stack.inputs.environment import EnvironmentFile
from heatstudio.stack.inputs.registry import BASE_URL
from heatstudio.stack.unknown import Unknown
from heatstudio.template import is_environment, parse_environment, parse_template
from heatstudio.text import UTF_8, DocumentError, read_document, read_text, real_path

LARGEST_FILE = 4 * 1024 * 1024
"""Bytes; a larger file is not looked into."""
ENVIRONMENT_ENCODINGS = (UTF_8, "utf-16-le", "utf-16-be")
"""What python-heatclient reads: it hands the bytes of an environment to YAML, and decodes those of a template."""
_MOST_LISTED = 300
"""The maximum number of files to list as suggestions."""
_REGISTRY = "resource_registry"
Content = str | Unknown | None
ReadFile = Callable[[Path, str], Content]


class FolderFiles:
    """The files of one folder tree, by their names in a template in `folder`.

    `kept` is what was read before; `read` gives the content of a file that is not among it, by its path and its name.
    """

    def __init__(
        self, folder: Path, root: Path, kept: dict[Path, Content] | None = None, read: ReadFile | None = None
    ) -> None:
        self.folder = folder
        self.root = root
        self._kept: dict[Path, Content] = kept if kept is not None else {}
        self._read = read or _content

    def get(self, name: str) -> Content:
        """The content of a file; None if there is none; Unknown if it is unreadable, too large or outside of the tree.

        What is not UTF-8 is base64, as Heat receives it.
        """
        path = self._path(name)
        if path is None:
            return _unread(name)
        if path not in self._kept:
            self._kept[path] = self._read(path, name)
        return self._kept[path]

    def below(self, name: str) -> FolderFiles:
        """The files next to the file of that name."""
        path = self._path(name)
        return FolderFiles(path.parent if path is not None else self.folder, self.root, self._kept, self._read)

    def path(self, name: str) -> Path | None:
        """The path of a file name, even if it does not exist; None for a URL and outside the tree."""
        return self._path(name)

    def names(self) -> list[str]:
        """The files in the folder and below it, the nearest first, as far as they are not too many."""
        found: list[Path] = []
        waiting = [self.folder] if self._read is _content else []
        for _ in range(_MOST_LISTED):
            if waiting and len(found) < _MOST_LISTED:
                files, folders = _inside(waiting.pop(0))
                found += files
                waiting += folders
        return [path.relative_to(self.folder).as_posix() for path in found[:_MOST_LISTED]]

    def _path(self, name: str) -> Path | None:
        if "://" in name or "\0" in name:
            return None
        path = real_path(self.folder / name)
        return path if path.is_relative_to(self.root) else None


def _inside(folder: Path) -> tuple[list[Path], list[Path]]:
    """The files and the folders in a folder that are not hidden, by name."""
    files: list[Path] = []
    folders: list[Path] = []
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            if not entry.name.startswith("."):
                (folders if entry.is_dir(follow_symlinks=False) else files).append(Path(entry.path))
    return files, folders


def _unread(name: str) -> Unknown:
    return Unknown(("file", name), frozenset({f"file:{name}"}))


def _content(path: Path, name: str) -> Content:
    try:
        if not path.is_file():
            return None
        if path.stat().st_size > LARGEST_FILE:
            return _unread(name)
        return sent_text(path.read_bytes())
    except OSError:
        return replace(_unread(name), key=(CLOSED, name))


def read_written(path: Path) -> str:
    """The text of a template or an environment file, each in an encoding that Heat reads; raises DocumentError."""
    document = read_document(path, ENVIRONMENT_ENCODINGS)
    if document.encoding == UTF_8 or is_environment(parse_template(document.text).data):
        return document.text
    return read_document(path).text


def load_environment(path: Path, text: str | None = None) -> EnvironmentFile:
    """An environment file; templates that it names are found next to it. Raises DocumentError.

    `text` stands for the content of the file if given. An environment that Heat could not read raises DocumentError
    too: nothing that rests on it would be known.
    """
    text = read_text(path, ENVIRONMENT_ENCODINGS) if text is None else text
    written = parse_environment(text)
    broken = next((problem for problem in written.problems if problem.severity == 0), None)
    if broken is not None:
        raise DocumentError("environment", f"{path}: {broken.message}")
    data = {str(key): value for key, value in written.data.items()}
    registry = data.get(_REGISTRY)
    if isinstance(registry, Mapping):
        data[_REGISTRY] = _beside(registry, path.parent.resolve())
    return EnvironmentFile(str(path), data, text)


def _beside(registry: Mapping[object, object], folder: Path) -> dict[object, object]:
    """The registry with the places of template files written out, as python-heatclient does it."""
    base = registry.get(BASE_URL)
    start = folder / base if isinstance(base, str) and "://" not in base else folder
    found: dict[object, object] = {}
    for name, value in registry.items():
        if isinstance(value, Mapping):
            found[name] = _beside(value, start)
        elif is_file_of_registry(name, value) and "://" not in str(value):
            found[name] = str(start / str(value))
        else:
            found[name] = value
    return found
