"""Folding ranges and selection ranges."""

from collections.abc import Iterator

from lsprotocol.types import FoldingRange, Position, SelectionRange

from heatstudio.lsp.workspace import View
from heatstudio.template import Template
from heatstudio.template.enclosing_spans import enclosing_spans
from heatstudio.template.syntax.nodes import MappingNode, Node, walk
from heatstudio.text import Span


def folding_ranges(view: View) -> list[FoldingRange]:
    """Return the ranges of the sections, entries and maps that span several lines."""
    positions, text = view.positions, view.document.text
    ends: dict[int, int] = {}
    for span in _pairs(view.analysis.template):
        written = len(text[span.start : span.end].rstrip())
        if "\n" in text[span.start : span.start + written]:
            start = positions.line(span.start)
            ends[start] = max(ends.get(start, 0), positions.line(span.start + written))
    return [FoldingRange(start, end) for start, end in sorted(ends.items()) if end > start]


def _pairs(template: Template) -> Iterator[Span]:
    """Yield the spans of all keys with their values."""
    for section in template.reading.sections:
        yield Span(section.start, section.end)
        for placed in section.placed:
            yield Span(placed.start, placed.end)
            yield from _inside(placed.entry.value, placed.shift)
        if section.value is not None and not section.placed:
            yield from _inside(section.value, section.shift)


def _inside(value: Node, shift: int) -> Iterator[Span]:
    for node in walk(value):
        for key, below in node.pairs if isinstance(node, MappingNode) else ():
            yield Span(key.start, max(key.end, below.end)).shifted(shift)


def selection_range(view: View, position: Position) -> SelectionRange:
    """Return the nested ranges at a position: the word, the value, the key with its value, up to the whole text."""
    whole, *inside = enclosing_spans(view.analysis.template, view.positions.offset(position))
    found = SelectionRange(view.positions.range(whole))
    for span in inside:
        found = SelectionRange(view.positions.range(span), found)
    return found
