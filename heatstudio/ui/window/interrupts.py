"""Handling of Ctrl+C in the terminal."""

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

from PySide6.QtCore import QObject, QSocketNotifier, QTimer


class Interrupts(QObject):
    """A handler of Ctrl+C, which ends the window properly; a second Ctrl+C terminates the program."""

    def __init__(self, end: Callable[[], object], parent: QObject) -> None:
        super().__init__(parent)
        self._end = end
        self._before = signal.getsignal(signal.SIGINT)
        self._pipe: tuple[int, ...] = ()
        if self._before in (signal.SIG_IGN, None):  # as shells start background processes
            return
        signal.signal(signal.SIGINT, self._note)
        if sys.platform == "win32":  # a pipe cannot wake Qt on Windows; the next event does
            return
        # Python handles a signal only when it runs bytecode, and Qt may block for hours.
        self._pipe = reading, writing = os.pipe()
        for end_of_pipe in self._pipe:
            os.set_blocking(end_of_pipe, False)
        self._wakes = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
        self._notifier = QSocketNotifier(reading, QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._drain)

    def stop(self) -> None:
        """Restore the previous signal handlers."""
        if self._before not in (signal.SIG_IGN, None):
            signal.signal(signal.SIGINT, self._before)
        if self._pipe:
            self._notifier.setEnabled(False)
            signal.set_wakeup_fd(self._wakes)
            for end_of_pipe in self._pipe:
                os.close(end_of_pipe)
            self._pipe = ()

    def _note(self, _number: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        QTimer.singleShot(0, self, self._end)

    def _drain(self) -> None:
        with suppress(BlockingIOError):
            os.read(self._pipe[0], 64)
