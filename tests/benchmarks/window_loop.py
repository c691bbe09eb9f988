"""In the place of the event loop: the window is painted, used, and left. Imports little: an empty window pays it."""

from __future__ import annotations

import json
import os
import sys
import time
from importlib import import_module

from PySide6.QtWidgets import QApplication

PAINT = "paint"
"""The task that ends with the first paint; the others are in `window_tasks`."""
TYPING = frozenset({"type", "type-at-once"})


def replace_loop(task: str) -> None:
    """When the event loop would begin, the task is done instead."""

    def instead_of_loop(*_: object) -> int:
        QApplication.processEvents()
        done = {"at": time.perf_counter()} if task == PAINT else import_module(_TASKS).measured(task)
        sys.stdout.write(json.dumps(done))
        sys.stdout.flush()
        os._exit(0)

    for name in ("exec", "exec_"):
        setattr(QApplication, name, instead_of_loop)


_TASKS = "tests.benchmarks.window_tasks"
