"""The entry point: a subcommand runs in the terminal; otherwise the window opens the given files."""

import gc
import sys
from importlib import import_module

from heatstudio import COMMANDS


def main() -> int:
    """Run the command line and return the exit status.

    Qt is imported only for the window, and the argument parser only for subcommands.
    """
    _use_default_interrupt()
    if sys.argv[1:2] and sys.argv[1] in COMMANDS:
        return _run_command()
    return window()


def window() -> int:
    """Run the window with the files of the command line and return the exit status; options open no window."""
    _use_default_interrupt()
    if sys.argv[1:2] and sys.argv[1].startswith("-"):
        return _run_command()
    gc.disable()  # until the engine is loaded: start-up allocates many objects and leaves no garbage
    from heatstudio.ui.window.app import run

    return run(sys.argv[1:])


def _use_default_interrupt() -> None:
    """Let Ctrl+C end the program silently until the window or a subcommand begins; keep an ignored signal ignored.

    Otherwise, the imports would print a traceback, and Qt would delay the KeyboardInterrupt or dump core.
    """
    signals = import_module("_signal")  # importing `signal` takes a millisecond longer because of its enumerations
    if signals.getsignal(signals.SIGINT) is signals.default_int_handler:
        signals.signal(signals.SIGINT, signals.SIG_DFL)


def _run_command() -> int:
    from heatstudio.cli import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
