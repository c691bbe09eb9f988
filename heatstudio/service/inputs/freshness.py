"""The state of files that a result was computed from, and the test whether the result still holds."""

import zlib
from collections.abc import Mapping
from pathlib import Path

from heatstudio.text import Stamp, stamp_of

FileMark = Stamp | int | None
"""The state of a file: its stamp before the read, or the checksum of its unsaved text; None if it is missing."""


def mark_of(path: Path, texts: Mapping[Path, str]) -> FileMark:
    """Return the mark of a file; `path` and the paths of `texts` must contain no links."""
    text = texts.get(path)
    return stamp_of(path) if text is None else zlib.crc32(text.encode("utf-8", "surrogatepass"))


class CurrentMarks(dict[Path, FileMark]):
    """The marks of files now, each examined once; `texts` are the unsaved texts of editors."""

    def __init__(self, texts: Mapping[Path, str]) -> None:
        super().__init__()
        self._texts = texts

    def __missing__(self, path: Path) -> FileMark:
        mark = self[path] = mark_of(path, self._texts)
        return mark

    def match(self, marks: Mapping[Path, FileMark]) -> bool:
        """Return whether no file has changed since its mark, so that a result computed from the files still holds."""
        # Iterate over a copy: completion reads files concurrently in the window's thread.
        return all(self[path] == mark for path, mark in tuple(marks.items()))
