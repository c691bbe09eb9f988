"""Jobs: long tasks with a name, progress and cancellation; those that take long are shown in the status bar.

Everything that may take longer than a moment is a job, wherever it runs:

- in a thread: `session.run("Fixing 12 files", work, take)`, or `jobs.start` if no engine is needed. `work` regularly
  calls `job.advance(done, total)`; there, and at every checkpoint of the engine, it ends when the user cancels the job.
  `take` uses its result in the GUI thread; it is not called for a canceled job.
- in another process, or by Qt: `job = jobs.begin("Reading Heat's descriptions", on_stop=process.kill)`, later
  `jobs.end(job)`.

The duration need not be known: a job that ends within `PATIENCE` is never shown.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Event
from typing import TypeVar

from PySide6.QtCore import QAbstractEventDispatcher, QObject, QThreadPool, QTimer, Signal

from heatstudio.service.workspace.job import Job, StoppedError
from heatstudio.text import cancellation_scope

_MAX_WAIT = 0.03
"""Maximum wait of a thread in seconds, as the window may be busy for long or never report that it is idle."""
_MIN_RUN = 0.004
"""Seconds that a thread runs between two waits."""
PATIENCE = 0.3
"""Seconds after which a job is shown."""
_TICK = 100
"""Milliseconds between two updates of the shown jobs."""
_MOST_THREADS = 4
Finish = Callable[[], object]
"""A function that is called in the main thread."""
Result = TypeVar("Result")


class InterpreterYield(QObject):
    """The priority of the GUI thread: while the window has work, the analysis threads wait.

    All threads share the interpreter lock. Every call of Qt releases it, and a worker thread then keeps it for a
    while: a key press that takes a third of a millisecond alone takes thirty beside an analysis. This object lives
    in the main thread and knows whether its event loop is busy.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._is_idle = Event()
        self._is_idle.set()
        self._runs_until = 0.0
        dispatcher = QAbstractEventDispatcher.instance()
        if dispatcher is not None:
            dispatcher.awake.connect(self._work)
            dispatcher.aboutToBlock.connect(self._rest)

    def give_way(self) -> None:
        """Wait briefly while the main thread is busy; called by worker threads."""
        if self._is_idle.is_set() or time.monotonic() < self._runs_until:
            return
        self._is_idle.wait(_MAX_WAIT)  # in one wait: each of several short ones would take the lock from the window
        self._runs_until = time.monotonic() + _MIN_RUN

    def stop(self) -> None:
        """Stop following the event loop, whose signals would otherwise reach an object that is being collected."""
        dispatcher = QAbstractEventDispatcher.instance()
        if dispatcher is not None:
            dispatcher.disconnect(self)
        self._is_idle.set()

    def _work(self) -> None:
        self._is_idle.clear()

    def _rest(self) -> None:
        self._is_idle.set()


class Jobs(QObject):
    """All running jobs; the object belongs to the main thread."""

    changed = Signal()
    """Emitted when the shown jobs or their progress change."""
    _worked = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.pace = InterpreterYield(self)
        self._running: list[Job] = []
        self._shown: tuple[Job, ...] = ()
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(_MOST_THREADS)
        self._tick = QTimer(self, interval=_TICK)
        self._tick.timeout.connect(self._update_shown)
        self._worked.connect(self._finish)

    @property
    def shown(self) -> tuple[Job, ...]:
        """The jobs that have run longer than `PATIENCE`, the oldest first."""
        return self._shown

    def begin(self, name: str, on_stop: Callable[[], object] | None = None) -> Job:
        """Register work that is done elsewhere and ended with `end`."""
        job = Job(name, on_stop)
        self.add(job)
        return job

    def add(self, job: Job) -> None:
        """Register a job that is done elsewhere and ended with `end`."""
        self._running.append(job)
        self._tick.start()

    def end(self, job: Job) -> None:
        """Unregister a job if it is still running."""
        if job in self._running:
            self._running.remove(job)
            self._update_shown()

    def start(
        self, name: str, work: Callable[[Job], Result], take: Callable[[Result], object], on_stop: Finish | None = None
    ) -> Job:
        """Run work in a thread of its own."""
        job = self.begin(name, on_stop)
        self.work_on(job, work, take)
        return job

    def work_on(
        self, job: Job, work: Callable[[Job], Result], take: Callable[[Result], object], on_end: Finish | None = None
    ) -> None:
        """Run the work of a registered job in a thread; `on_end` is called also after a stop."""

        def finish(job: Job) -> Finish:
            return partial(take, work(job))

        self._pool.start(_Working(job, finish, on_end or no_op, self._worked.emit, self.pace).run)

    def stop(self) -> None:
        """Stop all jobs and wait for the threads."""
        self._tick.stop()
        for job in tuple(self._running):
            job.stop()
        self._pool.clear()
        self._pool.waitForDone()
        self.pace.stop()

    def stop_shown(self) -> None:
        """Stop the shown jobs."""
        for job in self._shown:
            job.stop()
        self._update_shown()

    def _finish(self, working: _Working) -> None:
        """Finish a job in the main thread, as this is a slot of an object in that thread."""
        finish = working.release()
        self.end(working.job)
        if not working.job.is_stopped:
            finish()
        working.on_end()

    def _update_shown(self) -> None:
        self._running = [job for job in self._running if not job.is_stopped]
        now = time.monotonic()
        before, self._shown = self._shown, tuple(job for job in self._running if now - job.begun >= PATIENCE)
        if before or self._shown:
            self.changed.emit()
        if not self._running:
            self._tick.stop()


class _Working:
    """The work of a job in a thread; the job ends however the work ends.

    It is not a QRunnable: PySide deletes that wrapper in the worker thread, which crashed.
    """

    def __init__(
        self,
        job: Job,
        work: Callable[[Job], Finish],
        on_end: Finish,
        worked: Callable[[_Working], object],
        pace: InterpreterYield,
    ) -> None:
        self.job = job
        self.on_end = on_end
        self._work, self._worked, self._pace = work, worked, pace
        self._finish: Finish = no_op

    def run(self) -> None:
        """Run the work and report its end."""
        try:
            with suppress(StoppedError), cancellation_scope(self._checkpoint):
                self.job.check()
                self._finish = self._work(self.job)
        finally:
            self._worked(self)

    def release(self) -> Finish:
        """Return the function to call now, and drop the references of the work.

        They may be the last ones to a Qt object, which only the main thread may delete.
        """
        finish, self._finish, self._work = self._finish, no_op, lambda _job: no_op
        return finish

    def _checkpoint(self) -> None:
        self._pace.give_way()
        self.job.check()


def no_op(*_: object) -> None:
    """Do nothing; the finish function of work without a result."""
