"""The files of the workspace: cached, read again after changes, with a record of all reads."""

from collections.abc import Mapping
from pathlib import Path

from heatstudio.service.inputs.freshness import CurrentMarks, FileMark, mark_of
from heatstudio.service.inputs.git import git_content
from heatstudio.service.inputs.snapshot import Snapshot
from heatstudio.stack.definition.files import NO_FILES, Files, sent_text
from heatstudio.stack.load import Content, FolderFiles
from heatstudio.text import real_path


class _Kept(dict[Path, Content]):
    """A cache of file contents, with the mark of each file, including missing files."""

    def __init__(self, given: Mapping[Path, str]) -> None:
        super().__init__(given)
        self._given = given
        self.marks: dict[Path, FileMark] = {}

    def __contains__(self, path: object) -> bool:
        if isinstance(path, Path) and path not in self.marks:
            self.marks[path] = mark_of(path, self._given)
        return super().__contains__(path)

    def still_holds(self, given: Mapping[Path, str]) -> bool:
        """Return whether no file has changed since it was read; if so, replace the texts of open editors."""
        if not CurrentMarks(given).match(self.marks):
            return False
        for path in self._given.keys() - given.keys():
            self.pop(path, None)
        self.update(given)
        self._given = given
        return True


class FilesBeside:
    """The files next to templates; the same object while the files are unchanged, so that results can be reused."""

    def __init__(self) -> None:
        self._kept: dict[tuple[Path, Path, bool], tuple[FolderFiles, _Kept]] = {}
        self._commits: dict[tuple[Path, Path, str], FolderFiles] = {}

    def of(self, snapshot: Snapshot) -> Files:
        """Return the files that the template of a snapshot may refer to."""
        if snapshot.path is None:
            return NO_FILES
        folder, root = _place(snapshot.path, snapshot.root)
        if snapshot.commit:
            key = (folder, root, snapshot.commit)
            return self._commits.setdefault(key, files_of_commit(*key))
        place = (snapshot.path, root, bool(snapshot.open_texts))
        known = self._kept.get(place)
        if known is None or not known[1].still_holds(snapshot.open_texts):
            kept = _Kept(snapshot.open_texts)
            known = self._kept[place] = FolderFiles(folder, root, kept), kept
        return known[0]

    def marks_of(self, snapshot: Snapshot) -> Mapping[Path, FileMark]:
        """Return the marks of the files that were read for the template of a snapshot."""
        if snapshot.path is None or snapshot.commit:
            return {}
        known = self._kept.get((snapshot.path, _place(snapshot.path, snapshot.root)[1], bool(snapshot.open_texts)))
        return dict(known[1].marks) if known is not None else {}


def _place(path: Path, root: Path | None) -> tuple[Path, Path]:
    """Return the folder of a template, and the folder that its references must not leave."""
    folder = real_path(path.parent)
    root = real_path(root or folder)
    return folder, root if folder.is_relative_to(root) else folder


def files_of_commit(folder: Path, root: Path, commit: str) -> FolderFiles:
    """Return the files next to a template in a git commit."""

    def sent(path: Path, _name: str) -> str | None:
        content = git_content(path, commit)
        return sent_text(content) if content is not None else None

    return FolderFiles(folder, root, read=sent)
