"""Semantic tokens: the kinds of the names in a template."""

from collections.abc import Iterator

from lsprotocol.types import Range, SemanticTokens, SemanticTokensLegend

from heatstudio.analysis.assist.reference_index import SymbolKind, index_of
from heatstudio.lsp.workspace import View
from heatstudio.text import Span, checkpoint

_TYPES = {
    SymbolKind.RESOURCE: "variable",
    SymbolKind.PARAMETER: "parameter",
    SymbolKind.CONDITION: "event",
    SymbolKind.OUTPUT: "property",
    SymbolKind.MAPPING: "struct",
    SymbolKind.TYPE: "type",
    SymbolKind.FILE: "string",
    SymbolKind.ATTRIBUTE: "property",
    SymbolKind.PROPERTY: "property",
}
LEGEND = SemanticTokensLegend(sorted(set(_TYPES.values())), ["declaration"])


def semantic_tokens(view: View, within: Range | None = None) -> SemanticTokens:
    """Return the tokens of the names in a document or range; names on several lines are left out."""
    positions = view.positions
    wanted = positions.span(within) if within is not None else Span(0, len(view.document.text))
    data: list[int] = []
    line = character = 0
    for span, kind, is_definition in sorted(set(_tokens(view))):
        if wanted.start <= span.start <= wanted.end:
            place = positions.position(span.start)
            is_same_line = place.line == line
            data += (place.line - line, place.character - character * is_same_line)
            data += (positions.units(view.document.text[span.start : span.end]), kind, int(is_definition))
            line, character = place.line, place.character
    return SemanticTokens(data)


def _tokens(view: View) -> Iterator[tuple[Span, int, bool]]:
    template = view.analysis.template
    for mention in index_of(view.language.model).mentions if not view.is_environment else ():
        checkpoint()
        located = template.find(mention.path)
        span = located.span(mention.part) if located is not None else Span(0, 0)
        if span.start < span.end and "\n" not in template.text[span.start : span.end]:
            yield span, LEGEND.token_types.index(_TYPES[mention.symbol.kind]), mention.is_definition
