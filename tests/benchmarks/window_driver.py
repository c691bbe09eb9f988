"""A process that starts a window, runs one task in it, and exits.

Arguments: the window, `empty` or `studio`; the task, `paint` or one of `window_tasks`; and the file to open. Prints the
measurement as JSON.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module


class BeforeWindow:
    """An import hook that replaces the event loop with a task after Qt is loaded and before the window is.

    It does not derive from importlib.abc.MetaPathFinder, whose module would add imports to the measured start.
    """

    def __init__(self, task: str) -> None:
        self._task = task

    def find_spec(self, name: str, _path: Sequence[str] | None, _target: object = None) -> None:
        """Replace the event loop when the appearance module is imported; never find a module."""
        if name == "heatstudio.ui.widgets.appearance":
            sys.meta_path.remove(self)
            import_module("tests.benchmarks.window_loop").replace_loop(self._task)


def main() -> None:
    """Start the window through its regular entry point."""
    which, task, file = sys.argv[1:]
    if which == "empty":
        import_module("tests.benchmarks.empty_window").show(task, file)
    else:
        sys.argv[1:] = [file]
        sys.meta_path.insert(0, BeforeWindow(task))
        import_module("heatstudio.__main__").window()


if __name__ == "__main__":
    main()
