"""Behavior shared by all worker processes."""

import os
import sys
import time
from threading import Thread

_LOOK = 1.0
"""Seconds between two looks whether the parent process still runs."""


def end_with_parent() -> None:
    """End this process soon after the one that started it, however that ended, also while this one is busy."""
    if sys.platform != "win32":  # there a process keeps the number of a parent that has ended
        Thread(target=_watch, args=(os.getppid(),), name="parent", daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_LOOK)
    os._exit(1)
