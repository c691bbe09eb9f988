"""A replacement for the event loop that paints the window, runs a task and exits; imports little, to add no time."""

from __future__ import annotations

import json
import os
import sys
import time
from importlib import import_module

from PySide6.QtWidgets import QApplication

PAINT = "paint"
"""The task that ends with the first paint; `window_tasks` has the other tasks."""
TYPING = frozenset({"type", "type-at-once"})


def replace_loop(task: str) -> None:
    """Replace QApplication.exec with the task."""

    def instead_of_loop(*_: object) -> int:
        QApplication.processEvents()
        done = {"at": time.perf_counter()} if task == PAINT else import_module(_TASKS).measured(task)
        sys.stdout.write(json.dumps(done))
        sys.stdout.flush()
        os._exit(0)

    for name in ("exec", "exec_"):
        setattr(QApplication, name, instead_of_loop)


_TASKS = "tests.benchmarks.window_tasks"
