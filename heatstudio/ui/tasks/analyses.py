"""The analyses of open documents in a thread, with jobs that the user sees, and results in the main thread."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from heatstudio.service.garbage_collector import tune_garbage_collector
from heatstudio.service.workspace.job import Job
from heatstudio.service.workspace.scheduler import Scheduler
from heatstudio.service.workspace.workspace import TextState, Workspace
from heatstudio.text import cancellation_scope
from heatstudio.ui.documents.document import Document
from heatstudio.ui.tasks.jobs import Finish, InterpreterYield, Jobs, Result, no_op

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.service.engine import Engine

SWITCH_INTERVAL = 0.0001
"""The interpreter's switch interval in seconds: 5 ms, the default, would delay every key press."""


class CheckJob(Job):
    """The analysis of a document, which gives way to the window at every checkpoint."""

    def __init__(self, document: Document, pace: InterpreterYield, on_stop: Callable[[], object]) -> None:
        super().__init__(f"Checking {document.title}", on_stop)
        self.document = document
        self._pace = pace

    def check(self) -> None:
        """Raise StoppedError if the job was stopped."""
        self._pace.give_way()
        super().check()


class Analyses(QObject):
    """The analyses in the scheduler's thread; the signals are emitted there and followed in the main thread."""

    engine_loaded = Signal()
    analyzed = Signal(object, object, bool)
    """A document, its state, and whether the plan is new instead of the analysis."""
    begun, ended = Signal(object), Signal(object)
    stopped = Signal(object)
    """The document whose analysis the user canceled."""

    def __init__(self, workspace: Workspace[Document], jobs: Jobs, load_engine: Callable[[], Engine]) -> None:
        super().__init__(jobs)
        self._workspace, self._jobs, self._load_engine = workspace, jobs, load_engine
        self._early: list[Callable[[Engine], object]] = []
        """The work that waits for the engine."""
        self._checks: set[CheckJob] = set()
        """The analyses whose results are not shown yet."""
        self.scheduler = Scheduler(workspace, self)
        self.begun.connect(jobs.add)
        self.ended.connect(self._forget)

    @property
    def is_busy(self) -> bool:
        """Whether a result is pending."""
        return self.scheduler.is_busy or bool(self._checks)

    def is_pending(self, document: Document) -> bool:
        """Return whether the result for a document is pending."""
        return self.scheduler.is_pending(document) or any(one.document is document for one in self._checks)

    def run(
        self,
        name: str,
        work: Callable[[Engine, Job], Result],
        take: Callable[[Result], object] = no_op,
        on_stop: Finish | None = None,
    ) -> Job:
        """Run work in another thread as soon as the engine is loaded, and pass its result to `take`; see `jobs`."""
        job = self._jobs.begin(name, on_stop)

        def begin(engine: Engine) -> None:
            self._jobs.work_on(job, partial(work, engine), take)

        if self._workspace.engine is None:
            self._early.append(begin)
        else:
            begin(self._workspace.engine)
        return job

    def run_early(self) -> None:
        """Run the work that waits for the engine, which is loaded."""
        early, self._early = self._early, []
        for begin in early:
            begin(self._workspace.loaded_engine)

    def begin(self, document: Document, /) -> CheckJob:
        """Begin the analysis of a document (in the scheduler's thread)."""
        job = CheckJob(document, self._jobs.pace, partial(self.stopped.emit, document))
        self._checks.add(job)
        self.begun.emit(job)
        return job

    def report(self, job: CheckJob, state: TextState, *, is_planned: bool) -> None:
        """Pass on a state (in the scheduler's thread)."""
        self.analyzed.emit(job.document, state, is_planned)

    def end(self, job: CheckJob) -> None:
        """End the analysis of a document (in the scheduler's thread)."""
        self.ended.emit(job)

    def load_engine(self) -> None:
        """Load the engine (in the scheduler's thread), and tune the interpreter for threads and long lives."""
        sys.setswitchinterval(SWITCH_INTERVAL)
        with cancellation_scope(self._jobs.pace.give_way):
            engine = self._load_engine()
        tune_garbage_collector()
        self._workspace.engine = engine
        self.engine_loaded.emit()

    def _forget(self, job: CheckJob) -> None:
        self._checks.discard(job)
        self._jobs.end(job)
