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
    CheckResult,
    ClosedFileResult,
    FileQuestion,
    FolderListing,
    FolderQuestion,
    crash_sentence,
)
from heatstudio.text import real_path

Tell = Callable[[FolderListing | ClosedFileResult], object]


def check_folder(
    advance: Callable[[int, int], object],
    pool: CheckerPool,
    folder: FolderQuestion,
    known: dict[Path, ClosedFileResult],
    tell: Tell,
) -> frozenset[Path]:
    """Report the files of a folder, then the result of each file that changed since `known`, which is updated.

    Return all files that the results depend on, and the folders of the listed files. `advance` takes the numbers of
    checked files and of files to check.
    """
    root, texts = folder.root, folder.blank.open_texts
    found = list(islice(walk(root, opens=True), MOST_FILES + 1))
    files = tuple(found[:MOST_FILES])
    names = tuple(path.relative_to(root).as_posix() for path in files)
    listing = FolderListing(files, names, len(found) > MOST_FILES)
    tell(listing)
    marks = CurrentMarks(texts)
    closed = (folder.about(path) for path in listing.files if folder.in_tabs.isdisjoint((path, real_path(path))))
    stale = [one for one in closed if not _still_holds(known.get(one.path), one, marks)]
    for done, (question, answer) in enumerate(pool.answers(partial(FileChecker.check, texts=texts), stale)):
        advance(done, len(stale))
        crashed = ClosedFileResult(question, CheckResult.UNREAD, sentence=crash_sentence(question.path))
        known[question.path] = answer or crashed
        tell(known[question.path])
    read = (path for one in known.values() for path in one.marks)
    folders = (parent for path in listing.files for parent in path.parents if parent.is_relative_to(root))
    return frozenset((root, *folders, *read))


def _still_holds(known: ClosedFileResult | None, question: FileQuestion, marks: CurrentMarks) -> bool:
    return known is not None and known.question == question and bool(known.marks) and marks.match(known.marks)
