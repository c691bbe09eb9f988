"""Inline hints: the current values of parameters and conditions, and the consequences of changing properties."""

from collections.abc import Iterator

from msgspec import Struct

from heatstudio.analysis.assist.hover import parameter_value
from heatstudio.analysis.assist.outline import condition_now
from heatstudio.analysis.assist.reference_index import SymbolKind, index_of
from heatstudio.analysis.resource_graph import written_links
from heatstudio.analysis.scope.semantic_model import SemanticModel, map_at, names_in, value_at
from heatstudio.catalog.schema import ResourceType
from heatstudio.template import Part, TreePath
from heatstudio.text import Span, counted
from heatstudio.update.decision.property_effect import property_effect
from heatstudio.update.plan.outcome import Outcome

_LEAVE_ALONE = (Outcome.UPDATED.word, Outcome.UNCHANGED.word)


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
        name, is_condition = mention.symbol.name, mention.symbol.kind is SymbolKind.CONDITION
        value = condition_now(model.stack, name) if is_condition else parameter_value(model, name)
        if value:
            yield ValueHint(span.end, value, name)


def consequences(model: SemanticModel) -> Iterator[tuple[int, str]]:
    """Yield the end offset of each property name and the consequence, such as `if changed: replaced`."""
    words, links = model.words, written_links(model.stack)
    for name in names_in(model.template, words.resources):
        found, path = model.type_of(name), (words.resources, name, words.properties)
        if found is None:
            continue
        dependents = len(links[name].needed_by) if name in links else 0
        yield from _of_type(model, found, path, dependents)
        members = model.knowledge.update_behavior(found).members
        definition = (*path, members.definition) if members is not None and members.definition else ()
        kind = value_at(model.template, (*definition, "type")) if definition else None
        member = model.types.find(kind).type if isinstance(kind, str) and kind else None
        if member is not None:
            yield from _of_type(model, member, (*definition, "properties"), dependents)


def _of_type(model: SemanticModel, kind: ResourceType, path: TreePath, dependents: int) -> Iterator[tuple[int, str]]:
    behavior, written = model.knowledge.update_behavior(kind), map_at(model.template, path)
    for key in map(str, written):
        located = model.template.find((*path, key))
        if located is not None and key in kind.properties:
            outcome = property_effect(kind, behavior, key, written).words
            spreads = dependents and outcome not in _LEAVE_ALONE
            further = f", {counted(dependents, 'dependent')}" if spreads else ""
            yield located.span(Part.KEY).end, f"if changed: {outcome}{further}"
