"""The entry point: a subcommand runs in the terminal, files open in the window."""

import gc
import sys
from importlib import import_module

COMMANDS = frozenset({"check", "preview", "fix", "types", "resolve", "convert", "upgrade", "lsp"})


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
    _let_interrupts_end()
    from heatstudio.service.worker_process import WorkerProcess, cores

    worker = WorkerProcess()
    if cores() > 1:  # else the window would have to wait for it
        worker.start()
    from heatstudio.ui.window.app import run

    return run(sys.argv[1:], worker)


def _let_interrupts_end() -> None:
    """Lets Ctrl+C end the program in silence until the window listens to it; where it is ignored, it still is.

    Qt would print the exception, keep it for later, or end the process with a core dump.
    """
    signals = import_module("_signal")  # `signal` without its enumerations, which take a millisecond of every start
    if signals.getsignal(signals.SIGINT) is signals.default_int_handler:
        signals.signal(signals.SIGINT, signals.SIG_DFL)


def _answer() -> int:
    from heatstudio.cli import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
