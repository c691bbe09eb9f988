"""The messages between window and worker: requests, responses and their encoding."""

import json
from collections.abc import Mapping
from enum import StrEnum, auto
from pathlib import Path
from typing import IO, NamedTuple, TypeVar

from heatstudio.service.diagnostic_summary import DiagnosticSummary
from heatstudio.service.inputs.freshness import FileMark
from heatstudio.service.inputs.snapshot import Target
from heatstudio.text import Position

_Value = TypeVar("_Value")
_LENGTH = 8
"""Size of the length field of a message, in bytes."""


class TextQuestion(NamedTuple):
    """A request to analyze the text of a tab that opens."""

    text: str
    path: Path
    environments: tuple[Path, ...] = ()
    root: Path | None = None
    """The folder that references may not leave; the template's own folder if there is none."""
    target: Target = Target()


class FolderContext(NamedTuple):
    """The shared context of the closed files of a folder."""

    root: Path
    """The folder that references may not leave."""
    target: Target = Target()
    texts: Mapping[Path, str] = {}
    """The unsaved texts of tabs, by paths without links."""


class FileQuestion(NamedTuple):
    """A request to check a closed file: a template with environments, or an environment with its template."""

    path: Path
    environments: tuple[Path, ...] = ()
    owner: tuple[Path, tuple[Path, ...]] | None = None
    """The template to check with the file, and all environments of the template."""


class ReportQuestion(NamedTuple):
    """A request of the command line to check a file."""

    path: Path
    environments: tuple[Path, ...] = ()
    parameter_values: Mapping[str, str] = {}
    root: Path | None = None
    """The folder that references may not leave; the template's own folder if there is none."""
    target: Target = Target()
    is_named: bool = True
    """Whether the user named the file; other files are checked only if they are templates or environments."""
    with_fixes: bool = False
    """Whether the report includes the edits of the fixes."""


class CheckResult(StrEnum):
    """The result of checking a file."""

    CHECKED = auto()
    NO_TEMPLATE = auto()
    UNREAD = auto()
    LARGE = auto()


class SelectedLines(NamedTuple):
    """Selected lines of a file, instead of its text."""

    by_offset: Mapping[int, int]

    def position(self, offset: int) -> Position:
        """Return the line of a known offset, with the character 0."""
        return Position(self.by_offset.get(offset, 0), 0)


class ClosedFileResult(NamedTuple):
    """The diagnostics of a closed file."""

    outcome: CheckResult
    summaries: tuple[DiagnosticSummary, ...] = ()
    lines: SelectedLines = SelectedLines({})
    sentence: str = ""
    """The reason why the file could not be read."""
    marks: Mapping[Path, FileMark] = {}
    """The marks of all files that were read or looked for; the result is valid while the marks are unchanged."""


class Request(StrEnum):
    """The kinds of messages: check a text or file, report on a file, set the cloud or the context."""

    TEXT = "t"
    CLOUD = "c"
    SURROUNDINGS = "s"
    FILE = "f"
    REPORT = "r"


def pack(value: object) -> bytes:
    """Return a value as JSON."""
    if isinstance(value, TextQuestion):  # sent while the window is built, which an import of msgspec would delay
        return json.dumps(value, default=str).encode()
    import msgspec

    return msgspec.json.encode(value, enc_hook=str)


def unpack(content: bytes, kind: type[_Value]) -> _Value:
    """Return a decoded value. Raise ValueError if it does not match the type."""
    import msgspec

    return msgspec.json.decode(content, type=kind, dec_hook=_read)


def _read(kind: type, found: object) -> object:
    """Decode the types that msgspec does not support: paths, encoded as text; return other values unchanged."""
    return Path(str(found)) if kind is Path else found


def send(stream: IO[bytes], content: bytes) -> None:
    """Send a message. Raise OSError or ValueError if the other process has ended."""
    stream.write(len(content).to_bytes(_LENGTH, "big") + content)
    stream.flush()


def receive(stream: IO[bytes]) -> bytes:
    """Wait for a message and return it; empty at the end of the stream."""
    length = int.from_bytes(stream.read(_LENGTH), "big")
    content = stream.read(length)
    return content if len(content) == length else b""
