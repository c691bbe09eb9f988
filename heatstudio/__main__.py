"""The entry point: a subcommand runs in the terminal; otherwise the window opens the given files."""

import gc
import sys
from importlib import import_module

COMMANDS = frozenset({"check", "preview", "fix", "types", "resolve", "convert", "upgrade", "lsp"})


def main() -> int:
    """Run the command line and return the exit status.

    Qt is imported only for the window, and the argument parser only for subcommands.
    """
    if sys.argv[1:2] and sys.argv[1] in COMMANDS:
        return _run_command()
    return window()


def window() -> int:
    """Run the window with the files of the command line and return the exit status; `--help` opens no window."""
    if sys.argv[1:2] and sys.argv[1].startswith("-"):
        return _run_command()
    gc.disable()  # enabled again when the engine is loaded: start-up allocates much and leaves no garbage
    _use_default_interrupt()
    from heatstudio.service.worker_process import WorkerProcess, cores

    worker = WorkerProcess()
    if cores() > 1:  # on a single core it would compete with the window
        worker.start()
    from heatstudio.ui.window.app import run

    return run(sys.argv[1:], worker)


def _use_default_interrupt() -> None:
    """Let Ctrl+C end the program silently until the window handles it; a signal that is ignored stays ignored.

    Qt would print the exception, keep it for later, or end the process with a core dump.
    """
    signals = import_module("_signal")  # `signal` without its enumerations, which take a millisecond of every start
    if signals.getsignal(signals.SIGINT) is signals.default_int_handler:
        signals.signal(signals.SIGINT, signals.SIG_DFL)


def _run_command() -> int:
    from heatstudio.cli import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
