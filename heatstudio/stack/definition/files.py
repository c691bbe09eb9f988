"""The files that belong to a template: what `get_file` and nested templates read."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Protocol, runtime_checkable

from heatstudio.stack.unknown import Unknown


class Contents(Protocol):
    """Files by the name under which the template asks for them; a map of texts will do."""

    def get(self, name: str, /) -> str | Unknown | None:
        """The content of a file, None if there is no such file, Unknown if nobody looked."""
        ...


@runtime_checkable
class Files(Contents, Protocol):
    """The files beside a template, and beside the templates among them."""

    def below(self, name: str, /) -> Files:
        """The files beside the file of that name."""
        ...


@runtime_checkable
class PlacedFiles(Protocol):
    """Files that have a place on a disk."""

    def path(self, name: str, /) -> Path | None:
        """The file of a name, be it there or not; None for a URL and for what lies outside of the folder in use."""
        ...


@runtime_checkable
class Listing(Protocol):
    """Files that can tell what there is."""

    def names(self) -> Iterable[str]:
        """The names of all files, as a template would write them."""
        ...


def file_place(files: Files, name: str) -> str:
    """The same words for the same file, however it is named."""
    path = files.path(name) if isinstance(files, PlacedFiles) else None
    return str(path) if path is not None else name


class NoFiles:
    """Files of which nothing is known."""

    def get(self, name: str, /) -> str | Unknown | None:
        """Unknown."""
        return Unknown(("file", name), frozenset({f"file:{name}"}))

    def below(self, _name: str, /) -> NoFiles:
        """Nothing again."""
        return self


NO_FILES = NoFiles()
