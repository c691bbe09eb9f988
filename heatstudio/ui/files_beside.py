"""The files beside a template: read once, and again when one of them changed; or read anew, and noted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from heatstudio.stack.files import NO_FILES, Files
from heatstudio.stack.load import Content, FolderFiles
from heatstudio.ui.closed_file import Mark, mark_of, resolved
from heatstudio.ui.git import git_text
from heatstudio.ui.snapshot import Snapshot

Stamp = tuple[int, int] | None


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
        # A copy: completion reads files meanwhile, in the thread of the window.
        return given == self._given and all(_stamp(path) == stamp for path, stamp in list(self._stamps.items()))


class FilesBeside:
    """Gives the same object as long as nothing changed, so that what rests on it need not be made again."""

    def __init__(self) -> None:
        self._folders: dict[tuple[Path, Path, bool], tuple[FolderFiles, _Kept]] = {}
        self._commits: dict[tuple[Path, Path, str], FolderFiles] = {}

    def of(self, snapshot: Snapshot) -> Files:
        """The files that the template of a snapshot may ask for."""
        if snapshot.path is None:
            return NO_FILES
        folder, root = _place(snapshot.path, snapshot.root)
        if snapshot.commit:
            key = (folder, root, snapshot.commit)
            return self._commits.setdefault(key, files_of_commit(*key))
        given = resolved(snapshot.open_texts)
        place = (folder, root, bool(given))
        known = self._folders.get(place)
        if known is None or not known[1].holds(given):
            kept = _Kept(given)
            known = self._folders[place] = FolderFiles(folder, root, kept), kept
        return known[0]


class NotedFiles:
    """Reads every file anew, and notes what each looked like before: also those that were looked for in vain."""

    def __init__(self, texts: Mapping[Path, str]) -> None:
        self._texts = resolved(texts)
        self.marks: dict[Path, Mark] = {}

    def of(self, snapshot: Snapshot) -> Files:
        """The files that the template of a snapshot may ask for."""
        if snapshot.path is None:
            return NO_FILES
        return FolderFiles(*_place(snapshot.path, snapshot.root), _Noting(self._texts, self.note))

    def note(self, path: Path) -> None:
        """Notes that a file counts."""
        file = path.resolve()
        if file not in self.marks:
            self.marks[file] = mark_of(file, self._texts)


class _Noting(dict[Path, Content]):
    """What was read; tells of a file before it is read."""

    def __init__(self, given: Mapping[Path, str], note: Callable[[Path], object]) -> None:
        super().__init__(given)
        self._note = note

    def __contains__(self, path: object) -> bool:
        if isinstance(path, Path):
            self._note(path)
        return super().__contains__(path)


def _place(path: Path, root: Path | None) -> tuple[Path, Path]:
    """The folder that a template lies in, and the one that its references may not leave."""
    folder = path.parent.resolve()
    root = (root or folder).resolve()
    return folder, root if folder.is_relative_to(root) else folder


def files_of_commit(folder: Path, root: Path, commit: str) -> FolderFiles:
    """The files beside a template as git has them in a commit."""
    return FolderFiles(folder, root, read=lambda path, _name: git_text(path, commit))


def _stamp(path: Path) -> Stamp:
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size
