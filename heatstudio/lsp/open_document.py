"""An open document, and its positions in the units of the client: UTF-8, UTF-16 or UTF-32."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

from lsprotocol.types import (
    Position,
    PositionEncodingKind,
    Range,
    TextDocumentContentChangeEvent,
    TextDocumentContentChangePartial,
)
from msgspec import Struct
from pygls.uris import to_fs_path

from heatstudio.template import is_environment, parse_template
from heatstudio.template.dialect import names_version
from heatstudio.text import LineIndex, Span
from heatstudio.text import Position as TextPosition


class Positions(Struct, frozen=True, eq=False, dict=True):
    """Converts between offsets of a text and positions of the protocol."""

    text: str
    encoding: PositionEncodingKind

    @cached_property
    def _lines(self) -> LineIndex:
        """Where lines begin; a lone carriage return ends a line of the protocol as well."""
        return LineIndex(self.text.replace("\r\n", " \n").replace("\r", "\n") if "\r" in self.text else self.text)

    def position(self, offset: int) -> Position:
        """Return the position of an offset."""
        line, character = self._lines.position(offset)
        start = offset - character
        return Position(line, self.units(self.text[start:offset]))

    def offset(self, position: Position) -> int:
        """Return the offset of a position; what is behind the end of a line or of the text is clamped to it."""
        if position.line >= len(self._lines):
            return len(self.text)
        start, end = self._lines.line_span(position.line)
        line = self.text[start:end]
        if line.isascii() or self.encoding is PositionEncodingKind.Utf32:
            return start + min(position.character, len(line))
        units = 0
        for index, character in enumerate(line):
            units += self._width(character)
            if units > position.character:
                return start + index
        return end

    def range(self, span: Span) -> Range:
        """Return the range of a span."""
        return Range(self.position(span.start), self.position(span.end))

    def span(self, range_: Range) -> Span:
        """Return the span of a range; one that ends before its start is empty."""
        start = self.offset(range_.start)
        return Span(start, max(start, self.offset(range_.end)))

    def line(self, offset: int) -> int:
        """Return the line of an offset, counted from 0."""
        return self._lines.position(offset).line

    def from_code_points(self, position: TextPosition) -> Position:
        """Return a position that counts code points in the units of the client."""
        return self.position(self._lines.offset(position))

    def units(self, text: str) -> int:
        """Return the length of a text without line ends."""
        if text.isascii() or self.encoding is PositionEncodingKind.Utf32:
            return len(text)
        return sum(map(self._width, text))

    def _width(self, character: str) -> int:
        code = ord(character)
        if self.encoding is PositionEncodingKind.Utf16:
            return 1 + (code > 0xFFFF)
        return 1 + (code > 0x7F) + (code > 0x7FF) + (code > 0xFFFF)


class OpenDocument(Struct, frozen=True, eq=False, dict=True):
    """One version of a document that the client has open."""

    uri: str
    version: int
    positions: Positions

    @property
    def text(self) -> str:
        """The text as the client has it."""
        return self.positions.text

    @cached_property
    def path(self) -> Path | None:
        """The file; None for a document that has none yet."""
        return path_of(self.uri)

    @cached_property
    def is_heat(self) -> bool:
        """Whether it is a template or an environment, or still empty, rather than any other YAML or JSON."""
        text = self.text
        return names_version(text) or not text.strip("\ufeff \t\r\n") or is_environment(parse_template(text).data)

    def changed(self, version: int, changes: Iterable[TextDocumentContentChangeEvent]) -> OpenDocument:
        """Return the document after changes, each of which counts in the text that the one before it left."""
        positions = self.positions
        for change in changes:
            text = change.text
            if isinstance(change, TextDocumentContentChangePartial):
                start, end = positions.span(change.range)
                text = positions.text[:start] + text + positions.text[end:]
            positions = Positions(text, positions.encoding)
        return OpenDocument(self.uri, version, positions)


def path_of(uri: str) -> Path | None:
    """Return the file of a URI; None if it names none."""
    found = to_fs_path(uri) if uri.startswith("file:") else None
    return Path(found) if found else None
