"""The first look at a text: by a process that starts with the window, and is ready when that has made its first paint.

The engine takes longer to load than the window, and both in one process share Python's one interpreter lock. So another
process loads it meanwhile, on another core; it looks once, tells what it sees, and ends. Nothing depends on it: the
window's own engine says the same a moment later, and all that can be done about it.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from heatstudio.ui.asked_process import AskedProcess, start_process

_PATIENCE = 10
"""Seconds after which nobody waits for an answer any more."""
_ANSWER = "heatstudio.ui.first_answer"


def cores() -> int:
    """How many processors this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def command_of(module: str) -> list[str]:
    """What runs a module of this program in another process; empty where there is no Python, but perhaps Heat Studio.

    What this interpreter was told to leave out, the other one leaves out as well; and so it does the folder that the
    user is in, which may hold modules of any name.
    """
    if not sys.executable or getattr(sys, "frozen", False):
        return []
    told = (("-I", sys.flags.isolated), ("-E", sys.flags.ignore_environment), ("-s", sys.flags.no_user_site))
    return [sys.executable, *(flag for flag, is_on in told if is_on), "-P", "-m", module]


class FirstLook:
    """The process; it can be asked once."""

    def __init__(self) -> None:
        self._process: AskedProcess | None = None
        command = command_of(_ANSWER)
        if not command or cores() < 2:  # the window would have to wait for it
            return
        with suppress(OSError):
            self._process = start_process(command)

    def ask(self, question: bytes) -> bytes:
        """The answer, empty if there is none; waits for it, so only a thread that may wait asks."""
        if self._process is not None:
            with suppress(OSError):
                return self._process.ask(question, _PATIENCE)
        return b""

    def stop(self) -> None:
        """Ends the process, asked or not."""
        if self._process is not None:
            self._process.end()
