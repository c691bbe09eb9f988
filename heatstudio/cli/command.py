"""The arguments of the command line, and the verb they ask for."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module

from heatstudio import __version__
from heatstudio.cli.report import EXIT_UNREADABLE
from heatstudio.stack.settle import settle

Verb = Callable[[argparse.Namespace], int]

VERBS = ("check", "preview", "fix", "types", "resolve", "convert")


def run(arguments: Sequence[str]) -> int:
    """Do what the arguments say and return the exit code.

    0 means that all is well, 1 that something was found, 2 that a file or an argument could not be read.
    """
    parser = _parser(VERBS if not arguments or arguments[0] not in VERBS else arguments[:1])
    options = parser.parse_args(list(arguments))
    verb: Verb | None = getattr(options, "verb", None)
    if verb is None:
        parser.print_help()
        return EXIT_UNREADABLE
    settle()
    try:
        return verb(options)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_UNREADABLE


def _parser(wanted: Sequence[str]) -> argparse.ArgumentParser:
    """The parser of some verbs: a verb is imported when it is wanted, for most of the time goes into imports."""
    parser = argparse.ArgumentParser(
        prog="heatstudio",
        description="An editor for OpenStack Heat templates. Without a verb, `heatstudio [FILE...]` opens the window.",
    )
    parser.add_argument("--version", action="version", version=f"Heat Studio {__version__}")
    verbs = parser.add_subparsers(title="verbs", metavar="VERB")
    for verb in wanted:
        import_module(f"heatstudio.cli.{verb}").add_arguments(verbs)
    return parser
