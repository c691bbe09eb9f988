"""Between the bytes of a file and the text of an editor, without losing a line end or a byte order mark."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

BYTE_ORDER_MARK = "\ufeff"
_LINE_END = re.compile(r"\r\n|\n|\r")
NEWLINE_WORDS = {"\n": "LF", "\r\n": "CRLF", "\r": "CR"}


@dataclass(frozen=True, slots=True)
class FileText:
    """A text with `\\n` only, and what is needed to write it back as it was."""

    text: str = ""
    newline: str = "\n"
    """The most frequent line end of the file."""
    byte_order_mark: bool = False
    mixed_ends: tuple[str, ...] = ()
    """The end of each line, where they differ; otherwise empty."""

    @property
    def newline_word(self) -> str:
        """The line ends in a word, as the status bar shows them."""
        return "mixed line ends" if self.mixed_ends else NEWLINE_WORDS[self.newline]


def decode(data: bytes) -> FileText:
    """The text of a UTF-8 file; raises UnicodeDecodeError."""
    raw = data.decode("utf-8")
    marked = raw.startswith(BYTE_ORDER_MARK)
    raw = raw.removeprefix(BYTE_ORDER_MARK)
    ends = _LINE_END.findall(raw)
    newline = Counter(ends).most_common(1)[0][0] if ends else "\n"
    mixed = tuple(ends) if len(set(ends)) > 1 else ()
    return FileText(_LINE_END.sub("\n", raw), newline, marked, mixed)


def encode(file: FileText, text: str) -> bytes:
    """The bytes of `text` in the manner of `file`: lines that were not touched keep their own ends."""
    mark = BYTE_ORDER_MARK if file.byte_order_mark else ""
    if not file.mixed_ends:
        return (mark + text.replace("\n", file.newline)).encode("utf-8")
    lines = text.split("\n")
    ends = [*_ends_of_lines(file, lines), ""]
    return (mark + "".join(line + end for line, end in zip(lines, ends, strict=True))).encode("utf-8")


def _ends_of_lines(file: FileText, lines: list[str]) -> list[str]:
    """An end for every line but the last; equal lines at the top and the bottom keep theirs."""
    old = file.text.split("\n")
    count = min(len(old), len(lines)) - 1
    same_above = next((at for at in range(count) if old[at] != lines[at]), count)
    rest = count - same_above
    same_below = next((at for at in range(rest) if old[-2 - at] != lines[-2 - at]), rest)
    between = len(lines) - 1 - same_above - same_below
    below = file.mixed_ends[len(file.mixed_ends) - same_below :]
    return [*file.mixed_ends[:same_above], *[file.newline] * between, *below]
