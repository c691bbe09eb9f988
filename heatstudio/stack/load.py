"""Loading of templates, environments and their files from disk.

Files that a template names are read only inside the folder that the user opened, and never from a network.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from urllib.parse import unquote

from heatstudio.stack.definition.client_files import is_file_of_registry
from heatstudio.stack.definition.files import CLOSED, FILE_URL, Files, sent_text
from heatstudio.stack.inputs.environment import RESOURCE_REGISTRY, EnvironmentFile
from heatstudio.stack.inputs.registry import BASE_URL, TEMPLATE_ENDINGS
from heatstudio.stack.unknown import Unknown
from heatstudio.template import is_environment, parse_environment, parse_template
from heatstudio.template.dialect import begins_with_version
from heatstudio.text import TEXT_LIMIT, UTF_8, DocumentError, is_file, read_bytes, read_document, read_text, real_path

_MOST_READ = 32 * 2**20
"""The maximum number of characters of all files of a template; Heat's own limit for a request is a megabyte."""
ENVIRONMENT_ENCODINGS = (UTF_8, "utf-16-le", "utf-16-be")
"""The encodings of environments that python-heatclient reads: it passes their bytes to YAML, but decodes a template."""
_MOST_LISTED = 300
"""Maximum number of files in a completion list."""
_MOST_BESIDE = 100
"""Maximum number of files beside a template of which the beginning is read."""
_BEGINNING = 2_000
_SOURCES = (".j2", ".jinja", ".jinja2")
"""The endings of files that become templates after their rendering."""
MOST_ENVIRONMENTS = 2**20
"""The maximum number of characters of all environments together: Heat's default limit of a request in bytes."""
INVALID_ENVIRONMENT = "environment"
"""The code of the error for an environment that is read, but which Heat or its client rejects."""
Content = str | Unknown | None
ReadFile = Callable[[Path, str], Content]


def _unread(name: str, *why: str) -> Unknown:
    return Unknown((*(why or ("file",)), name), frozenset({f"file:{name}"}))


def _content(path: Path, name: str) -> Content:
    try:
        return sent_text(read_bytes(path, TEXT_LIMIT))
    except DocumentError as error:
        if error.code in ("missing", "bad-name"):
            return None
        if error.code == "too-large":
            return _unread(name)
        return _unread(name, CLOSED, error.message.replace(str(path), name))


class _BoundedReader:
    """A function that reads files until they have too many characters together; the other files are unknown."""

    def __init__(self, read: ReadFile) -> None:
        self.read = read
        self._left = _MOST_READ

    def __call__(self, path: Path, name: str) -> Content:
        """Return the content of a file."""
        content = self.read(path, name) if self._left > 0 else _unread(name)
        self._left -= len(content) if isinstance(content, str) else 0
        return content


class FolderFiles(Files):
    """The files of one folder tree, by their names in a template in `folder`.

    `kept` caches contents; `read` returns the content of a file that is not cached, given its path and name.
    """

    is_on_disk = True

    def __init__(
        self, folder: Path, root: Path, kept: dict[Path, Content] | None = None, read: ReadFile = _content
    ) -> None:
        self.folder = folder
        self.root = root
        self._kept: dict[Path, Content] = kept if kept is not None else {}
        self._read = read if isinstance(read, _BoundedReader) else _BoundedReader(read)

    def __eq__(self, other: object) -> bool:
        """Return whether both objects return the same files by the same names."""
        if not isinstance(other, FolderFiles):
            return False
        same = (self.folder, self.root, self._read) == (other.folder, other.root, other._read)
        kept, others = list(self._kept.items()), other._kept  # another thread may read files
        return same and all(others.get(path, content) == content for path, content in kept)

    def __hash__(self) -> int:
        return hash((self.folder, self.root))

    def get(self, name: str, /) -> Content:
        """Return the content of a file; None if missing, Unknown if unreadable, too large or outside the tree.

        A file that is not UTF-8 is encoded in base64, as Heat receives it.
        """
        path = self.path(name)
        if path is None:
            return _unread(name)
        if path not in self._kept:
            self._kept[path] = self._read(path, name)
        return self._kept[path]

    def below(self, name: str, /) -> FolderFiles:
        """Return the files relative to the folder of a file."""
        path = self.path(name)
        return FolderFiles(path.parent if path is not None else self.folder, self.root, self._kept, self._read)

    def names(self) -> list[str]:
        """Return the files in the folder and its subfolders, breadth-first, up to the maximum."""
        found: list[Path] = []
        waiting = [self.folder] if self._read.read is _content else []
        for _ in range(_MOST_LISTED):
            if waiting and len(found) < _MOST_LISTED:
                files, folders = _inside(waiting.pop(0))
                found += files
                waiting += folders
        return [path.relative_to(self.folder).as_posix() for path in found[:_MOST_LISTED]]

    def peek(self, name: str, /) -> Content:
        """Return the content of a file like `get`, but neither keep it nor record the read."""
        path = self.path(name)
        known = self._kept.get(path) if path is not None else _unread(name)  # `in` would record the read
        return self._read.read(path, name) if path is not None and known is None else known

    def templates(self) -> Iterator[str]:
        """Yield the templates in the folder itself, up to the maximum; only their beginnings are read.

        These reads are not recorded, so that a change of one of the files causes no new analysis.
        """
        files = _inside(self.folder)[0] if self._read.read is _content else []
        for file in islice((one for one in files if one.name.endswith(TEMPLATE_ENDINGS)), _MOST_BESIDE):
            path = self.path(file.name)
            known = self._kept.get(path) if path is not None else None  # `in` would record the read
            is_template = begins_with_version(known) if isinstance(known, str) else begins_as_template(file)
            if path is not None and is_template:
                yield file.name

    def path(self, name: str, /) -> Path | None:
        """Return the path of a file, which may be missing; None for a URL or a path outside the tree."""
        written = unquote(name.removeprefix(FILE_URL)) if name.startswith(FILE_URL) else name
        if "://" in written or "\0" in written:
            return None
        path = real_path(self.folder / written)
        return path if path.is_relative_to(self.root) else None


