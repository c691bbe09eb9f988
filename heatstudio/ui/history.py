"""Where the caret was, to go back there."""

from __future__ import annotations

from msgspec import Struct

from heatstudio.ui.document import Document

_FAR = 400
"""Characters between two places that are worth remembering apart."""
_MOST = 100


class Stop(Struct, frozen=True):
    """A place in a document."""

    document: Document
    offset: int


class History:
    """A walk along stops, as a browser keeps it: going somewhere new forgets what was ahead."""

    def __init__(self) -> None:
        self._stops: list[Stop] = []
        self._at = -1

    def visit(self, stop: Stop) -> None:
        """Remembers a stop; small steps only move the last one."""
        last = self._stops[self._at] if self._at >= 0 else None
        near = last is not None and last.document is stop.document and abs(last.offset - stop.offset) < _FAR
        if near:
            self._stops[self._at] = stop
        else:
            self._stops = [*self._stops[: self._at + 1], stop][-_MOST:]
            self._at = len(self._stops) - 1

    def forget(self, document: Document) -> None:
        """Leaves out a document that was closed."""
        ahead = sum(stop.document is not document for stop in self._stops[: self._at + 1])
        self._stops = [stop for stop in self._stops if stop.document is not document]
        self._at = ahead - 1

    def back(self) -> Stop | None:
        """The stop before; None at the beginning."""
        if self._at <= 0:
            return None
        self._at -= 1
        return self._stops[self._at]

    def forward(self) -> Stop | None:
        """The stop after; None at the end."""
        if self._at + 1 >= len(self._stops):
            return None
        self._at += 1
        return self._stops[self._at]
