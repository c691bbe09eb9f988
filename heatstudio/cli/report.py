"""Output of the subcommands."""

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
    """Write a line to standard output; escape characters that the encoding of the stream lacks."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")


def complain(text: str) -> None:
    """Write an error message to standard error."""
    note(f"heatstudio: {text}")


def note(text: str) -> None:
    """Write a line to standard error."""
    try:
        sys.stderr.write(f"{text}\n")
    except OSError:  # standard error is broken: only the exit status can report the error
        silence(sys.stderr)


def silence(stream: TextIO) -> None:
    """Redirect a broken stream to the null device, so that Python does not report its unwritten buffer."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def say_json(value: object) -> None:
    """Write a value as JSON."""
    say(json.dumps(plain(value), indent=2, sort_keys=False))


def plain(value: object) -> object:
    """Return a value as plain data for JSON; an unknown value becomes a map with its origins."""
    if isinstance(value, Unknown):
        return {"unknown": "not known yet", "origins": sorted(value.origins)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, float) and not isfinite(value):
        return str(value)
    return value if value is None or isinstance(value, (str, int, float, bool)) else str(value)


def add_format(parser: ArgumentParser, *formats: str) -> None:
    """Add the option for the output format."""
    parser.add_argument("--format", choices=formats, default=formats[0], help="the output format")
