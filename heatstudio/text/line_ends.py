"""Conversion between a file's text and an editor's text that preserves line endings and the byte order mark."""

import re
from typing import NamedTuple

from heatstudio.text.span import shared_ends

BYTE_ORDER_MARK = "\ufeff"
_LINE_END = re.compile(r"\r\n|\n|\r")
NEWLINE_WORDS = {"\n": "LF", "\r\n": "CRLF", "\r": "CR"}


class EditableText(NamedTuple):
    """A text with `\n` line endings only, and the data to write it back unchanged."""

    text: str = ""
    newline: str = "\n"
    """The most frequent line ending of the file."""
    byte_order_mark: bool = False
    mixed_ends: tuple[str, ...] = ()
    """The ending of each line if the endings differ; otherwise empty."""

    @property
    def newline_word(self) -> str:
        """The name of the line endings, for the status bar."""
        return "mixed line endings" if self.mixed_ends else NEWLINE_WORDS[self.newline]

    def in_file(self, text: str) -> str:
        """Return an edited text as it is written to the file; unchanged lines keep their own line endings."""
        mark = BYTE_ORDER_MARK if self.byte_order_mark else ""
        if not self.mixed_ends:
            return mark + text.replace("\n", self.newline)
        lines = text.split("\n")
        ends = [*self._ends_of(lines), ""]
        return mark + "".join(line + end for line, end in zip(lines, ends, strict=True))

    def _ends_of(self, lines: list[str]) -> list[str]:
        """Return the ending of every line but the last; equal lines at the top and the bottom keep their endings."""
        old = self.text.split("\n")
        same_above, same_below = shared_ends(old[:-1], lines[:-1])
        between = len(lines) - 1 - same_above - same_below
        below = self.mixed_ends[len(self.mixed_ends) - same_below :]
        return [*self.mixed_ends[:same_above], *[self.newline] * between, *below]


def editable(text: str) -> EditableText:
    """Convert the text of a file to an editor's text."""
    marked = text.startswith(BYTE_ORDER_MARK)
    text = text.removeprefix(BYTE_ORDER_MARK)
    ends = _LINE_END.findall(text)
    newline = max(dict.fromkeys(ends), key=ends.count, default="\n")
    mixed = tuple(ends) if len(set(ends)) > 1 else ()
    return EditableText(_LINE_END.sub("\n", text), newline, marked, mixed)
