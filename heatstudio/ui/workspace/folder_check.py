"""Check the templates and environments of a folder that are not open in a tab. Only for threads."""

from collections.abc import Callable, Mapping
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from heatstudio.service.inputs.folder_files import MOST_FILES, walk
from heatstudio.service.inputs.freshness import CurrentMarks
from heatstudio.service.inputs.snapshot import Target
from heatstudio.service.wire import ClosedFileResult, FileQuestion, FolderContext
from heatstudio.service.worker_process import WorkerProcess
from heatstudio.text import real_path
from heatstudio.ui.tasks.jobs import Job, StoppedError


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


Tell = Callable[[FolderListing | CheckedFile], object]


def check_folder(
    job: Job, worker: WorkerProcess, folder: FolderQuestion, known: dict[Path, CheckedFile], tell: Tell
) -> FolderReading:
    """Report the files of a folder, then the result of each file that changed since `known`, which is updated."""
    around = folder.around
    found = list(islice(walk(around.root), MOST_FILES + 1))
    files = tuple(found[:MOST_FILES])
    names = tuple(path.relative_to(around.root).as_posix() for path in files)
    listing = FolderListing(files, names, len(found) > MOST_FILES)
    tell(listing)
    marks = CurrentMarks(around.texts)
    closed = (folder.about(path) for path in listing.files if folder.in_tabs.isdisjoint((path, real_path(path))))
    stale = [one for one in closed if not _still_holds(known.get(one.path), one, around, marks)]
    try:
        for done, question in enumerate(stale):
            job.advance(done, len(stale))
            answer = worker.ask(around, question)
            job.check()
            known[question.path] = checked = CheckedFile(question, around.target, answer)
            tell(checked)
    except StoppedError:
        worker.close()
        raise
    read = frozenset(path for one in known.values() for path in one.answer.marks)
    folders = {parent for path in listing.files for parent in path.parents if parent.is_relative_to(around.root)}
    return FolderReading(read, frozenset(map(str, (around.root, *folders, *read))))


def _still_holds(known: CheckedFile | None, question: FileQuestion, around: FolderContext, marks: CurrentMarks) -> bool:
    if known is None or (known.question, known.target) != (question, around.target):
        return False
    return bool(known.answer.marks) and marks.match(known.answer.marks)
