"""The client of the worker: a process of low priority that analyzes files in parallel to the window.

The process starts before the window and analyzes the first file while the window is built; then it checks closed files.
In a thread, this work would hold Python's global interpreter lock and make a key press take three times as long. The
process is optional: the window's own analysis returns the same diagnostics a little later.
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
    CheckResult,
    ClosedFileResult,
    FileQuestion,
    FolderContext,
    ReportQuestion,
    Request,
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
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def worker_command() -> list[str]:
    """Return the command that runs the worker; empty if there is no Python interpreter, as in a frozen application.

    The command passes on the isolation flags of this interpreter, and excludes the current folder, which may contain
    modules of any name, from the module search path.
    """
    if not sys.executable or getattr(sys, "frozen", False):
        return []
    flags = (("-I", sys.flags.isolated), ("-E", sys.flags.ignore_environment), ("-s", sys.flags.no_user_site))
    return [sys.executable, *(flag for flag, is_on in flags if is_on), "-P", "-m", _WORKER]


class WorkerProcess:
    """The client of one worker process; its methods block, and any thread can `kill` the process at any time.

    `start` or the first `ask` starts the process; after `close`, the next `ask` starts another process.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._cloud: KnownCloud | None = None
        self._around: FolderContext | None = None
        self._has_answered = False
        self._here: Worker | None = None
        self.is_killed = False

    @property
    def is_running(self) -> bool:
        """Whether the process has been started and not been closed."""
        return self._process is not None

    def start(self) -> None:
        """Start the process in advance; do nothing if the system cannot start a process."""
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
        """Use the data about a cloud for all following requests; a running process ends if the cloud changes."""
        if self._cloud != cloud:
            self._cloud = cloud
            self.close()
            self._here = None

    def summarize(self, question: TextQuestion) -> tuple[DiagnosticSummary, ...] | None:
        """Return the diagnostics of a text; None if no process runs or the process ends. This method blocks."""
        with self._lock:
            process = self._process
            if process is None:
                return None
            try:
                answer = self._exchange(process, Request.TEXT, question)
                return unpack(answer, tuple[DiagnosticSummary, ...])
            except (OSError, ValueError):
                self.close()
                return None

    def ask(self, around: FolderContext, question: FileQuestion) -> ClosedFileResult:
        """Return the diagnostics of a file; the outcome is UNREAD if the process crashes or is killed. Blocks."""
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
                return ClosedFileResult(CheckResult.UNREAD, sentence=sentence)
            return self._worker_here().check(around, question)

    def report(self, question: ReportQuestion) -> FileReport | None:
        """Return the report of a file; None if no process runs or the process ends. This method blocks."""
        from heatstudio.service.file_report import FileReport

        try:
            return (
                unpack(self._exchange(self._process, Request.REPORT, question), FileReport) if self._process else None
            )
        except (OSError, ValueError):
            self.close()
            return None

    def kill(self) -> None:
        """End the process and never start another one; a thread that waits for a response stops waiting."""
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
        """End the process, if any; the next `ask` starts another one."""
        process, self._process, self._around = self._process, None, None
        if process is not None:
            with suppress(OSError), process:
                process.kill()

    def _answer(
        self, process: subprocess.Popen[bytes], around: FolderContext, question: FileQuestion
    ) -> ClosedFileResult | None:
        """Return the response of the process; None if the process has ended."""
        try:
            if self._around is None and self._cloud is not None:
                self._tell(process, Request.CLOUD, self._cloud)
            if around is not self._around:
                self._tell(process, Request.SURROUNDINGS, around)
                self._around = around
            return unpack(self._exchange(process, Request.FILE, question), ClosedFileResult)
        except (OSError, ValueError):
            return None

    def _tell(self, process: subprocess.Popen[bytes], kind: Request, value: object) -> None:
        if process.stdin is not None:
            send(process.stdin, kind.encode() + pack(value))

    def _exchange(self, process: subprocess.Popen[bytes], kind: Request, value: object) -> bytes:
        self._tell(process, kind, value)
        return receive(process.stdout) if process.stdout is not None else b""

    def _worker_here(self) -> Worker:
        if self._here is None:
            from heatstudio.service.worker import Worker

            self._here = Worker()
            self._here.learn(self._cloud)
        return self._here
