"""Runs in a process of its own: starts a window, does one thing with it, and ends.

Arguments: `empty` or `studio` (which window), what to do with it (`paint`, or what `window_tasks` lists), and the file
to open. What was measured is on standard output as JSON.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module


class BeforeWindow:
    """Puts a task in the place of the event loop when Qt is there and the window is not: the start stays as it is.

    A finder of modules without the base class for those, whose module imports what a window does without.
    """

    def __init__(self, task: str) -> None:
        self._task = task

    def find_spec(self, name: str, _path: Sequence[str] | None, _target: object = None) -> None:
        """Python's hook, asked for every module that is imported."""
        if name == "heatstudio.ui.widgets.appearance":
            sys.meta_path.remove(self)
            import_module("tests.benchmarks.window_loop").replace_loop(self._task)


def main() -> None:
    """Start as a user starts it."""
    which, task, file = sys.argv[1:]
    if which == "empty":
        import_module("tests.benchmarks.empty_window").show(task, file)
    else:
        sys.argv[1:] = [file]
        sys.meta_path.insert(0, BeforeWindow(task))
        import_module("heatstudio.__main__").window()


if __name__ == "__main__":
    main()
