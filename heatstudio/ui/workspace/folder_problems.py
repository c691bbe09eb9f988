"""The problems of files of the open folder that are in no tab, found in the background."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from heatstudio.service.pool.questions import CheckResult, ClosedFileResult, FolderListing, FolderQuestion
from heatstudio.service.workspace.job import Job
from heatstudio.text import counted
from heatstudio.ui.documents.document import Document
from heatstudio.ui.tasks.disk import DiskWatch
from heatstudio.ui.workspace.session import Session

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.catalog.cloud.known_cloud import KnownCloud
    from heatstudio.service.pool.processes import CheckerPool

_REST = 250
"""Milliseconds without changes after which the folder is checked."""
_TURN = 20
"""Milliseconds between polls whether the open files, which have priority, are analyzed."""
_TELLING = 200
"""Milliseconds for which results are collected before they are shown."""
_KEPT = 20_000
"""Milliseconds after which idle processes are ended."""


class FolderProblems(QObject):
    """The problems of a folder, which is checked after the open tabs; earlier results stay until then."""

    changed = Signal()
    _checked = Signal(object, object)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._known: dict[Path, ClosedFileResult] = {}
        self._listing = FolderListing()
        self._read: frozenset[Path] = frozenset()
        """The files on which the known results depend, and the folders of the listed ones."""
        self._job: Job | None = None
        """The current check; results of an earlier one are dropped."""
        self._pool: CheckerPool | None = None
        self._is_wanted_again = False
        self.is_stopped = False
        """Whether the user stopped the check, which then pauses until `go_on`."""
        self._watch = DiskWatch(session.disk, self)
        self._watch.changed.connect(self.refresh)
        self._soon, self._telling, self._idle = (
            QTimer(self, singleShot=True, interval=rest) for rest in (_REST, _TELLING, _KEPT)
        )
        self._soon.timeout.connect(self._begin)
        self._telling.timeout.connect(self._tell)
        self._idle.timeout.connect(self._leave_unless_needed)
        self._checked.connect(self._take)
        self._follow_session()

    @property
    def files(self) -> tuple[Path, ...]:
        """The listed files of the folder that are named like templates."""
        return self._listing.files

    @property
    def named(self) -> Iterator[tuple[Path, str]]:
        """The listed files with their names relative to the folder."""
        return zip(self._listing.files, self._listing.names, strict=True)

    @property
    def is_under_way(self) -> bool:
        """Whether a check is running or about to start."""
        return self._job is not None or (self._soon.isActive() and self._session.root is not None)

    def about(self, path: Path) -> ClosedFileResult | None:
        """Return the result of a file; None before its first check."""
        return self._known.get(path)

    def checked(self) -> list[ClosedFileResult]:
        """Return the results of the files that are not open."""
        in_tabs = self._in_tabs()
        return [known for path, known in self._known.items() if path not in in_tabs]

    def notes(self) -> list[str]:
        """Return sentences about files that are not checked."""
        from heatstudio.service.inputs.folder_files import MOST_FILES

        answers = self.checked()
        folder = f"{self._session.root}{os.sep}"
        unread = [one.sentence.replace(folder, "") for one in answers if one.outcome is CheckResult.UNREAD]
        large = sum(one.outcome is CheckResult.LARGE for one in answers)
        reported = []
        if self.is_stopped:
            reported.append(f"Canceled: {len(answers):,} of {len(self.files):,} files checked. Press F5 to continue.")
        if self._listing.is_cut:
            reported.append(f"Only the first {MOST_FILES:,} YAML and JSON files of the folder are checked.")
        if unread:
            more = f" {counted(len(unread) - 1, 'more file')} cannot be read." if len(unread) > 1 else ""
            reported.append(f"{unread[0]}{more}")
        if large:
            reported.append(f"{counted(large, 'large file')} not checked. Open a file and press F5.")
        return reported

    def refresh(self) -> None:
        """Check changed files after a pause."""
        if not self.is_stopped:
            self._soon.start(_REST)

    def go_on(self) -> None:
        """Resume a check that the user stopped."""
        self.is_stopped = False
        self.refresh()

    def _close(self) -> None:
        self._soon.stop()
        self._soon.timeout.disconnect(self._begin)  # the end of a check that was wanted again starts the timer
        if self._pool is not None:
            self._pool.kill()

    def _follow_session(self) -> None:
        session = self._session
        session.folder_opened.connect(self._begin_anew)
        session.catalog_loaded.connect(self._begin_anew)
        session.target_changed.connect(self.refresh)
        session.document_opened.connect(self._follow)
        session.document_closed.connect(self._follow_tabs)
        session.analysis_changed.connect(self._follow_text)
        session.disk_checked.connect(self.refresh)
        session.stopped.connect(self._close)
        for document in session.documents:
            document.state_changed.connect(self.refresh)
        self.refresh()

    def _follow(self, document: Document) -> None:
        document.state_changed.connect(self.refresh)
        self._follow_tabs()

    def _follow_tabs(self) -> None:
        self._telling.start()
        self.refresh()

    def _follow_text(self, document: Document) -> None:
        """Check the folder again if results depend on the document's file, such as a nested template."""
        if document.real_path in self._read and not self.is_stopped:
            self._soon.start(_TURN)

    def _begin_anew(self) -> None:
        """Drop all results and check again, after another folder is opened or more is known of Heat."""
        self._halt()
        self.is_stopped = False
        self._known, self._listing = {}, FolderListing()
        self._watch.follow(())
        self._telling.start()
        self.refresh()

    def _begin(self) -> None:
        session = self._session
        if session.root is None or session.engine is None:
            return
        if self._job is not None:
            self._is_wanted_again = True
            return
        if session.is_analyzing:
            self._soon.start(_TURN)
            return
        self._idle.stop()
        self._is_wanted_again = False
        work = partial(self._work, self._question(session.root), dict(self._known), session.cloud)
        self._job = job = session.jobs.begin(f"Checking the folder {session.root.name}", self._stop)
        session.jobs.work_on(job, work, partial(self._finish, job), partial(self._end, job))

    def _work(
        self, folder: FolderQuestion, known: dict[Path, ClosedFileResult], cloud: KnownCloud | None, job: Job
    ) -> frozenset[Path]:
        """Check the folder (in a thread)."""
        from heatstudio.service.pool.folder_check import check_folder
        from heatstudio.service.pool.processes import CheckerPool

        if self._pool is None or self._pool.cloud != cloud:
            if self._pool is not None:
                self._pool.close()
            self._pool = CheckerPool(cloud, in_background=True)
        return check_folder(job.advance, self._pool, folder, known, partial(self._checked.emit, job))

    def _question(self, root: Path) -> FolderQuestion:
        session = self._session
        opened = {one.path: one.environments for one in reversed(session.documents) if one.path is not None}
        last = reversed(session.settings.environments.items())
        closed = {template: beside for template, beside in last if session.document_at(template) is None}
        environments = {**session.settings.environments, **opened}
        owners = {one: template for template, beside in {**closed, **opened}.items() for one in beside}
        return FolderQuestion(root, session.blank_snapshot(root), self._in_tabs(), environments, owners)

    def _in_tabs(self) -> frozenset[Path]:
        paths = (path for one in self._session.documents for path in (one.path, one.real_path))
        return frozenset(path for path in paths if path is not None)

    def _take(self, job: Job, reported: FolderListing | ClosedFileResult) -> None:
        if job is not self._job:
            return
        if isinstance(reported, FolderListing):
            self._listing, self._session.listed_files = reported, reported.files
            self._known = {path: self._known[path] for path in reported.files if path in self._known}
        else:
            self._known[reported.question.path] = reported
        if not self._telling.isActive():
            self._telling.start()

    def _tell(self) -> None:
        self.changed.emit()

    def _finish(self, job: Job, read: frozenset[Path]) -> None:
        if job is not self._job:
            return
        self._job = None
        self._read = read
        self._watch.follow(read)
        self._telling.stop()
        self._tell()
        self._idle.start()
        if self._is_wanted_again:
            self._soon.start(_TURN)

    def _end(self, job: Job) -> None:
        """Forget a check, even if it failed."""
        if job is self._job:
            self._job = None

    def _stop(self) -> None:
        """Stop the check: the user canceled it, or the program ends."""
        if self._job is not None:
            self._job = None
            self.is_stopped = True
            self._tell()

    def _halt(self) -> None:
        """Stop the running check, if any."""
        job, self._job = self._job, None
        if job is not None:
            job.stop()

    def _leave_unless_needed(self) -> None:
        """End the idle processes, unless they are needed for edits in an open file on which results depend."""
        is_needed = any(document.real_path in self._read for document in self._session.documents)
        if self._pool is not None and self._job is None and not is_needed:
            self._pool.close()
