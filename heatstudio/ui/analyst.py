"""The thread that thinks: takes a question, gives an answer that names its version."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from msgspec import Struct
from PySide6.QtCore import QObject, Signal, Slot

from heatstudio.text import listening
from heatstudio.ui.document import Document
from heatstudio.ui.jobs import Job, StoppedError
from heatstudio.ui.pace import Pace
from heatstudio.ui.snapshot import Snapshot

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.analysis import Analysis
    from heatstudio.stack.update.update_plan import UpdatePlan
    from heatstudio.ui.engine import Engine

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
    plan: UpdatePlan | None = None
    old_complaints: tuple[str, ...] = ()


class Analyst(QObject):
    """Lives in a thread of its own and answers one question after the other."""

    engine_loaded = Signal(object)
    answered = Signal(object)
    finished = Signal()

    def __init__(self, load_engine: Callable[[], Engine], pace: Pace) -> None:
        super().__init__()
        self._load_engine = load_engine
        self._pace = pace
        self._engine: Engine | None = None

    @Slot()
    def load(self) -> None:
        """Loads the engine, so that the first question need not wait for it."""
        with listening(self._pace.give_way):
            self._ready_engine()

    @Slot(object)
    def answer(self, question: Question) -> None:
        """Emits the analysis, then the analysis with the plan, and `finished` in every case."""

        def breathe() -> None:
            self._pace.give_way()
            question.job.check()

        try:
            with listening(breathe), suppress(StoppedError):
                self._think(question)
        finally:
            self.finished.emit()

    def _think(self, question: Question) -> None:
        engine = self._ready_engine()
        analysis = engine.analyze(question.new, question.previous)
        complaints = engine.complaints(question.new)
        self.answered.emit(Answer(question, analysis, complaints))
        plan, old = engine.plan_update(question.old, analysis), engine.complaints(question.old)
        self.answered.emit(Answer(question, analysis, complaints, plan, old))

    def _ready_engine(self) -> Engine:
        if self._engine is None:
            sys.setswitchinterval(SWITCH_INTERVAL)
            self._engine = self._load_engine()
            from heatstudio.stack.settle import settle  # with the engine, after the first paint

            settle()
            self.engine_loaded.emit(self._engine)
        return self._engine
