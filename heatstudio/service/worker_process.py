"""The client of the worker: one process of low priority that analyzes files in parallel to the window.

It starts before the window and analyzes the first file while the window is made; then it checks files that are in no
tab. Both would share Python's interpreter lock with the window: a key would take three times as long. Nothing depends
on it: the window's own analysis says the same a little later.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from threading import Lock
from typing import TYPE_CHECKING

from heatstudio.service.diagnostic_summary import DiagnosticSummary
from heatstudio.service.wire import (
    ClosedFileResult,
    FileQuestion,
    Kind,
    Outcome,
    ReportQuestion,
    Surroundings,
    TextQuestion,
    pack,
    receive,
    send,
    unpack,
)

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.catalog import KnownCloud
    from heatstudio.service.file_report import FileReport
    from heatstudio.service.worker import Worker

_WORKER = "heatstudio.service.worker"
_WINDOWS_FLAGS = ("BELOW_NORMAL_PRIORITY_CLASS", "CREATE_NO_WINDOW")


def cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def worker_command() -> list[str]:
    """Return what runs the worker; empty where there is no Python, but perhaps a frozen Heat Studio.

    What this interpreter's flags leave out, the worker leaves out as well; and so it does the current folder, which
    may hold modules of any name.
    """
    if not sys.executable or getattr(sys, "frozen", False):
        return []
    flags = (("-I", sys.flags.isolated), ("-E", sys.flags.ignore_environment), ("-s", sys.flags.no_user_site))
    return [sys.executable, *(flag for flag, is_on in flags if is_on), "-P", "-m", _WORKER]


class WorkerProcess:
    """The worker as seen by the window: called by threads, and stopped at any time by any thread.

    The process starts when it is asked first, or with `start`; after `close` the next question starts another one.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._cloud: KnownCloud | None = None
        self._around: Surroundings | None = None
        self._has_answered = False
        self._here: Worker | None = None
        self.is_killed = False

    @property
    def is_running(self) -> bool:
        """Whether there is a process."""
        return self._process is not None

    def start(self) -> None:
        """Start the process in advance; does nothing if a process is not possible."""
        command = worker_command()
        if not command or self.is_killed:
            return
        with suppress(OSError):
            flags = sum(getattr(subprocess, name, 0) for name in _WINDOWS_FLAGS)
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, creationflags=flags
            )
        if self.is_killed:
            self.close()

    def learn(self, cloud: KnownCloud | None) -> None:
        """Answer with what a cloud has, from now on."""
        if self._cloud != cloud:
            self._cloud = cloud
            self.close()
            self._here = None

    def summarize(self, question: TextQuestion) -> tuple[DiagnosticSummary, ...] | None:
        """Return the diagnostics of a text; None if no process runs, or it ends. Blocks."""
        with self._lock:
            process = self._process
            if process is None:
                return None
            try:
                answer = self._exchange(process, Kind.TEXT, question)
                return unpack(answer, tuple[DiagnosticSummary, ...])
            except (OSError, ValueError):
                self.close()
                return None

    def ask(self, around: Surroundings, question: FileQuestion) -> ClosedFileResult:
        """Return the diagnostics of a file. Blocks; once the process is killed, there is no answer."""
        with self._lock:
            if self._here is None and self._process is None:
                self.start()
            if self._process is not None:
                answer = self._answer(self._process, around, question)
                if answer is not None:
                    self._has_answered = True
                    return answer
                self.close()
            if self._has_answered or self.is_killed:
                sentence = f"{question.path} cannot be checked: the worker process crashed."
                return ClosedFileResult(Outcome.UNREAD, sentence=sentence)
            return self._worker_here().check(around, question)

    def report(self, question: ReportQuestion) -> FileReport | None:
        """Return the report of a file; None if no process runs, or it ends. Blocks."""
        from heatstudio.service.file_report import FileReport

        try:
            return unpack(self._exchange(self._process, Kind.REPORT, question), FileReport) if self._process else None
        except (OSError, ValueError):
            self.close()
            return None

    def kill(self) -> None:
        """End the process at once and for ever; a thread that waits for an answer goes on."""
        self.is_killed = True
        process = self._process
        if process is not None:
            process.kill()
        if self._lock.acquire(blocking=False):
            try:
                self.close()
            finally:
                self._lock.release()

    def close(self) -> None:
        """End the process, if there is one; another one starts when it is needed."""
        process, self._process, self._around = self._process, None, None
        if process is not None:
            with suppress(OSError), process:
                process.kill()

    def _answer(
        self, process: subprocess.Popen[bytes], around: Surroundings, question: FileQuestion
    ) -> ClosedFileResult | None:
        """The answer of the process; None if it ended."""
        try:
            if self._around is None and self._cloud is not None:
                self._tell(process, Kind.CLOUD, self._cloud)
            if around is not self._around:
                self._tell(process, Kind.SURROUNDINGS, around)
                self._around = around
            return unpack(self._exchange(process, Kind.FILE, question), ClosedFileResult)
        except (OSError, ValueError):
            return None

    def _tell(self, process: subprocess.Popen[bytes], kind: Kind, value: object) -> None:
        if process.stdin is not None:
            send(process.stdin, kind.encode() + pack(value))

    def _exchange(self, process: subprocess.Popen[bytes], kind: Kind, value: object) -> bytes:
        self._tell(process, kind, value)
        return receive(process.stdout) if process.stdout is not None else b""

    def _worker_here(self) -> Worker:
        if self._here is None:
            from heatstudio.service.worker import Worker

            self._here = Worker()
            self._here.learn(self._cloud)
        return self._here
