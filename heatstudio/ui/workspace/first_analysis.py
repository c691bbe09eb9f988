"""Show the worker's analysis of the first file until the window's own engine is ready."""

from pathlib import Path

from PySide6.QtCore import Qt

from heatstudio.service.diagnostic_summary import DiagnosticSummary
from heatstudio.service.snapshot import is_large
from heatstudio.service.wire import TextQuestion
from heatstudio.text import DocumentError, read_text
from heatstudio.ui.tasks.jobs import Finish, Job
from heatstudio.ui.workspace.session import Session


class FirstAnalysis:
    """Requests the analysis of the first visible file before the window exists."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._job: Job | None = None

    @property
    def is_under_way(self) -> bool:
        """Whether an answer may still come."""
        return self._job is not None and not self._job.is_stopped

    def ask(self, path: Path) -> bool:
        """Ask, unless the file cannot be read, is large, or is checked together with another one; return whether."""
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
        self._ask(TextQuestion(text, path, environments, session.root, session.target))
        return True

    def stop(self) -> None:
        """End it, asked or not: the engine says the same, and more. For a folder the worker goes on."""
        if self._job is not None:
            self._job.stop()
        if self._session.root is None:
            self._session.worker.close()

    def _ask(self, question: TextQuestion) -> None:
        def work(_job: Job) -> Finish:
            summaries = self._session.worker.summarize(question)
            return lambda: self._show(question, summaries)

        self._job = self._session.jobs.start("Analyzing file", work)
        self._session.analysis_changed.connect(self.stop, Qt.ConnectionType.SingleShotConnection)

    def _show(self, question: TextQuestion, summaries: tuple[DiagnosticSummary, ...] | None) -> None:
        """Show what was found, unless the text moved on or more is known by now."""
        self._job = None
        document = self._session.current
        if document is None or (document.path, document.text) != (question.path, question.text):
            return
        if document.analysis is None and summaries is not None:
            document.summaries = summaries
            self._session.summarized.emit(document)
