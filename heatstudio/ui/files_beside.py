"""The files beside a template: read once, and again when one of them changed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QProcess

from heatstudio.stack.files import NO_FILES, Files
from heatstudio.stack.load import FolderFiles
from heatstudio.stack.unknown import Unknown
from heatstudio.ui.snapshot import Snapshot

Content = str | Unknown | None
Stamp = tuple[int, int] | None
_PATIENCE = 10_000
"""Milliseconds that git may take."""


class _Kept(dict[Path, Content]):
    """What was read, and how each file looked then."""

    def __init__(self, given: Mapping[Path, str]) -> None:
        super().__init__(given)
        self._given = dict(given)
        self._stamps: dict[Path, Stamp] = {}

    def __setitem__(self, path: Path, content: Content) -> None:
        self._stamps[path] = _stamp(path)
        super().__setitem__(path, content)

    def holds(self, given: Mapping[Path, str]) -> bool:
        """Whether every file is as it was read."""
        return given == self._given and all(_stamp(path) == stamp for path, stamp in self._stamps.items())


class FilesBeside:
    """Gives the same object as long as nothing changed, so that what rests on it need not be made again."""

    def __init__(self) -> None:
        self._folders: dict[tuple[Path, Path, bool], tuple[FolderFiles, _Kept]] = {}
        self._revisions: dict[tuple[Path, Path, str], RevisionFiles] = {}

    def of(self, snapshot: Snapshot) -> Files:
        """The files that the template of a snapshot may ask for."""
        if snapshot.path is None:
            return NO_FILES
        folder = snapshot.path.parent.resolve()
        root = (snapshot.root or folder).resolve()
        root = root if folder.is_relative_to(root) else folder
        if snapshot.revision:
            key = (folder, root, snapshot.revision)
            return self._revisions.setdefault(key, RevisionFiles(*key))
        given = {path.resolve(): text for path, text in snapshot.open_texts.items()}
        place = (folder, root, bool(given))
        known = self._folders.get(place)
        if known is None or not known[1].holds(given):
            kept = _Kept(given)
            known = self._folders[place] = FolderFiles(folder, root, kept), kept
        return known[0]


def _stamp(path: Path) -> Stamp:
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size


class RevisionFiles:
    """The files beside a template as git has them in a revision."""

    def __init__(self, folder: Path, root: Path, revision: str) -> None:
        self._names = FolderFiles(folder, root)
        self._revision = revision
        self._kept: dict[Path, Content] = {}

    def get(self, name: str, /) -> str | Unknown | None:
        """The content of a file; None if the revision has none; Unknown outside of the tree."""
        path = self._names.path(name)
        if path is None:
            return Unknown(("file", name), frozenset({f"file:{name}"}))
        if path not in self._kept:
            self._kept[path] = git_text(path, self._revision)
        return self._kept[path]

    def below(self, name: str, /) -> RevisionFiles:
        """The files beside the file of that name."""
        path = self._names.path(name)
        folder = path.parent if path is not None else self._names.folder
        return RevisionFiles(folder, self._names.root, self._revision)


def git_text(path: Path, revision: str) -> str | None:
    """What git has of a file in a revision; None if there is nothing, or no git."""
    git = QProcess()
    git.setWorkingDirectory(str(path.parent))
    git.start("git", ["show", f"{revision}:./{path.name}"])
    if not git.waitForFinished(_PATIENCE) or git.exitStatus() is not QProcess.ExitStatus.NormalExit:
        git.kill()
        git.waitForFinished()
        return None
    try:
        return bytes(git.readAllStandardOutput().data()).decode("utf-8") if git.exitCode() == 0 else None
    except UnicodeDecodeError:
        return None
