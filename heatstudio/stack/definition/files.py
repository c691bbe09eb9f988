"""The files that belong to a template: what `get_file` and nested templates read."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol, runtime_checkable

from heatstudio.stack.unknown import Unknown

CLOSED = "closed"
"""The first part of the key of a content that the system does not let anybody read."""


class Contents(Protocol):
    """Files by the name in the template; a map of strings is sufficient."""

    def get(self, name: str, /) -> str | Unknown | None:
        """The content of a file, None if it does not exist, Unknown if it was not read."""
        ...


@runtime_checkable
class Files(Contents, Protocol):
    """The files of a template and of its nested templates."""

    def below(self, name: str, /) -> Files:
        """The files next to the file of that name."""
        ...


@runtime_checkable
class PlacedFiles(Protocol):
    """Files with a location on disk."""

    def path(self, name: str, /) -> Path | None:
        """The path of a file name, even if it does not exist; None for a URL and outside the folder in use."""
        ...


@runtime_checkable
class Listing(Protocol):
    """Files that can be listed."""

    def names(self) -> Iterable[str]:
        """The names of all files, as a template would write them."""
        ...


def sent_text(content: bytes) -> str:
    """A file as python-heatclient sends it: what is not UTF-8 in base64 (heatclient/common/utils.py)."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return base64.encodebytes(content).decode("ascii")


def is_encoded(sent: str) -> bool:
    """Whether a content is that of a file that is not UTF-8."""
    try:
        return sent_text(base64.b64decode(sent)) == sent
    except ValueError:
        return False


def file_path(files: Contents, name: str) -> Path | None:
    """The place of a file on a disk, be it there or not; None if it has none that may be looked at."""
    return files.path(name) if isinstance(files, PlacedFiles) else None


def file_place(files: Files, name: str) -> str:
    """The same words for the same file, however it is named."""
    return str(file_path(files, name) or name)


class NoFiles:
    """Unknown files."""

    def get(self, name: str, /) -> str | Unknown | None:
        """Unknown."""
        return Unknown(("file", name), frozenset({f"file:{name}"}))

    def below(self, _name: str, /) -> NoFiles:
        """Nothing again."""
        return self


NO_FILES = NoFiles()
