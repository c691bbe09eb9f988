"""Inlay hints with the current values of parameters and conditions."""

from collections.abc import Iterator

from msgspec import Struct

from heatstudio.analysis.assist.hover import parameter_value
from heatstudio.analysis.assist.outline import condition_now
from heatstudio.analysis.assist.reference_index import Symbol, SymbolKind
from heatstudio.analysis.assist.references import index_of
from heatstudio.analysis.assist.semantic_model import SemanticModel
from heatstudio.text import Span


class ValueHint(Struct, frozen=True, order=True):
    """The current value of a name."""

    offset: int
    """The end of the name."""
    value: str
    """The value in one short line, masked for a hidden parameter."""
    name: str


def value_hints(model: SemanticModel, within: Span) -> tuple[ValueHint, ...]:
    """Return the hints of the parameters and conditions used in a span, in text order."""
    return tuple(sorted(set(_hints(model, within))))


def _hints(model: SemanticModel, within: Span) -> Iterator[ValueHint]:
    for mention in index_of(model).mentions:
        if mention.is_definition or mention.symbol.kind not in (SymbolKind.PARAMETER, SymbolKind.CONDITION):
            continue
        located = model.template.find(mention.path)
        span = located.span(mention.part) if located is not None else None
        if span is None or not (within.start <= span.end and span.start <= within.end):
            continue
        value = _value(model, mention.symbol)
        if value:
            yield ValueHint(span.end, value, mention.symbol.name)


def _value(model: SemanticModel, symbol: Symbol) -> str:
    """Return the value in one line; empty if unknown."""
    if symbol.kind is SymbolKind.CONDITION:
        return condition_now(model.stack, symbol.name)
    return parameter_value(model, symbol.name)
