"""Jobs: long tasks with a name, progress and cancellation; those that take long are shown in the status bar.

Everything that may take longer than a moment is a job, wherever it runs:

- in a thread: `session.run("Fixing 12 files", work)`, or `jobs.start` if no engine is needed. `work` regularly calls
  `job.advance(done, total)`; there, and at every checkpoint of the engine, it ends when the user cancels the job. It
  returns a function that uses its result in the GUI thread; this function is not called for a canceled job.
- in another process, or by Qt: `job = jobs.begin("Reading Heat's descriptions", on_stop=process.kill)`, later
  `jobs.end(job)`.

The duration need not be known: a job that ends within `PATIENCE` is never shown.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from threading import Event

from PySide6.QtCore import QAbstractEventDispatcher, QObject, QThreadPool, QTimer, Signal

from heatstudio.text import cancellation_scope

_LONGEST = 0.03
"""Seconds that a thread waits at once: the window may be busy for a long time, or never say that it is done."""
_AT_LEAST = 0.004
"""Seconds that a thread may work between two waits."""
PATIENCE = 0.3
"""Seconds after which a job is shown."""
_TICK = 100
"""Milliseconds between checks of the running jobs."""
_MOST_THREADS = 4
Finish = Callable[[], object]
"""A function that uses a result, called in the GUI thread."""


class InterpreterYield(QObject):
    """Gives the GUI thread priority: while the window has work, the analysis threads wait.

    Both share Python's one interpreter lock. Every call of Qt lets go of it, and a thread that thinks keeps it for a
    while: a key that takes a third of a millisecond alone takes thirty beside an analysis. This object lives in the
    thread that shows, and knows whether its event loop works or waits.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rests = Event()
        self._rests.set()
        self._thinks_until = 0.0
        dispatcher = QAbstractEventDispatcher.instance()
        if dispatcher is not None:
            dispatcher.awake.connect(self._work)
            dispatcher.aboutToBlock.connect(self._rest)

    def give_way(self) -> None:
        """Wait a little while the window is busy; called by the analysis threads."""
        if self._rests.is_set() or time.monotonic() < self._thinks_until:
            return
        self._rests.wait(_LONGEST)  # not in naps: with every one that ends, the window would lose the lock
        self._thinks_until = time.monotonic() + _AT_LEAST

    def _work(self) -> None:
        self._rests.clear()

    def _rest(self) -> None:
        self._rests.set()


class StoppedError(Exception):
    """The user canceled the job; raised by `Job.advance`, and caught only by the job's own work."""


class Job:
    """One long task; every method may be called by any thread."""

    def __init__(self, name: str, on_stop: Callable[[], object] | None = None) -> None:
        self.name = name
        """What is done, as the user reads it: `Fixing 12 files`."""
        self.begun = time.monotonic()
        self.steps: tuple[int, int] = (0, 0)
        """The number of completed steps and of all steps; the latter is 0 if it is unknown."""
        self.is_stopped = False
        self._on_stop = on_stop

    def advance(self, done: int, total: int) -> None:
        """Tell how far the work is; raise StoppedError if the user does not want it any more."""
        self.steps = done, total
        self.check()

    def check(self) -> None:
        """Raise StoppedError if the user does not want the work any more."""
        if self.is_stopped:
            raise StoppedError

    def stop(self) -> None:
        """End it as soon as it can be ended; its result is dropped."""
        if not self.is_stopped:
            self.is_stopped = True
            if self._on_stop is not None:
                self._on_stop()


class Jobs(QObject):
    """All running jobs; lives in the GUI thread."""

    changed = Signal()
    """What is shown changed, or how far it is."""
    _worked = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.pace = InterpreterYield(self)
        self._running: list[Job] = []
        self._shown: tuple[Job, ...] = ()
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(_MOST_THREADS)
        self._tick = QTimer(self, interval=_TICK)
        self._tick.timeout.connect(self._look)
        self._worked.connect(self._finish)

    @property
    def shown(self) -> tuple[Job, ...]:
        """What runs for so long that the user should know, the oldest first."""
        return self._shown

    def begin(self, name: str, on_stop: Callable[[], object] | None = None) -> Job:
        """Register work that runs elsewhere; it must be ended with `end`."""
        job = Job(name, on_stop)
        self._running.append(job)
        self._tick.start()
        return job

    def end(self, job: Job) -> None:
        """The work is over; nothing happens where that is known."""
        if job in self._running:
            self._running.remove(job)
            self._look()

    def start(self, name: str, work: Callable[[Job], Finish], on_stop: Callable[[], object] | None = None) -> Job:
        """Has work done by a thread of its own."""
        job = self.begin(name, on_stop)
        self.work_on(job, work)
        return job

    def work_on(
        self, job: Job, work: Callable[[Job], Finish], on_end: Finish | None = None, pool: QThreadPool | None = None
    ) -> None:
        """Has the work of a job done that was begun before; `on_end` is called however it ends, stopped or not."""
        (pool or self._pool).start(_Working(job, work, on_end or nothing, self._worked.emit, self.pace).run)

    def stop(self) -> None:
        """Stop everything and waits for the threads."""
        self._tick.stop()
        for job in tuple(self._running):
            job.stop()
        self._pool.clear()
        self._pool.waitForDone()

    def stop_shown(self) -> None:
        """Stop what the user sees."""
        for job in self._shown:
            job.stop()
        self._look()

    def _finish(self, working: _Working) -> None:
        """Called in the GUI thread, because this is a method of an object that lives there."""
        finish = working.let_go()
        self.end(working.job)
        if not working.job.is_stopped:
            finish()
        working.on_end()

    def _look(self) -> None:
        self._running = [job for job in self._running if not job.is_stopped]
        now = time.monotonic()
        before, self._shown = self._shown, tuple(job for job in self._running if now - job.begun >= PATIENCE)
        if before or self._shown:
            self.changed.emit()
        if not self._running:
            self._tick.stop()


class _Working:
    """The work of a job, in a thread; however it ends, the job ends.

    No QRunnable: PySide deletes its wrapper in the thread that ran it, where that crashed.
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
        self._finish: Finish = nothing

    def run(self) -> None:
        """Do the work."""
        try:
            with suppress(StoppedError), cancellation_scope(self._breathe):
                self.job.check()
                self._finish = self._work(self.job)
        finally:
            self._worked(self)

    def let_go(self) -> Finish:
        """Return the function to call now, and release the work.

        That may be the last to hold a Qt object, which only the thread that shows may delete.
        """
        finish, self._finish, self._work = self._finish, nothing, _donothing
        return finish

    def _breathe(self) -> None:
        self._pace.give_way()
        self.job.check()


def _donothing(_job: Job) -> Finish:
    return nothing


def nothing() -> None:
    """What follows where nothing has to."""
