"""The scheduling of analyses: one document at a time in a thread, the most urgent first."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, QThreadPool, QTimer, Signal

from heatstudio.service.garbage_collector import tune_garbage_collector
from heatstudio.service.inputs.snapshot import Snapshot
from heatstudio.service.workspace.job import Job
from heatstudio.text import cancellation_scope
from heatstudio.ui.documents.document import Document
from heatstudio.ui.tasks.jobs import Finish, Jobs, nothing

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.analysis import Analysis
    from heatstudio.catalog import KnownCloud
    from heatstudio.service.engine import Engine
    from heatstudio.service.inputs.freshness import FileMark
    from heatstudio.update.update_plan import UpdatePlan

PAUSE = 40
"""Milliseconds without a key press after which the text is analyzed."""
SWITCH_INTERVAL = 0.0001
"""The interpreter's switch interval in seconds: 5 ms, the default, would delay every key press."""


class AnalysisRequest(NamedTuple):
    """A snapshot of a document, and one of its baseline."""

    document: Document
    version: int
    new: Snapshot
    old: Snapshot
    previous: Analysis | None
    job: Job


class AnalysisResult(NamedTuple):
    """The results for a snapshot; `plan` is None until it is computed."""

    question: AnalysisRequest
    analysis: Analysis
    complaints: tuple[str, ...] = ()
    files: Mapping[Path, FileMark] = MappingProxyType({})
    """The stamps of the files that the answer depends on."""
    plan: UpdatePlan | None = None
    old_complaints: tuple[str, ...] = ()


Work = Callable[["Engine", Job], Finish]
"""A query, which runs in its own thread, so that it never waits for an analysis."""
Ask = Callable[[Document, Job], AnalysisRequest]
"""A function that creates the question about a document when its turn comes."""


class AnalysisScheduler(QObject):
    """A scheduler of analyses, which holds the engine once it is loaded."""

    answered = Signal(object)
    """The analysis of a document; see `AnalysisResult`."""
    knows_more = Signal()
    """Emitted when the engine is loaded or has new knowledge."""
    stopped = Signal(object)
    """The document whose analysis the user canceled."""
    waiting_changed = Signal()
    """Emitted when a document starts or stops waiting for its analysis."""
    _loaded = Signal(object)

    def __init__(
        self, load_engine: Callable[[], Engine], jobs: Jobs, ask: Ask, urgent: Callable[[], Document | None]
    ) -> None:
        super().__init__()
        self.engine: Engine | None = None
        self._load_engine, self._jobs, self._ask, self._urgent = load_engine, jobs, ask, urgent
        self.cloud: KnownCloud | None = None
        """The known facts about a cloud, if any."""
        self._waiting: set[Document] = set()
        self._checking: Job | None = None
        self._checked: Document | None = None
        self.is_paused = False
        """Whether analyses are suspended."""
        self._early: list[tuple[Job, Work]] = []
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._pause.timeout.connect(self._start_next)
        self._thread = QThreadPool(self)  # its own pool, as jobs may wait for a cloud
        self._thread.setMaxThreadCount(1)
        self._loaded.connect(self._take_engine)

    @property
    def is_busy(self) -> bool:
        """Whether the analysis of a document is pending."""
        return self._checking is not None or bool(self._waiting)

    def start(self) -> None:
        """Load the engine in the thread; called after the first paint."""
        self._thread.start(self._load)

    def stop(self) -> None:
        """Wait for the thread; jobs must be stopped before."""
        self._pause.stop()
        self._thread.clear()
        self._thread.waitForDone()

    def request(self, documents: Iterable[Document]) -> None:
        """Analyze documents as soon as the user pauses typing."""
        if self.is_paused:
            return
        self._waiting.update(documents)
        self._pause.start()
        self.waiting_changed.emit()

    def is_outdated(self, document: Document) -> bool:
        """Return whether the analysis of a document is outdated."""
        return document in self._waiting or document is self._checked

    def forget(self, document: Document) -> None:
        """Cancel the waiting analysis of a document."""
        self._waiting.discard(document)
        self.waiting_changed.emit()

    def run(self, name: str, work: Work, on_stop: Finish | None = None) -> Job:
        """Run work in another thread as soon as the engine is loaded; see `jobs`."""
        job = self._jobs.begin(name, on_stop)
        if self.engine is None:
            self._early.append((job, work))
        else:
            self._jobs.work_on(job, partial(work, self.engine))
        return job

    def take_cloud(self, cloud: KnownCloud | None) -> None:
        """Use another cloud's data from now on; None for no cloud."""
        self.cloud = cloud
        if self.engine is not None:
            self.engine = self.engine.with_cloud(cloud)
            self.knows_more.emit()

    def _take_engine(self, engine: Engine) -> None:
        self.engine = engine.with_cloud(self.cloud) if self.cloud is not None else engine
        self.knows_more.emit()
        early, self._early = self._early, []
        for job, work in early:
            self._jobs.work_on(job, partial(work, self.engine))
        self._start_next()

    def _load(self) -> None:
        """Load the engine (in the thread)."""
        sys.setswitchinterval(SWITCH_INTERVAL)
        with cancellation_scope(self._jobs.pace.give_way):
            engine = self._load_engine()
        tune_garbage_collector()
        self._loaded.emit(engine)

    def _start_next(self) -> None:
        """Start the next waiting analysis, if none is running."""
        if self._checking is not None or not self._waiting or self.engine is None:
            return
        urgent = self._urgent()
        document = urgent if urgent is not None and urgent in self._waiting else next(iter(self._waiting))
        self._waiting.discard(document)
        self._checked = document
        self._checking = self._jobs.begin(f"Checking {document.title}", lambda: self.stopped.emit(document))
        question = self._ask(document, self._checking)
        self._jobs.work_on(self._checking, partial(self._answer, self.engine, question), self._finish, self._thread)

    def _answer(self, engine: Engine, question: AnalysisRequest, _job: Job) -> Finish:
        """Emit the analysis, then the analysis with the plan (in the thread)."""
        analysis = engine.analyze(question.new, question.previous)
        complaints = engine.complaints(question.new)
        files = engine.files_read(question.new)
        self.answered.emit(AnalysisResult(question, analysis, complaints, files))
        plan, old = engine.plan_update(question.old, analysis), engine.complaints(question.old)
        files = {**engine.files_read(question.old), **engine.files_read(question.new), **files}
        self.answered.emit(AnalysisResult(question, analysis, complaints, files, plan, old))
        return nothing

    def _finish(self) -> None:
        self._checking = self._checked = None
        self.waiting_changed.emit()
        if not self._pause.isActive():
            self._start_next()
