"""Parsing of the command line, and dispatch to its subcommands."""

import argparse
import os
import signal
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import NoReturn

from heatstudio import COMMANDS, __version__
from heatstudio.cli.report import EXIT_FINE, EXIT_FOUND, EXIT_UNREADABLE, complain, silence
from heatstudio.service.garbage_collector import tune_garbage_collector
from heatstudio.text import DocumentError
from heatstudio.text.invisible import visible


def run(arguments: Sequence[str]) -> int:
    """Run the subcommand of the arguments and return the exit code.

    0 means success, 1 problems in a template, 2 an unreadable file, an invalid argument or an unwritable output.
    `preview` returns 2 for changes and 1 for all errors, like `terraform plan -detailed-exitcode`.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # the stream is closed
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w"))
    unreadable = EXIT_FOUND if arguments[:1] == ["preview"] else EXIT_UNREADABLE
    try:
        status = _run(arguments, unreadable)
        sys.stdout.flush()
        return status
    except DocumentError as error:
        complain(error.message)
        return unreadable
    except KeyboardInterrupt:
        sys.excepthook = _be_silent
        raise
    except FileNotFoundError:  # subcommands handle all other missing files
        complain("the current folder no longer exists.")
        return unreadable
    except OSError as error:
        if not isinstance(error, BrokenPipeError):
            complain(f"cannot write the output: {error.strerror}.")
        silence(sys.stdout)
        return unreadable


def _run(arguments: Sequence[str], unreadable: int) -> int:
    parser = _parser(arguments[:1] if arguments[:1] and arguments[0] in COMMANDS else COMMANDS)
    try:
        options = parser.parse_args(list(arguments))
    except SystemExit as end:
        return unreadable if end.code else EXIT_FINE
    command: Callable[[argparse.Namespace], int] | None = getattr(options, "command", None)
    if command is None:
        parser.print_help()
        return EXIT_UNREADABLE
    tune_garbage_collector()
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:  # from now on, Ctrl+C removes temporary files first
        signal.signal(signal.SIGINT, signal.default_int_handler)
    return command(options)


def _be_silent(*_: object) -> None:
    """Print no traceback of an interrupt; Python then ends itself by the signal, so that a script stops as well."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Print an error, in which arguments may be names of files, and exit."""
        super().error(visible(message))


def _parser(wanted: Sequence[str]) -> argparse.ArgumentParser:
    """Return a parser for only the wanted subcommands: importing all of them would dominate the run time."""
    parser = _Parser(
        prog="heatstudio",
        description="An editor for OpenStack Heat templates. `heatstudio FILE...` opens the files in the window.",
    )
    parser.add_argument("--version", action="version", version=f"Heat Studio {__version__}")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND")
    for name in wanted:
        module = import_module(f"heatstudio.cli.{name}")
        own = subparsers.add_parser(name, help=module.HELP)
        module.add_arguments(own)
        own.set_defaults(command=module.run)
    return parser
