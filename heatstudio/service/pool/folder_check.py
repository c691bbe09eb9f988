"""Check the templates and environments of a folder that are not open in a tab. Only for threads."""

from collections.abc import Callable
from functools import partial
from itertools import islice
from pathlib import Path

from heatstudio.service.inputs.folder_files import MOST_FILES, walk
from heatstudio.service.inputs.freshness import CurrentMarks
from heatstudio.service.pool.file_check import FileChecker
from heatstudio.service.pool.processes import CheckerPool
from heatstudio.service.pool.questions import (
    CheckedFile,
    CheckResult,
    ClosedFileResult,
    FileQuestion,
    FolderContext,
    FolderListing,
    FolderQuestion,
    FolderReading,
    crash_sentence,
)
from heatstudio.text import real_path

Tell = Callable[[FolderListing | CheckedFile], object]


def check_folder(
    advance: Callable[[int, int], object],
    pool: CheckerPool,
    folder: FolderQuestion,
    known: dict[Path, CheckedFile],
    tell: Tell,
) -> FolderReading:
    """Report the files of a folder, then the result of each file that changed since `known`, which is updated.

    `advance` takes the numbers of checked files and of files to check.
    """
    around = folder.around
    found = list(islice(walk(around.root, opens=True), MOST_FILES + 1))
    files = tuple(found[:MOST_FILES])
    names = tuple(path.relative_to(around.root).as_posix() for path in files)
    listing = FolderListing(files, names, len(found) > MOST_FILES)
    tell(listing)
    marks = CurrentMarks(around.texts)
    closed = (folder.about(path) for path in listing.files if folder.in_tabs.isdisjoint((path, real_path(path))))
    stale = [one for one in closed if not _still_holds(known.get(one.path), one, around, marks)]
    ask = partial(FileChecker.check, around=around)
    for done, (question, answer) in enumerate(pool.answers(ask, stale)):
        advance(done, len(stale))
        crashed = ClosedFileResult(CheckResult.UNREAD, sentence=crash_sentence(question.path))
        known[question.path] = checked = CheckedFile(question, around.target, answer or crashed)
        tell(checked)
    read = frozenset(path for one in known.values() for path in one.answer.marks)
    folders = {parent for path in listing.files for parent in path.parents if parent.is_relative_to(around.root)}
    return FolderReading(read, frozenset(map(str, (around.root, *folders, *read))))


def _still_holds(known: CheckedFile | None, question: FileQuestion, around: FolderContext, marks: CurrentMarks) -> bool:
    if known is None or (known.question, known.target) != (question, around.target):
        return False
    return bool(known.answer.marks) and marks.match(known.answer.marks)
