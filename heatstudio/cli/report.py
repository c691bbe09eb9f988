"""Output shared by the subcommands."""

import json
import os
import sys
from argparse import ArgumentParser
from collections.abc import Mapping
from math import isfinite
from typing import TextIO

from heatstudio.stack.unknown import Unknown

EXIT_FINE = 0
EXIT_FOUND = 1
EXIT_UNREADABLE = 2


def say(text: str) -> None:
    """Write a line to standard output; what the terminal cannot show is written as an escape."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")


def complain(text: str) -> None:
    """Write a line to standard error."""
    note(f"heatstudio: {text}")


def note(text: str) -> None:
    """Write a line that is no part of the answer, such as a count, to standard error."""
    try:
        sys.stderr.write(f"{text}\n")
    except OSError:  # the exit status has to do
        silence(sys.stderr)


def silence(stream: TextIO) -> None:
    """Let a stream that cannot be written end without a complaint of Python, also for what it still holds."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def say_json(value: object) -> None:
    """Write a value as JSON."""
    say(json.dumps(plain(value), indent=2, sort_keys=False))


def plain(value: object) -> object:
    """A value as JSON can hold it; what is not known yet says so, and what it waits for."""
    if isinstance(value, Unknown):
        return {"unknown": "known after apply", "origins": sorted(value.origins)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, float) and not isfinite(value):
        return str(value)
    return value if value is None or isinstance(value, (str, int, float, bool)) else str(value)


def add_format(parser: ArgumentParser, *formats: str) -> None:
    """The option for the form of the answer."""
    parser.add_argument("--format", choices=formats, default=formats[0], help="the output format")
