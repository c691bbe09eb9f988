"""Detection of failures while the window is used: exceptions, Qt warnings, and a blocked event loop."""

from __future__ import annotations

import faulthandler
import os
import sys
import threading
import time
import traceback
import warnings
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import TextIO

from PySide6.QtCore import QMessageLogContext, QObject, QTimer, QtMsgType, qInstallMessageHandler

LIMIT = 0.25
"""The maximum time in seconds for which the event loop may block, if `_work` takes up to a tenth of that."""
_ENDLESS = 60
"""Seconds after which the event loop counts as blocked forever."""
_BEAT = 0.02
_HARMLESS = ("This plugin does not support", "QFontDatabase: Cannot find font directory")
"""The start of warnings of the offscreen platform that the program does not cause."""


class Watch(QObject):
    """A recorder of the failures in this process, with their stacks."""

    def __init__(self, server: int | None = None) -> None:
        """Begin; for the time in which it waits for a CPU, an X server counts as a part of this process."""
        super().__init__()
        self._processes = ["self", *([] if server is None else [str(server)])]
        self.faults: list[str] = []
        self.longest = 0.0
        """The longest time for which the event loop was blocked, in seconds."""
        self.longest_stack = ""
        """The stack during that time, if it was long."""
        self._main = threading.get_ident()
        self._stack = ""
        self._last, self._computed, self._waited = time.monotonic(), time.thread_time(), self._waited_for_processor()
        self._limit = max(LIMIT, 10 * _work())
        self._is_over = False
        faulthandler.enable()
        sys.excepthook = self._take_exception
        threading.excepthook = lambda error: self._take_exception(error.exc_type, error.exc_value, error.exc_traceback)
        sys.unraisablehook = lambda error: self._take_exception(error.exc_type, error.exc_value, error.exc_traceback)
        warnings.showwarning = self._take_warning
        qInstallMessageHandler(self._take_message)
        self._timer = QTimer(self, interval=int(_BEAT * 1000))
        self._timer.timeout.connect(self.beat)
        self._timer.start()
        threading.Thread(target=self._look_on, name="watch", daemon=True).start()

    def resume(self) -> None:
        """Observe the event loop from now on, after it was blocked by the test."""
        self._last, self._computed, self._stack = time.monotonic(), time.thread_time(), ""
        self._waited = self._waited_for_processor()

    def stop(self) -> None:
        """Stop the observation of the event loop."""
        self._is_over = True
        self._timer.stop()

    def _take_exception(
        self, kind: type[BaseException], error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.faults.append("".join(traceback.format_exception(kind, error, trace)))

    def _take_warning(
        self,
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        if "heatstudio" in Path(filename).parts:
            self.faults.append(f"{category.__name__}: {message} ({filename}:{lineno})")

    def _take_message(self, kind: QtMsgType, _context: QMessageLogContext, message: str) -> None:
        is_fault = kind not in (QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg)
        if is_fault and not message.startswith(_HARMLESS):
            self.faults.append(f"Qt: {message}\n{''.join(traceback.format_stack()[-12:])}")

    def beat(self) -> None:
        """Measure the time since the previous iteration of the event loop; record a fault if it is too long.

        This is the time for which this thread computed, and that for which it waited for anything but a CPU, as far as
        no other thread of these processes waited for a CPU meanwhile.
        """
        if self._is_over:  # a step whose dialog the end of the run has closed
            return
        now, computed, waited = time.monotonic(), time.thread_time(), self._waited_for_processor()
        for_processor = sum(time - self._waited.get(thread, 0.0) for thread, time in waited.items())
        own = computed - self._computed
        still = own + max(0.0, now - self._last - own - _BEAT - for_processor)
        self._last, self._computed, self._waited, stack, self._stack = now, computed, waited, self._stack, ""
        if still > self.longest:
            self.longest, self.longest_stack = still, stack
        if still > self._limit and still > 10 * _work():
            computing = f"{own * 1000:.0f} ms of them computing"
            self.faults.append(f"The event loop stood still for {still * 1000:.0f} ms, {computing}.\n{stack}")
            self._last = time.monotonic()

    def _look_on(self) -> None:
        """Record the stack of a blocked event loop, and exit if it never continues; runs in a separate thread."""
        while not self._is_over:
            time.sleep(_BEAT)
            if time.monotonic() - self._last > _ENDLESS:
                sys.stdout.write(f"\nFAULT: The event loop stands still.\n{self._stack}")
                sys.stdout.flush()
                os._exit(1)
            if time.monotonic() - self._last > LIMIT * 0.6 and not self._stack:
                frame = sys._current_frames().get(self._main)
                self._stack = "".join(traceback.format_stack(frame)[-25:])

    def _waited_for_processor(self) -> dict[str, float]:
        """Return the seconds for which each thread has waited for a CPU; empty except on Linux."""
        waited = {}
        for file in chain.from_iterable(Path("/proc", name, "task").glob("*/schedstat") for name in self._processes):
            try:
                waited[file.parent.name] = int(file.read_text("ascii").split()[1]) / 1e9
            except (OSError, IndexError):  # the thread has ended, or the system does not count
                continue
        return waited


def _work() -> float:
    """Return the CPU time of a fixed piece of work in seconds, about 0.02 on a typical machine of 2025."""
    began = time.thread_time()
    total = 0
    for number in range(300_000):
        total += number % 7
    return time.thread_time() - began
