"""Lines that differ between two texts, as the margin shows them."""

from enum import Enum
from typing import NamedTuple


class LineChange(Enum):
    """The change of a line; the value is its sign in the margin."""

    KEPT = ""
    CHANGED = "~"
    ADDED = "+"
    DELETED = "-"
    MOVED = "↕"


class Hunk(NamedTuple):
    """Consecutive lines that differ between an old and a new text, as half-open ranges of both."""

    old: range
    new: range

    @property
    def change(self) -> LineChange:
        """Whether the lines were added, deleted or changed."""
        if not self.old:
            return LineChange.ADDED
        return LineChange.CHANGED if self.new else LineChange.DELETED

    def touches(self, line: int) -> bool:
        """Return whether a line of the new text is in the hunk, or next to its deleted lines."""
        return line in self.new or (not self.new and line in (self.new.start - 1, self.new.start))
