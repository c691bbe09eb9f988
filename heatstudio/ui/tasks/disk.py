"""The user's files: read, written and checked in order in a thread, so that a slow disk never blocks the window."""

from __future__ import annotations

import errno
import os
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import TypeVar

from PySide6.QtCore import QObject, QTimer, Signal
from shiboken6 import isValid

from heatstudio.service.workspace.job import Job
from heatstudio.text import DocumentError, Stamp, read_text, real_path, stamp_of
from heatstudio.ui.tasks.jobs import Finish, Jobs, no_op

PATIENCE = 0.1
"""The seconds that the window waits for a disk; most disks answer in less, so that most files open at once."""
_INTERVAL = 1000
"""Milliseconds between two checks of the watched files; network drives report no changes."""
_REST = 100
"""Milliseconds that a program may take between emptying or removing a file and writing it again."""
NOTHING_KNOWN: Mapping[Path, object] = {}
_Result = TypeVar("_Result")
Failed = Callable[[DocumentError], object]
"""A function that handles an error in the main thread."""


class Disk(QObject):
    """The thread of the disk; the object belongs to the main thread."""

    _answered = Signal()

    def __init__(self, jobs: Jobs) -> None:
        super().__init__(jobs)
        self._jobs = jobs
        self._tasks: deque[_DiskTask] = deque()
        """The running task, and the tasks that wait for it."""
        self._watches: list[DiskWatch] = []
        self._stamps: Mapping[Path, object] = {}
        self._changed: set[Path] = set()
        self._is_looking = False
        self._soon = QTimer(self, singleShot=True)
        self._soon.timeout.connect(self._look)
        self._answered.connect(self._take)
        self._waited = 0.0
        """The seconds that the window waited in this turn of the event loop."""
        self._turn = QTimer(self, singleShot=True)
        self._turn.timeout.connect(self._end_turn)

    def run(
        self, name: str, work: Callable[[], _Result], done: Callable[[_Result], object], failed: Failed = no_op
    ) -> None:
        """Run work in the thread, then `done` with its result, or `failed` with its DocumentError, in order.

        Wait a moment, so that a quick disk has answered when this method returns; all calls in one turn of the event
        loop wait no longer than one. `name` is shown if it takes long.
        """
        job = self._jobs.begin(name) if name else None
        task = self._add(_DiskTask(work, done, failed, job, self._answered.emit))
        while not task.is_taken and self._tasks:  # other tasks may come first
            if not self._wait_for(self._tasks[0]):
                return
            self._take()

    def watch(self, watch: DiskWatch) -> None:
        """Check the files of a watch from now on, every second."""
        self._watches = [*filter(isValid, self._watches), watch]
        self.look_soon()

    def look_soon(self, known: Mapping[Path, object] = NOTHING_KNOWN) -> None:
        """Check the watched files now; `known` are stamps of files that are watched from now on."""
        self._stamps = {**known, **self._stamps}
        if not self._is_looking:
            self._soon.start(0)

    def stop(self) -> None:
        """Drop the waiting tasks; the running one is left to itself, as its disk may never answer."""
        self._soon.stop()
        self._tasks.clear()

    def _add(self, task: _DiskTask) -> _DiskTask:
        self._tasks.append(task)
        if len(self._tasks) == 1:
            task.start()
        return task

    def _wait_for(self, task: _DiskTask) -> bool:
        """Wait a moment, and return whether the task is over."""
        begun = monotonic()
        is_over = task.is_over.wait(max(min(task.begun - begun, -self._waited) + PATIENCE, 0))
        self._waited += monotonic() - begun
        self._turn.start(0)
        return is_over

    def _end_turn(self) -> None:
        self._waited = 0.0

    def _take(self) -> None:
        """Finish the tasks that are over."""
        while self._tasks and self._tasks[0].is_over.is_set():
            task = self._tasks.popleft()
            task.is_taken = True
            if self._tasks:
                self._tasks[0].start()
            if task.job is not None:
                self._jobs.end(task.job)
            task.finish()

    def _look(self) -> None:
        self._watches = [*filter(isValid, self._watches)]
        paths = frozenset[Path]().union(*(watch.paths for watch in self._watches))
        self._is_looking = True
        self._add(_DiskTask(partial(stamps, paths), self._compare, no_op, None, self._answered.emit))

    def _compare(self, found: dict[Path, Stamp | None]) -> None:
        """Report the changed files as soon as they rest."""
        self._is_looking = False
        changed = {path for path, stamp in found.items() if self._stamps.get(path, NOTHING_KNOWN) != stamp}
        self._stamps = found
        self._changed |= changed
        if changed:
            self._soon.start(_REST)
            return
        self._soon.start(_INTERVAL)
        news, self._changed = self._changed, set()
        for watch in filter(isValid, tuple(self._watches)):
            if not watch.paths.isdisjoint(news):
                watch.changed.emit()


def stamps(paths: Iterable[Path]) -> dict[Path, Stamp | None]:
    """Return the stamps of files (in the thread of the disk)."""
    return {path: stamp_of(path) for path in paths}


def texts_of(paths: Iterable[Path], tabs: Mapping[Path, str]) -> dict[Path, str]:
    """Return the readable texts of files (in the thread of the disk); `tabs` are open texts by paths without links."""
    texts = {}
    for path in paths:
        with suppress(DocumentError):
            real = real_path(path)
            texts[path] = tabs[real] if real in tabs else read_text(real)
    return texts


def make_new(path: Path, make: Callable[[], object]) -> None:
    """Make a file or folder with an unused name (in the thread of the disk); raise DocumentError."""
    try:
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, "a file or folder already has this name")
        make()
    except (OSError, ValueError) as error:
        raise DocumentError("not-made", f"{getattr(error, 'strerror', None) or error}.") from error


class _DiskTask:
    """A task in a thread of its own, which does not keep the program from ending."""

    def __init__(
        self,
        work: Callable[[], _Result],
        done: Callable[[_Result], object],
        failed: Failed,
        job: Job | None,
        answered: Callable[[], object],
    ) -> None:
        self.job = job
        self.begun = 0.0
        self.is_over = Event()
        self.is_taken = False
        self.finish: Finish = no_op
        self._work, self._done, self._failed, self._answered = work, done, failed, answered

    def start(self) -> None:
        """Start the task."""
        self.begun = monotonic()
        Thread(target=self._run, name="disk", daemon=True).start()

    def _run(self) -> None:
        try:
            self.finish = partial(self._done, self._work())
        except DocumentError as error:
            self.finish = partial(self._failed, error)
        finally:
            self.is_over.set()
            with suppress(RuntimeError):  # the window was closed in the meantime
                self._answered()


class DiskWatch(QObject):
    """A watcher of files and folders, including missing ones."""

    changed = Signal()

    def __init__(self, disk: Disk, parent: QObject) -> None:
        super().__init__(parent)
        self._disk = disk
        self.paths: frozenset[Path] = frozenset()
        disk.watch(self)

    def follow(self, paths: Iterable[Path], known: Mapping[Path, object] = NOTHING_KNOWN) -> None:
        """Watch only the given files; `known` are stamps, and files without one count as changed at the first look."""
        before, self.paths = self.paths, frozenset(paths)
        if self.paths - before:
            self._disk.look_soon(known)
