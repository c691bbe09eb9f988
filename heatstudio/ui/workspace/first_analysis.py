"""Show the worker's analysis of the first file until the window's own engine is ready."""

from pathlib import Path

from PySide6.QtCore import Qt

from heatstudio.service.diagnostic_summary import DiagnosticSummary
from heatstudio.service.inputs.snapshot import is_large
from heatstudio.service.wire import TextQuestion
from heatstudio.text import DocumentError, read_text
from heatstudio.ui.tasks.jobs import Finish, Job
from heatstudio.ui.workspace.session import Session


class FirstAnalysis:
    """The analysis of the first visible file, requested before the window exists."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._job: Job | None = None

    @property
    def is_under_way(self) -> bool:
        """Whether the result is pending."""
        return self._job is not None and not self._job.is_stopped

    def ask(self, path: Path) -> bool:
        """Request the analysis, and return true, unless the file is unreadable, large or the environment of another."""
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
        """Drop the request, as the engine's analysis replaces it; close the worker unless a folder needs it."""
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
        """Show the result, unless the text has changed or is analyzed already."""
        self._job = None
        document = self._session.current
        if document is None or (document.path, document.text) != (question.path, question.text):
            return
        if document.analysis is None and summaries is not None:
            document.summaries = summaries
            self._session.summarized.emit(document)
