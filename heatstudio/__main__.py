"""Where the program starts: a verb runs in the terminal, files open in the window."""

from __future__ import annotations

import gc
import sys

COMMANDS = frozenset({"check", "preview", "fix", "types", "resolve", "convert"})


def main() -> int:
    """The exit status of what the command line asks for.

    Qt is imported only if the window is wanted, and the parser of arguments only if it is not.
    """
    if sys.argv[1:2] and sys.argv[1] in COMMANDS:
        return _answer()
    return window()


def window() -> int:
    """The exit status of the window, opened on the files that the command line names; `--help` opens none."""
    if sys.argv[1:2] and sys.argv[1].startswith("-"):
        return _answer()
    gc.disable()  # until the engine is there: there is no garbage yet, only much that is new
    from heatstudio.ui.first_look import FirstLook

    look = FirstLook()
    from heatstudio.ui.import_qt import import_qt

    import_qt()
    from heatstudio.ui.app import run

    return run(sys.argv[1:], look)


def _answer() -> int:
    from heatstudio.cli import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