def _inside(folder: Path) -> tuple[list[Path], list[Path]]:
    """Return the files and the folders in a folder that are not hidden, sorted by name."""
    files: list[Path] = []
    folders: list[Path] = []
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            if not entry.name.startswith("."):
                (folders if entry.is_dir(follow_symlinks=False) else files).append(Path(entry.path))
    return files, folders


def begins_as_template(path: Path) -> bool:
    """Return whether a file begins with a template version, unless its name says that it must be rendered first."""
    if path.name.lower().endswith(_SOURCES) or not is_file(path):
        return False
    try:
        with path.open("rb") as file:
            return begins_with_version(file.read(_BEGINNING).decode("utf-8", "replace"))
    except OSError:
        return False


def read_written(path: Path) -> str:
    """Return the text of a template or environment. Raise DocumentError if the file or its encoding is unreadable."""
    document = read_document(path, ENVIRONMENT_ENCODINGS)
    if document.encoding == UTF_8 or is_environment(parse_template(document.text).data, path.name):
        return document.text
    return read_document(path).text


def read_environment(path: Path) -> str:
    """Return the text of an environment. Raise DocumentError."""
    return read_text(path, ENVIRONMENT_ENCODINGS)


def load_environment(path: Path, text: str | None = None) -> EnvironmentFile:
    """Return an environment file; its relative template names become absolute paths.

    `text` replaces the content of the file if given. Raise DocumentError if the file or its YAML cannot be read,
    because all results that depend on the environment would be unknown.
    """
    text = read_environment(path) if text is None else text
    written = parse_environment(text)
    broken = next((problem for problem in written.problems if problem.severity == 0), None)
    if broken is not None:
        line = text.count("\n", 0, broken.span.start) + 1
        raise DocumentError(INVALID_ENVIRONMENT, f"{path}:{line}: {broken.message}")
    data = {str(key): value for key, value in written.data.items()}
    registry = data.get(RESOURCE_REGISTRY)
    if isinstance(registry, Mapping):
        data[RESOURCE_REGISTRY] = _resolved_registry(registry, path.parent.resolve())
    return EnvironmentFile(str(path), data, text)


def invalid_environments(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the environments that are read, but whose text Heat or its client rejects as a whole.

    None are yielded if the files are larger together than a request to Heat may be, as the reason is known then.
    """
    files = tuple(paths)
    if sum(map(_size, files)) > MOST_ENVIRONMENTS:
        return
    for path in files:
        try:
            load_environment(path)
        except DocumentError as error:
            if error.code == INVALID_ENVIRONMENT:
                yield path


def _size(path: Path) -> int:
    with suppress(OSError):
        return path.stat().st_size
    return 0


def _resolved_registry(registry: Mapping[object, object], folder: Path) -> dict[object, object]:
    """Return the registry with the template files as absolute paths, as python-heatclient resolves them."""
    base = registry.get(BASE_URL)
    start = folder / base if isinstance(base, str) and "://" not in base else folder
    found: dict[object, object] = {}
    for name, value in registry.items():
        if isinstance(value, Mapping):
            found[name] = _resolved_registry(value, start)
        elif is_file_of_registry(name, value) and "://" not in str(value):
            found[name] = str(start / str(value))
        else:
            found[name] = value
    return found
