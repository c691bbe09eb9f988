"""An open document, with positions in the client's encoding: UTF-8, UTF-16 or UTF-32."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from functools import cached_property
from itertools import accumulate
from pathlib import Path

from lsprotocol import types
from msgspec import Struct
from pygls.uris import to_fs_path

from heatstudio.template.environment_file import TextKind, kind_of_text
from heatstudio.text import LineIndex, Position, Span

_UNITS = {
    types.PositionEncodingKind.Utf8: ("utf-8", 1),
    types.PositionEncodingKind.Utf16: ("utf-16-le", 2),
    types.PositionEncodingKind.Utf32: ("utf-32-le", 4),
}
"""The codec of each encoding, and the bytes of a code unit."""


class ProtocolPositions(Struct, frozen=True, eq=False, dict=True):
    """A converter between offsets of a text and LSP positions."""

    text: str
    encoding: types.PositionEncodingKind

    @cached_property
    def _lines(self) -> LineIndex:
        """The line index; in LSP, a lone carriage return also ends a line."""
        return LineIndex(self.text.replace("\r\n", " \n").replace("\r", "\n") if "\r" in self.text else self.text)

    def position(self, offset: int) -> types.Position:
        """Return the position of an offset."""
        line, character = self._lines.position(offset)
        start = offset - character
        return types.Position(line, self.units(self.text[start:offset]))

    def offset(self, position: types.Position) -> int:
        """Return the offset of a position, clamped to the end of the line or of the text."""
        if position.line >= len(self._lines):
            return len(self.text)
        start, end = self._lines.line_span(position.line)
        line = self.text[start:end]
        if line.isascii():
            return start + min(position.character, len(line))
        return start + bisect_right([*accumulate(map(self.units, line))], position.character)

    def range(self, span: Span) -> types.Range:
        """Return the range of a span."""
        return types.Range(self.position(span.start), self.position(span.end))

    def span(self, range_: types.Range) -> Span:
        """Return the span of a range; empty if the range ends before its start."""
        start = self.offset(range_.start)
        return Span(start, max(start, self.offset(range_.end)))

    def line(self, offset: int) -> int:
        """Return the zero-based line of an offset."""
        return self._lines.position(offset).line

    def from_code_points(self, position: Position) -> types.Position:
        """Return a position in the client's encoding, given a position in code points."""
        return self.position(self._lines.offset(position))

    def units(self, text: str) -> int:
        """Return the length of a text in code units of the client's encoding; the text must have no line ends."""
        name, size = _UNITS[self.encoding]
        return len(text) if text.isascii() else len(text.encode(name, "surrogatepass")) // size


class OpenDocument(Struct, frozen=True, eq=False, dict=True):
    """One version of a document that is open in the client, or of a file on disk."""

    uri: str
    version: int | None
    """None for a file on disk."""
    positions: ProtocolPositions

    @property
    def text(self) -> str:
        """The text of this version."""
        return self.positions.text

    @cached_property
    def path(self) -> Path | None:
        """The path of the file; None for an unsaved document."""
        return path_of(self.uri)

    @cached_property
    def is_heat(self) -> bool:
        """Whether the document is a template, an environment or empty, and not other YAML or JSON."""
        name = self.path.name if self.path is not None else ""
        return not self.text.strip("\ufeff \t\r\n") or kind_of_text(self.text, name) is not TextKind.OTHER

    def changed(self, version: int, changes: Iterable[types.TextDocumentContentChangeEvent]) -> OpenDocument:
        """Return the document after changes; each change refers to the text after the previous change."""
        positions = self.positions
        for change in changes:
            text = change.text
            if isinstance(change, types.TextDocumentContentChangePartial):
                start, end = positions.span(change.range)
                text = positions.text[:start] + text + positions.text[end:]
            positions = ProtocolPositions(text, positions.encoding)
        return OpenDocument(self.uri, version, positions)


def path_of(uri: str) -> Path | None:
    """Return the path in a `file:` URI; None for any other URI."""
    found = to_fs_path(uri) if uri.startswith("file:") else None
    return Path(found) if found else None
