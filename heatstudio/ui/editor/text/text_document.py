"""Convert text to a QTextDocument and back, without loss."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QTextCursor, QTextDocument

from heatstudio.text import Span, TextEdit, ordered_edits
from heatstudio.text.span import shared_ends
from heatstudio.ui.documents.qt_text import DIRECT, QtPositions, from_qt, to_qt

_HEAD = 1000
"""The number of characters examined to detect JSON."""


def difference(old: str, new: str) -> list[TextEdit]:
    """Return the edit between the common start and the common end of two texts; none if they are equal."""
    if old == new:
        return []
    start, behind = shared_ends(old, new)
    return [TextEdit(Span(start, len(old) - behind), new[start : len(new) - behind])]


def selecting(cursor: QTextCursor, anchor: int, position: int) -> QTextCursor:
    """Select the text between two document positions, clamped to the document, and return the cursor."""
    last = cursor.document().characterCount() - 1
    cursor.setPosition(max(0, min(anchor, last)))
    cursor.setPosition(max(0, min(position, last)), QTextCursor.MoveMode.KeepAnchor)
    return cursor


class Piece(NamedTuple):
    """One part of a change."""

    position: int
    removed: int
    added: int
    line: int
    """The first line that is shifted."""
    more: int
    """The number of lines added; negative for removed ones."""


class TextDocument(QObject):
    """The text of a QTextDocument in code points, with LF line endings."""

    changed = Signal(int, int, int)
    """A change of the text: the UTF-16 position, the units removed, and the units added; see `pieces`."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._document = document
        self._text: str | None = None
        self._positions: QtPositions | None = None
        self.pieces: Sequence[Piece] = ()
        """The parts of the last change in order, as edits that are applied together can be far apart."""
        self._applied: Sequence[Piece] = ()
        self._collected: list[Piece] | None = None
        """The parts of the change that `one_change` will report."""
        self._lines = 1
        self.is_read_only = False
        """Whether `apply` ignores edits."""
        document.contentsChange.connect(self._note_change)

    def text(self) -> str:
        """Return the text; cached until the next change."""
        if self._text is None:
            self._text = from_qt(self._document.toRawText())
        return self._text

    def is_json(self) -> bool:
        """Return whether the text is JSON, by its first character."""
        return self.text()[:_HEAD].lstrip("\ufeff \t\n").startswith("{")

    def load(self, text: str) -> None:
        """Replace the whole text, and clear the undo history."""
        self._document.setPlainText(to_qt(text))
        self._document.setModified(False)
        self._text = text

    def positions(self) -> QtPositions:
        """Return the converter between code points and document positions."""
        if self._positions is None:
            is_direct = len(self.text()) == self._document.characterCount() - 1  # no character takes two units
            self._positions = DIRECT if is_direct else QtPositions(self.text())
        return self._positions

    def cursor(self, start: int, end: int) -> QTextCursor:
        """Return a cursor that selects between two code points, clamped to the text."""
        position = self.positions().position
        return selecting(QTextCursor(self._document), position(start), position(end))

    def apply(self, edits: Iterable[TextEdit]) -> None:
        """Apply edits that all refer to the current text, in one undo step.

        Raise OverlappingEditsError if two of them touch the same characters.
        """
        ordered = ordered_edits(edits)
        if not ordered or self.is_read_only:
            return
        position = self.positions().position
        replaced = [self.text()[edit.span.start : edit.span.end] for edit in ordered]
        places = [(position(edit.span.start), position(edit.span.end), to_qt(edit.text)) for edit in ordered]
        self._applied = [
            Piece(
                start,
                end - start,
                QtPositions(new).position(len(new)),
                self._line_behind(start),
                new.count("\n") - old.count("\n"),
            )
            for (start, end, new), old in zip(reversed(places), reversed(replaced), strict=True)
        ]
        cursor = QTextCursor(self._document)
        cursor.beginEditBlock()
        for start, end, text in reversed(places):
            selecting(cursor, start, end).insertText(text)
        cursor.endEditBlock()
        self._applied = ()

    @contextmanager
    def one_change(self) -> Iterator[None]:
        """Report all changes inside as one, with their pieces; they may be far apart, as those of many carets."""
        length = self._document.characterCount()
        self._collected = []
        yield
        pieces, self._collected = self._collected, None
        if pieces:
            start = min(piece.position for piece in pieces)
            end = 0
            for piece in pieces:  # the end of what changed, in the text after each piece
                end = max(end + piece.added - piece.removed, piece.position + piece.added)
            self.pieces = pieces
            by = self._document.characterCount() - length
            self.changed.emit(start, end - start - by, end - start)

    def _note_change(self, position: int, removed: int, added: int) -> None:
        self._text = self._positions = None
        more = self._document.blockCount() - self._lines
        self._lines += more
        pieces = self._applied or (Piece(position, removed, added, self._line_behind(position), more),)
        if self._collected is not None:
            self._collected += pieces
            return
        self.pieces = pieces
        self.changed.emit(position, removed, added)

    def _line_behind(self, position: int) -> int:
        """Return the first line that starts at a position or behind it."""
        block = self._document.findBlock(position)
        return block.blockNumber() + (1 if position > block.position() else 0)
