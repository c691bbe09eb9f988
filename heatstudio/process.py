"""Support for worker processes."""

import os
import sys
import time
from threading import Thread

_POLL_INTERVAL = 1.0
"""Seconds between two checks that the parent process still runs."""


def end_with_parent() -> None:
    """End this process soon after its parent process has ended for any reason, even while this process is busy."""
    if sys.platform != "win32":  # Windows keeps the parent ID of a process after the parent has ended
        Thread(target=_watch, args=(os.getppid(),), name="parent", daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_POLL_INTERVAL)
    os._exit(1)
