"""Output of the subcommands."""

import json
import os
import re
import sys
from collections.abc import Mapping
from math import isfinite
from typing import TextIO

from heatstudio.stack.unknown import Unknown
from heatstudio.text.invisible import visible
from heatstudio.text.markup import Markup

EXIT_FINE = 0
EXIT_FOUND = 1
EXIT_UNREADABLE = 2


_COMMAND = re.compile(r"^\s*:(?=:)|#(?=#\w*\[)")
"""The start of a command in the output of a job: `::error` and `##[error]` of GitHub, `##vso[` of Azure."""


def say(text: str) -> None:
    """Write one line to standard output, which neither a terminal nor the runner of a job interprets."""
    _write(_literal(text))


def say_markup(text: Markup) -> None:
    """Write a document to standard output."""
    _write(text)


def say_source(text: str) -> None:
    """Write the text of a file to standard output; a terminal shows invisible characters as escapes."""
    _write("\n".join(map(_literal, text.split("\n"))) if sys.stdout.isatty() else text)


def _literal(text: str) -> str:
    return _COMMAND.sub(lambda found: f"{found[0][:-1]}\\x{ord(found[0][-1]):x}", visible(text))


def _write(text: str) -> None:
    """Write a text and a line end; escape characters that the encoding of the stream lacks."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")


def complain(text: str) -> None:
    """Write an error message to standard error."""
    note(f"heatstudio: {text}")


def note(text: str) -> None:
    """Write one line to standard error, which neither a terminal nor the runner of a job interprets."""
    try:
        sys.stderr.write(f"{_literal(text)}\n")
    except OSError:  # standard error is broken: only the exit status can report the error
        silence(sys.stderr)


def silence(stream: TextIO) -> None:
    """Redirect a broken stream to the null device, so that Python does not report its unwritten buffer."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def say_json(value: object) -> None:
    """Write a value as JSON."""
    _write(json.dumps(plain(value), indent=2).replace("##", "#\\u0023"))


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
