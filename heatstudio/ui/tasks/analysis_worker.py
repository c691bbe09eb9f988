"""The thread that thinks: takes a question, gives an answer that names its version."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from msgspec import Struct
from PySide6.QtCore import QObject, Signal, Slot

from heatstudio.analysis import Analysis
from heatstudio.service.engine import Engine
from heatstudio.service.garbage_collector import (
    tune_garbage_collector,  # with the engine, after the first paint
)
from heatstudio.service.snapshot import Snapshot
from heatstudio.service.wire import Mark
from heatstudio.text import cancellation_scope
from heatstudio.ui.documents.document import Document
from heatstudio.ui.tasks.jobs import InterpreterYield, Job, StoppedError
from heatstudio.update.update_plan import UpdatePlan

SWITCH_INTERVAL = 0.0001
"""Seconds; the default of 5 ms makes every key wait for the thinking thread, a shorter one only wakes it up in vain."""


class Question(Struct, frozen=True):
    """A document at one moment, and what it is compared with."""

    document: Document
    version: int
    new: Snapshot
    old: Snapshot
    previous: Analysis | None
    job: Job


class Answer(Struct, frozen=True):
    """What the engine says of a snapshot; `plan` is missing until it is made."""

    question: Question
    analysis: Analysis
    complaints: tuple[str, ...] = ()
    files: Mapping[Path, Mark] = {}
    """What the files looked like that the answer rests on."""
    plan: UpdatePlan | None = None
    old_complaints: tuple[str, ...] = ()


class AnalysisWorker(QObject):
    """Lives in a thread of its own and answers one question after the other."""

    engine_loaded = Signal(object)
    answered = Signal(object)
    finished = Signal()

    def __init__(self, load_engine: Callable[[], Engine], pace: InterpreterYield) -> None:
        super().__init__()
        self._load_engine = load_engine
        self._pace = pace
        self._engine: Engine | None = None

    @Slot()
    def load(self) -> None:
        """Loads the engine, so that the first question need not wait for it."""
        with cancellation_scope(self._pace.give_way):
            self._ready_engine()

    @Slot(object)
    def answer(self, question: Question) -> None:
        """Emits the analysis, then the analysis with the plan, and `finished` in every case."""

        def checkpoint() -> None:
            self._pace.give_way()
            question.job.check()

        try:
            with cancellation_scope(checkpoint), suppress(StoppedError):
                self._think(question)
        finally:
            self.finished.emit()

    def _think(self, question: Question) -> None:
        engine = self._ready_engine()
        analysis = engine.analyze(question.new, question.previous)
        complaints = engine.complaints(question.new)
        files = engine.files_read(question.new)
        self.answered.emit(Answer(question, analysis, complaints, files))
        plan, old = engine.plan_update(question.old, analysis), engine.complaints(question.old)
        files = {**engine.files_read(question.old), **engine.files_read(question.new), **files}
        self.answered.emit(Answer(question, analysis, complaints, files, plan, old))

    def _ready_engine(self) -> Engine:
        if self._engine is None:
            sys.setswitchinterval(SWITCH_INTERVAL)
            self._engine = self._load_engine()
            tune_garbage_collector()
            self.engine_loaded.emit(self._engine)
        return self._engine
