"""Shows what the first look sees until the engine is there."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import Qt

from heatstudio.text import DocumentError, read_text
from heatstudio.ui.first_look import FirstLook
from heatstudio.ui.jobs import Finish, Job
from heatstudio.ui.session import Session
from heatstudio.ui.sight import read_sights, write_question
from heatstudio.ui.snapshot import Snapshot, is_large


class Looking:
    """Asks about the file that will be seen first, before there is a window to see it in."""

    def __init__(self, look: FirstLook, session: Session) -> None:
        self._look = look
        self._session = session
        self._job: Job | None = None

    @property
    def is_under_way(self) -> bool:
        """Whether an answer may still come."""
        return self._job is not None and not self._job.is_stopped

    def ask(self, path: Path) -> bool:
        """Asks, unless the file cannot be read, is large, or is checked together with another one; tells whether."""
        session = self._session
        environments = session.settings.environments_of(path)
        if path in {one for beside in session.settings.environments.values() for one in beside}:
            return False
        try:
            text = read_text(path)
        except DocumentError:
            return False
        if is_large(text):
            return False
        self._ask(Snapshot(text, path, environments, session.root, target=session.target))
        return True

    def stop(self) -> None:
        """Ends it, asked or not: the engine says the same, and more."""
        if self._job is not None:
            self._job.stop()
        self._look.stop()

    def _ask(self, snapshot: Snapshot) -> None:
        question = write_question(snapshot)

        def work(_job: Job) -> Finish:
            answer = self._look.ask(question)
            return lambda: self._show(snapshot, answer)

        self._job = self._session.jobs.start("Looking at the file", work, self._look.stop)
        self._session.analysis_changed.connect(self.stop, Qt.ConnectionType.SingleShotConnection)

    def _show(self, snapshot: Snapshot, answer: bytes) -> None:
        """Shows what was seen, unless the text moved on or more is known by now."""
        self._job = None
        document = self._session.current
        if document is None or (document.path, document.text) != (snapshot.path, snapshot.text):
            return
        if document.analysis is None:
            with suppress(ValueError):
                document.sights = read_sights(answer)
                self._session.looked.emit(document)
