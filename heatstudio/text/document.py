"""A document: a text, its file, and everything needed to write it back unchanged."""

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
"""The encodings that are recognized, and what people call them."""


class Stamp(NamedTuple):
    """What a file looked like when it was read or written: when it was changed, its size, and which file it is."""

    modified: int
    """Nanoseconds since 1970."""
    size: int
    inode: int


class Document(NamedTuple):
    """A text with its line ends as they are in the file, a byte order mark included."""

    text: str
    path: Path | None = None
    version: int = 0
    """Counts the changes, so that an answer can name the text it answers."""
    stamp: Stamp | None = None
    """None if the text was never read from a file or written to one."""
    encoding: str = UTF_8
    """One of `ENCODING_WORDS`."""

    def with_text(self, text: str) -> Document:
        """The document after a change of its text."""
        return self._replace(text=text, version=self.version + 1)

    def with_path(self, path: Path) -> Document:
        """The document to be kept in another file, which may be overwritten."""
        return self._replace(path=path, stamp=None)

    @property
    def line_end(self) -> str:
        """What ends most lines; new lines are ended so."""
        return "\r\n" if self.text.count("\r\n") * 2 > self.text.count("\n") else "\n"


class DocumentError(Exception):
    """A document cannot be read or saved; the message is one sentence with the way out."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
