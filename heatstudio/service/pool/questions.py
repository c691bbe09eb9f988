"""The questions to processes that check files, and the answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum, auto
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from heatstudio.service.inputs.freshness import FileMark
from heatstudio.service.inputs.snapshot import Snapshot, Target
from heatstudio.text import CheckFamily, OtherFileSpan, Position, Severity, Span

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.analysis.scope.finding import Diagnostic


class DiagnosticSummary(NamedTuple):
    """A diagnostic without its fixes."""

    code: str
    severity: Severity
    message: str
    span: Span
    also: tuple[Span, ...] = ()
    resource: str | None = None
    property: str | None = None
    has_fixes: bool = False
    heat: str = ""
    related: tuple[tuple[str, Span], ...] = ()
    elsewhere: OtherFileSpan | None = None
    has_preferred_fix: bool = False
    family: CheckFamily = CheckFamily.PROBLEM


def summaries_of(diagnostics: Iterable[Diagnostic]) -> tuple[DiagnosticSummary, ...]:
    """Return diagnostics without their fixes."""
    return tuple(DiagnosticSummary(*(getattr(one, name) for name in DiagnosticSummary._fields)) for one in diagnostics)


class FolderContext(NamedTuple):
    """The shared context of the closed files of a folder."""

    root: Path
    """The folder that references may not leave."""
    target: Target = Target()
    texts: Mapping[Path, str] = {}
    """The unsaved texts of tabs, by paths without links."""


class FileQuestion(NamedTuple):
    """A request to check a closed file: a template with environments, or an environment with its template."""

    path: Path
    environments: tuple[Path, ...] = ()
    owner: tuple[Path, tuple[Path, ...]] | None = None
    """The template to check with the file, and all environments of the template."""


class ReportQuestion(NamedTuple):
    """A request of the command line to check a file."""

    path: Path
    inputs: Snapshot
    """The snapshot of the file without its text."""
    is_named: bool = True
    """Whether the user named the file; other files are checked only if they are templates or environments."""
    with_fixes: bool = False
    """Whether the report includes the edits of the fixes."""


class CheckResult(StrEnum):
    """The result of checking a file."""

    CHECKED = auto()
    NO_TEMPLATE = auto()
    UNREAD = auto()
    LARGE = auto()


class SelectedLines(NamedTuple):
    """Selected lines of a file, instead of its text."""

    by_offset: Mapping[int, int]

    def position(self, offset: int) -> Position:
        """Return the line of a known offset, with the character 0."""
        return Position(self.by_offset.get(offset, 0), 0)


class ClosedFileResult(NamedTuple):
    """The diagnostics of a closed file."""

    outcome: CheckResult
    summaries: tuple[DiagnosticSummary, ...] = ()
    lines: SelectedLines = SelectedLines({})
    sentence: str = ""
    """The reason why the file could not be read."""
    marks: Mapping[Path, FileMark] = {}
    """The marks of all files that were read or looked for; the result is valid while the marks are unchanged."""


class FolderQuestion(NamedTuple):
    """The state of a folder to check."""

    around: FolderContext
    in_tabs: frozenset[Path]
    """The files whose problems their tabs show."""
    environments: Mapping[Path, tuple[Path, ...]]
    """The environment files that templates were last checked with."""
    owners: Mapping[Path, tuple[Path, tuple[Path, ...]]]
    """The template that an environment was last checked with, and all its environments."""

    def about(self, path: Path) -> FileQuestion:
        """Return the question about one file."""
        return FileQuestion(path, self.environments.get(path, ()), self.owners.get(path))


class FolderListing(NamedTuple):
    """The files of a folder with the names of templates, in order."""

    files: tuple[Path, ...] = ()
    names: tuple[str, ...] = ()
    """The paths relative to the folder."""
    is_cut: bool = False
    """Whether the folder has more files than are checked."""


class CheckedFile(NamedTuple):
    """The result for a file, and its request."""

    question: FileQuestion
    target: Target
    answer: ClosedFileResult


class FolderReading(NamedTuple):
    """The shared inputs of all results for a folder."""

    files: frozenset[Path]
    """The files that were read, or are missing."""
    places: frozenset[str]
    """The same files, and all folders of the listed files."""


def crash_sentence(path: Path) -> str:
    """Return the reason why a file could not be checked: its process crashed."""
    return f"{path} cannot be checked: the process that checked it crashed."
