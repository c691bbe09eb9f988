"""Edits upon edits: what several rounds of edits do to a text, as one set of edits of the text as it was."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from heatstudio.text import Span, TextEdit, ordered_edits

Piece = Span | str
"""A part of a text: a span that was kept of the text as it was, or new text."""


class Composition:
    """A text that is edited again and again, which knows what is left of the text as it was."""

    def __init__(self, text: str) -> None:
        self._original = text
        self._pieces: list[Piece] = [Span(0, len(text))]

    @property
    def text(self) -> str:
        """The text as it is now."""
        kept = self._original
        return "".join(piece if isinstance(piece, str) else kept[piece.start : piece.end] for piece in self._pieces)

    def apply(self, edits: Iterable[TextEdit]) -> None:
        """Make edits of the text as it is now; raises OverlappingEditsError."""
        pieces: list[Piece] = []
        at = 0
        for edit in ordered_edits(edits):
            pieces += (*self._between(at, edit.span.start), edit.text)
            at = edit.span.end
        self._pieces = [*pieces, *self._between(at, sum(map(_length, self._pieces)))]

    def _between(self, start: int, end: int) -> Iterator[Piece]:
        """The pieces of a part of the text as it is now."""
        offset = 0
        for piece in self._pieces:
            first, last = max(start - offset, 0), min(end - offset, _length(piece))
            if first < last:
                yield piece[first:last] if isinstance(piece, str) else Span(piece.start + first, piece.start + last)
            offset += _length(piece)

    def edits(self) -> tuple[TextEdit, ...]:
        """What was done, as edits of the text as it was."""
        edits: list[TextEdit] = []
        at, added = 0, ""
        for piece in (*self._pieces, Span(len(self._original), len(self._original))):
            if isinstance(piece, str):
                added += piece
                continue
            if added != self._original[at : piece.start]:
                edits.append(TextEdit(Span(at, piece.start), added))
            at, added = piece.end, ""
        return tuple(edits)


def _length(piece: Piece) -> int:
    return len(piece) if isinstance(piece, str) else piece.end - piece.start
