"""The thread that analyzes open texts: one at a time, after a pause in typing, the most urgent one first."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterable
from contextlib import suppress
from threading import Condition, Thread
from typing import Generic, Protocol, TypeVar

from heatstudio.service.workspace.job import Job, StoppedError
from heatstudio.service.workspace.workspace import Key, TextState, Workspace
from heatstudio.text import cancellation_scope

JobOf = TypeVar("JobOf", bound=Job)
_Key_contra = TypeVar("_Key_contra", bound=Hashable, contravariant=True)
PAUSE = 0.04
"""Seconds without a change after which a text is analyzed."""


class Client(Protocol[_Key_contra, JobOf]):
    """What the user of a scheduler provides; all methods are called in the scheduler's thread."""

    def load_engine(self) -> None:
        """Set the engine of the workspace before the first analysis; slow."""

    def begin(self, key: _Key_contra, /) -> JobOf | None:
        """Return the job of an analysis, whose `check` is called at every checkpoint; None to skip the text."""

    def report(self, job: JobOf, state: TextState, *, is_planned: bool) -> None:
        """Take the state of a text with its analysis, then with its plan if the text has a baseline."""

    def end(self, job: JobOf) -> None:
        """Take the end of an analysis, also of one that was stopped."""


class Scheduler(Generic[Key, JobOf]):
    """The scheduler of a workspace's analyses; requests may come from any thread."""

    def __init__(self, workspace: Workspace[Key], client: Client[Key, JobOf]) -> None:
        self.urgent: Key | None = None
        """The text that the user looks at, which comes first."""
        self._workspace, self._client = workspace, client
        self._waiting: dict[Key, float] = {}
        self._current: Key | None = None
        self._job: JobOf | None = None
        self._changed = Condition()
        self._is_stopped = False
        self._thread = self._new_thread(self._run)

    @property
    def is_busy(self) -> bool:
        """Whether the analysis of a text is pending."""
        with self._changed:
            return self._current is not None or bool(self._waiting)

    def is_pending(self, key: Key) -> bool:
        """Return whether the analysis of a text is pending."""
        with self._changed:
            return key in self._waiting or key == self._current

    def start(self) -> None:
        """Load the engine, then analyze the requested texts."""
        self._thread.start()

    def stop(self) -> None:
        """Stop the current analysis, and wait for the end of the thread."""
        with self._changed:
            self._is_stopped = True
            if self._job is not None:
                self._job.is_stopped = True
            self._changed.notify()
        if self._thread.is_alive():
            self._thread.join()

    def request(self, keys: Iterable[Key], *, pause: float = PAUSE) -> None:
        """Analyze texts after a pause, which each request for a text restarts."""
        with self._changed:
            due = time.monotonic() + pause
            for key in keys:
                self._waiting.pop(key, None)
                self._waiting[key] = due
            self._changed.notify()

    def forget(self, key: Key) -> None:
        """Drop the request for a text."""
        with self._changed:
            self._waiting.pop(key, None)

    @staticmethod
    def _new_thread(target: Callable[[], None]) -> Thread:
        return Thread(target=target, name="analysis", daemon=True)

    def _run(self) -> None:
        self._client.load_engine()
        self._analyze_all()

    def _analyze_all(self) -> None:
        """Analyze until `stop`; an exception, which is our own bug, costs one analysis: another thread goes on."""
        try:
            while (key := self._next()) is not None:
                self._check(key)
        finally:
            if not self._is_stopped:
                self._thread = self._new_thread(self._analyze_all)
                self._thread.start()

    def _check(self, key: Key) -> None:
        job = self._job = self._client.begin(key)
        try:
            if job is not None:
                with cancellation_scope(job.check), suppress(StoppedError):
                    self._analyze(key, job)
        finally:
            self._current = self._job = None
            if job is not None:  # last, as the client may look at once whether anything is pending
                self._client.end(job)

    def _analyze(self, key: Key, job: JobOf) -> None:
        self._client.report(job, self._workspace.analyze(key), is_planned=False)
        text = self._workspace.texts.get(key)
        if text is not None and text.baseline is not None:
            self._client.report(job, self._workspace.plan(key, text.baseline), is_planned=True)
        if text is not None and not self._workspace.is_current(key):
            self.request([key])

    def _next(self) -> Key | None:
        """Wait for a text whose pause is over; None after `stop`."""
        with self._changed:
            while not self._is_stopped:
                now = time.monotonic()
                due = [key for key, when in self._waiting.items() if when <= now]
                if due:
                    key = self.urgent if self.urgent is not None and self.urgent in due else due[-1]
                    del self._waiting[key]
                    self._current = key
                    return key
                self._changed.wait(min(self._waiting.values()) - now if self._waiting else None)
        return None
