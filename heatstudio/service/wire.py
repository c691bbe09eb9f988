"""The messages between window and worker: requests, responses and their encoding."""

import zlib
from collections.abc import Mapping
from enum import StrEnum, auto
from pathlib import Path
from typing import IO, NamedTuple, TypeVar

from heatstudio.service.diagnostic_summary import DiagnosticSummary
from heatstudio.service.snapshot import Target
from heatstudio.text import Position, Stamp, stamp_of

_Value = TypeVar("_Value")
_LENGTH = 8
"""Size of the length field of a message, in bytes."""

Mark = Stamp | int | None
"""What a file looked like before it was read, or the sum of the text that a tab had of it."""


class TextQuestion(NamedTuple):
    """A request to analyze the text of a tab that opens."""

    text: str
    path: Path
    environments: tuple[Path, ...] = ()
    root: Path | None = None
    """The folder that references may not leave; the template's own folder if there is none."""
    target: Target = Target()


class Surroundings(NamedTuple):
    """The shared context of the closed files of a folder."""

    root: Path
    """The folder that references may not leave."""
    target: Target = Target()
    texts: Mapping[Path, str] = {}
    """What tabs have and the disk has not yet, by paths without links."""


class FileQuestion(NamedTuple):
    """A file with the environments of its last check; or an environment with its template."""

    path: Path
    environments: tuple[Path, ...] = ()
    owner: tuple[Path, tuple[Path, ...]] | None = None
    """A template that is checked with the file, and all its environments."""


class ReportQuestion(NamedTuple):
    """A request of the command line to check a file."""

    path: Path
    environments: tuple[Path, ...] = ()
    parameter_values: Mapping[str, str] = {}
    root: Path | None = None
    """The folder that references may not leave; the template's own folder if there is none."""
    target: Target = Target()
    is_named: bool = True
    """Whether the user named the file: one of a folder is checked only if it is a template or an environment."""
    with_fixes: bool = False
    """Whether the edits of the fixes are wanted."""


class Outcome(StrEnum):
    """The result of checking a file."""

    CHECKED = auto()
    NO_TEMPLATE = auto()
    UNREAD = auto()
    LARGE = auto()


class Lines(NamedTuple):
    """Selected lines of a file, instead of its text."""

    by_offset: Mapping[int, int]

    def position(self, offset: int) -> Position:
        """The line of a place that is known."""
        return Position(self.by_offset.get(offset, 0), 0)


class ClosedFileResult(NamedTuple):
    """The diagnostics of a closed file."""

    outcome: Outcome
    summaries: tuple[DiagnosticSummary, ...] = ()
    lines: Lines = Lines({})
    sentence: str = ""
    """Why it could not be looked at."""
    marks: Mapping[Path, Mark] = {}
    """Everything that was read for it, or looked for: as long as that stays as it is, so does the answer."""


def mark_of(path: Path, texts: Mapping[Path, str]) -> Mark:
    """The stamp of a file; `path` and the paths of `texts` contain no links."""
    text = texts.get(path)
    return stamp_of(path) if text is None else zlib.crc32(text.encode("utf-8", "surrogatepass"))


class Kind(StrEnum):
    """The kinds of messages: check a text, check a file, or set the context."""

    TEXT = "t"
    CLOUD = "c"
    SURROUNDINGS = "s"
    FILE = "f"
    REPORT = "r"


def pack(value: object) -> bytes:
    """A value as it travels."""
    from msgspec import msgpack

    return msgpack.encode(value, enc_hook=str)


def unpack(content: bytes, kind: type[_Value]) -> _Value:
    """The value that was packed; raises ValueError if it is none of that kind."""
    from msgspec import msgpack

    return msgpack.decode(content, type=kind, dec_hook=_read)


def _read(kind: type, found: object) -> object:
    """What msgspec does not know: paths, which travel as texts, and facts of any kind."""
    return Path(str(found)) if kind is Path else found


def send(stream: IO[bytes], content: bytes) -> None:
    """Sends a message; raises OSError or ValueError if the other process does not exist."""
    stream.write(len(content).to_bytes(_LENGTH, "big") + content)
    stream.flush()


def receive(stream: IO[bytes]) -> bytes:
    """Waits for a message; empty if there will be none any more."""
    length = int.from_bytes(stream.read(_LENGTH), "big")
    content = stream.read(length)
    return content if len(content) == length else b""
