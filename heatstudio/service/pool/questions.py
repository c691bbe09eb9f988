"""The questions to processes that check files, and the answers."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum, auto
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from heatstudio.service.inputs.freshness import FileMark
from heatstudio.service.inputs.snapshot import Snapshot
from heatstudio.text import LineIndex

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.analysis.scope.finding import Diagnostic


class FileQuestion(NamedTuple):
    """A request to check a file."""

    path: Path
    inputs: Snapshot = Snapshot("")
    """What the file is checked with, without its text and without that of the owner of an environment."""
    is_named: bool = False
    """Whether the user named the file; other files are checked only if they are templates or environments."""
    with_fixes: bool = False
    """Whether a report includes the edits of the fixes."""


class CheckResult(StrEnum):
    """The result of checking a file."""

    CHECKED = auto()
    NO_TEMPLATE = auto()
    UNREAD = auto()
    LARGE = auto()


class ClosedFileResult(NamedTuple):
    """The diagnostics of a closed file."""

    question: FileQuestion
    outcome: CheckResult
    diagnostics: tuple[Diagnostic, ...] = ()
    lines: LineIndex = LineIndex("")
    """The lines of the file if it has diagnostics."""
    sentence: str = ""
    """The reason why the file could not be read."""
    marks: Mapping[Path, FileMark] = {}
    """The marks of all files that were read or looked for; the result is valid while the marks are unchanged."""


class FolderQuestion(NamedTuple):
    """The state of a folder to check."""

    root: Path
    blank: Snapshot
    """The inputs of every file: the unsaved texts of tabs, the target, and the folder that references may not leave."""
    in_tabs: frozenset[Path]
    """The files whose problems their tabs show."""
    environments: Mapping[Path, tuple[Path, ...]]
    """The environment files that templates were last checked with."""
    owners: Mapping[Path, Path]
    """The template that an environment was last checked with."""

    def about(self, path: Path) -> FileQuestion:
        """Return the question about one file; the texts of tabs are not part of it, as most files read none."""
        inputs, owner = self._inputs(path), self.owners.get(path)
        return FileQuestion(path, inputs._replace(owner=self._inputs(owner) if owner is not None else None))

    def _inputs(self, path: Path) -> Snapshot:
        return self.blank._replace(path=path, environments=self.environments.get(path, ()), open_texts={})


class FolderListing(NamedTuple):
    """The files of a folder with the names of templates, in order."""

    files: tuple[Path, ...] = ()
    names: tuple[str, ...] = ()
    """The paths relative to the folder."""
    is_cut: bool = False
    """Whether the folder has more files than are checked."""


def crash_sentence(path: Path) -> str:
    """Return the reason why a file could not be checked: its process crashed."""
    return f"{path} cannot be checked: the process that checked it crashed."
