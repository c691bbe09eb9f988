"""The thread that thinks, and what waits for it: documents to be checked, and work that needs the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QThread, QTimer, Signal

from heatstudio.ui.documents.document import Document
from heatstudio.ui.tasks.jobs import Finish, Job, Jobs

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.catalog import KnownCloud
    from heatstudio.catalog.words import Prose
    from heatstudio.service.engine import Engine
    from heatstudio.ui.tasks.analysis_worker import Question

PAUSE = 40
"""Milliseconds without a key after which the text is analyzed."""

Work = Callable[["Engine", Job], Finish]
"""What is asked of the engine by a thread of its own, so that no answer to a question waits for it."""
Ask = Callable[[Document, Job], "Question"]
"""Makes the question about a document when its turn has come."""


class AnalysisScheduler(QObject):
    """Asks about one document after the other, the most urgent one first; knows the engine as soon as it is there."""

    answered = Signal(object)
    """What the engine says of a document; see `Answer`."""
    knows_more = Signal()
    """There is an engine now, or it learned something."""
    stopped = Signal(object)
    """The user did not want to wait for what is said of a document."""
    waiting_changed = Signal()
    """A document waits for its analysis, or waits no longer."""
    _asked = Signal(object)
    _begun = Signal()

    def __init__(
        self, load_engine: Callable[[], Engine], jobs: Jobs, ask: Ask, urgent: Callable[[], Document | None]
    ) -> None:
        super().__init__()
        self.engine: Engine | None = None
        self._load_engine, self._jobs, self._ask, self._urgent = load_engine, jobs, ask, urgent
        self._words: Prose | None = None
        self._cloud: KnownCloud | None = None
        self._waiting: set[Document] = set()
        self._checking: Job | None = None
        self._checked: Document | None = None
        self.is_paused = False
        """Whether no document is checked, for any reason."""
        self._early: list[tuple[Job, Work]] = []
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._pause.timeout.connect(self._go_on)
        self._thread = QThread()
        self._thread.setObjectName("analysis")

    @property
    def is_busy(self) -> bool:
        """Whether something is still to be said of a document."""
        return self._checking is not None or bool(self._waiting)

    @property
    def learned(self) -> tuple[Prose | None, KnownCloud | None]:
        """What it knows beside the bundled data: Heat's own words, and a cloud."""
        return self._words, self._cloud

    def start(self) -> None:
        """Begins, with loading the engine; called after the first paint, so that the window is there first."""
        from heatstudio.ui.tasks.analysis_worker import AnalysisWorker

        self._analysis_worker = AnalysisWorker(self._load_engine, self._jobs.pace)
        self._analysis_worker.moveToThread(self._thread)
        self._begun.connect(self._analysis_worker.load)
        self._asked.connect(self._analysis_worker.answer)
        self._analysis_worker.engine_loaded.connect(self._take_engine)
        self._analysis_worker.answered.connect(self.answered)
        self._analysis_worker.finished.connect(self._finish)
        self._thread.start()
        self._begun.emit()
        self._go_on()

    def stop(self) -> None:
        """Waits for the thread."""
        self._pause.stop()
        self._thread.quit()
        self._thread.wait()

    def request(self, documents: Iterable[Document]) -> None:
        """Has documents checked as soon as nobody types."""
        if self.is_paused:
            return
        self._waiting.update(documents)
        self._pause.start()
        self.waiting_changed.emit()

    def is_outdated(self, document: Document) -> bool:
        """Whether what is known of a document is not what will be said of it."""
        return document in self._waiting or document is self._checked

    def forget(self, document: Document) -> None:
        """Checks a document no more."""
        self._waiting.discard(document)
        self.waiting_changed.emit()

    def run(self, name: str, work: Work, on_stop: Finish | None = None) -> Job:
        """Has something done by another thread as soon as there is an engine; see `jobs`."""
        job = self._jobs.begin(name, on_stop)
        if self.engine is None:
            self._early.append((job, work))
        else:
            self._jobs.work_on(job, partial(work, self.engine))
        return job

    def take_cloud(self, cloud: KnownCloud | None) -> None:
        """Thinks of what a cloud has from now on; None for no cloud."""
        self._cloud = cloud
        if self.engine is not None:
            self.engine.set_cloud(cloud)
            self.knows_more.emit()

    def set_descriptions(self, words: Prose) -> None:
        """Speaks in Heat's own words from now on."""
        self._words = words
        if self.engine is not None:
            self.engine.set_descriptions(words)
            self.knows_more.emit()

    def _take_engine(self, engine: Engine) -> None:
        self.engine = engine
        if self._words is not None:
            engine.set_descriptions(self._words)
        if self._cloud is not None:
            engine.set_cloud(self._cloud)
        self.knows_more.emit()
        early, self._early = self._early, []
        for job, work in early:
            self._jobs.work_on(job, partial(work, engine))

    def _go_on(self) -> None:
        """Asks about one waiting document; the others follow when it is done."""
        if self._checking is not None or not self._waiting or not self._thread.isRunning():
            return
        urgent = self._urgent()
        document = urgent if urgent is not None and urgent in self._waiting else next(iter(self._waiting))
        self._waiting.discard(document)
        self._checked = document
        self._checking = self._jobs.begin(f"Checking {document.title}", lambda: self.stopped.emit(document))
        self._asked.emit(self._ask(document, self._checking))

    def _finish(self) -> None:
        if self._checking is not None:
            self._jobs.end(self._checking)
            self._checking = self._checked = None
            self.waiting_changed.emit()
        if not self._pause.isActive():
            self._go_on()
