"""A pool of processes that check files: in a thread, that work would hold the interpreter lock and slow the window."""

import gc
import multiprocessing
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from threading import Thread
from typing import ClassVar, TypeVar

from heatstudio.catalog.cloud.known_cloud import KnownCloud
from heatstudio.service.garbage_collector import tune_garbage_collector
from heatstudio.service.pool.file_check import FileChecker
from heatstudio.text import checkpoint

NICENESS = 10
"""The nice value of background processes, which lowers their priority."""
_POLL = 0.05
"""Seconds between two checkpoints while a file is checked."""
_Question = TypeVar("_Question")
_Answer = TypeVar("_Answer")


def cores() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


class CheckerPool:
    """Processes that check files; each loads the knowledge of Heat once. They start with the first question.

    Background processes have a low priority and leave a processor to the window.
    """

    def __init__(self, cloud: KnownCloud | None = None, *, in_background: bool = False) -> None:
        self.cloud = cloud
        self._in_background = in_background
        self._size = max(cores() - in_background, 1)
        self._executor: ProcessPoolExecutor | None = None

    def answers(
        self, ask: Callable[[FileChecker, _Question], _Answer], questions: Iterable[_Question]
    ) -> Iterator[tuple[_Question, _Answer | None]]:
        """Yield each question with its answer, in order; the answer is None if its process crashed.

        `ask` must be a function that other processes can import. Blocks, with checkpoints.
        """
        waiting = deque(questions)
        running: deque[tuple[_Question, Future[_Answer]]] = deque()
        while waiting or running:
            while waiting and len(running) < 2 * self._size:
                question = waiting.popleft()
                running.append((question, self._submit(ask, question)))
            question, future = running.popleft()
            try:
                yield question, _result(future)
            except BrokenProcessPool:  # any of the running ones broke it
                self.close()
                alone, running = (question, *(one for one, _ in running)), deque()
                for one in alone:
                    yield one, self._answer_alone(ask, one)

    def close(self) -> None:
        """End the processes after their current files; the next question starts others."""
        executor, self._executor = self._executor, None
        if executor is not None:
            executor.shutdown(wait=False, cancel_futures=True)

    def kill(self) -> None:
        """End the processes at once."""
        self.close()
        for process in multiprocessing.active_children():
            process.kill()

    def _answer_alone(self, ask: Callable[[FileChecker, _Question], _Answer], question: _Question) -> _Answer | None:
        try:
            return _result(self._submit(ask, question))
        except BrokenProcessPool:
            self.close()
            return None

    def _submit(self, ask: Callable[[FileChecker, _Question], _Answer], question: _Question) -> Future[_Answer]:
        if self._executor is None:
            # Not a fork, which would inherit the threads and the display connection of the window.
            context = multiprocessing.get_context("spawn")
            start = (self.cloud, self._in_background)
            self._executor = ProcessPoolExecutor(self._size, context, _Process.start, start)
        with _blocked_interrupts():
            return self._executor.submit(_Process.answer, ask, question)


@contextmanager
def _blocked_interrupts() -> Iterator[None]:
    """Block SIGINT in this thread and in the processes that it starts, which would print a traceback during imports."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _result(future: Future[_Answer]) -> _Answer:
    while not future.done():
        checkpoint()
        wait((future,), _POLL)
    return future.result()


class _Process:
    """A process of the pool."""

    checker: ClassVar[FileChecker]

    @classmethod
    def start(cls, cloud: KnownCloud | None, in_background: bool) -> None:
        """Load the knowledge of Heat."""
        Thread(target=_end_with_parent, name="parent", daemon=True).start()
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C ends the parent, which ends this process
        if in_background and hasattr(os, "nice"):
            os.nice(NICENESS)
        gc.disable()
        cls.checker = FileChecker(cloud)
        tune_garbage_collector()

    @classmethod
    def answer(cls, ask: Callable[[FileChecker, _Question], _Answer], question: _Question) -> _Answer:
        """Answer a question."""
        return ask(cls.checker, question)


def _end_with_parent() -> None:
    """End this process when its parent has ended for any reason, even while this process is busy."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
