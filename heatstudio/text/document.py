"""A document: its text, its file, and the data to write the text back unchanged."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

UTF_8 = "utf-8"
ENCODING_WORDS = {
    UTF_8: "UTF-8",
    "utf-16-le": "UTF-16 LE",
    "utf-16-be": "UTF-16 BE",
    "latin-1": "ISO 8859-1",
    "cp1252": "Windows-1252",
}
"""The recognized encodings with their display names."""


class Stamp(NamedTuple):
    """The state of a file when it was read or written: modification time, size and identity."""

    modified: int
    """Nanoseconds since 1970."""
    size: int
    inode: int


class FileDocument(NamedTuple):
    """A text as in its file, with the file's line endings and byte order mark."""

    text: str
    path: Path | None = None
    stamp: Stamp | None = None
    """None if the document was never read from or written to a file."""
    encoding: str = UTF_8
    """One of `ENCODING_WORDS`."""

    def with_text(self, text: str) -> FileDocument:
        """Return the document with another text."""
        return self._replace(text=text)

    def with_path(self, path: Path) -> FileDocument:
        """Return the document with another path; saving may then overwrite that file."""
        return self._replace(path=path, stamp=None)


class DocumentError(Exception):
    """An error for a document that cannot be read or saved; the message tells the user the reason and the fix."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
