"""Parsing of the command line, and dispatch to its subcommands."""

import argparse
import os
import signal
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from msgspec import Struct, to_builtins

from heatstudio import COMMANDS, __version__
from heatstudio.assets import resource_path
from heatstudio.bundled_data import read_data
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
    if options.command is None:
        parser.print_help()
        return EXIT_UNREADABLE
    run_command: Callable[[argparse.Namespace], int] = import_module(f"heatstudio.cli.{options.command}").run
    tune_garbage_collector()
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:  # from now on, Ctrl+C removes temporary files first
        signal.signal(signal.SIGINT, signal.default_int_handler)
    return run_command(options)


def _be_silent(*_: object) -> None:
    """Print no traceback of an interrupt; Python then ends itself by the signal, so that a script stops as well."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Print an error, in which arguments may be names of files, and exit."""
        super().error(visible(message))


class _Argument(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An argument of a subcommand, in the words of `argparse`."""

    names: tuple[str, ...]
    help: str | None = None
    metavar: str | None = None
    type: str | None = None
    """The function that converts it, after its module; `path` is a path."""
    action: str | None = None
    nargs: str | None = None
    choices: tuple[str, ...] | None = None
    default: str | list[str] | None = None
    dest: str | None = None
    required: bool = False
    group: str | None = None
    """The name of a group of which only one argument may be given."""


class _Subcommand(Struct, frozen=True, forbid_unknown_fields=True):
    help: str
    arguments: tuple[_Argument | str, ...]
    """The arguments, and the names of shared ones."""


class _CommandLine(Struct, frozen=True, forbid_unknown_fields=True):
    shared: dict[str, tuple[_Argument | str, ...]]
    commands: dict[str, _Subcommand]


def _parser(wanted: Sequence[str]) -> argparse.ArgumentParser:
    """Return a parser for only the wanted subcommands."""
    parser = _Parser(
        prog="heatstudio",
        description="An editor for OpenStack Heat templates. `heatstudio FILE...` opens the files in the window.",
    )
    parser.add_argument("--version", action="version", version=f"Heat Studio {__version__}")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command")
    known = read_data(resource_path("command_line.json"), _CommandLine)
    for name in wanted:
        command = known.commands[name]
        _add(subparsers.add_parser(name, help=command.help), command.arguments, known)
    return parser


def _add(parser: argparse.ArgumentParser, arguments: Iterable[_Argument | str], known: _CommandLine) -> None:
    groups: dict[str, Any] = {}  # argparse has no public name for a group
    for one in arguments:
        if isinstance(one, str):
            _add(parser, known.shared[one], known)
            continue
        given = to_builtins(one)
        names, group, kind = given.pop("names"), given.pop("group", None), given.pop("type", None)
        if kind is not None:
            module, _, function = kind.rpartition(".")
            given["type"] = getattr(import_module(f"heatstudio.cli.{module}"), function) if module else Path
        if group is not None and group not in groups:
            groups[group] = parser.add_mutually_exclusive_group()
        (parser if group is None else groups[group]).add_argument(*names, **given)
