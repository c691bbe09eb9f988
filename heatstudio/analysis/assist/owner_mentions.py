"""Mentions of this template's parameters and outputs in parent templates, as properties and attributes."""

from collections.abc import Iterator, Mapping

from heatstudio.analysis.assist.reference_index import DEEPEST, Mention, Symbol, SymbolKind, reference_index
from heatstudio.stack.functions.language import Language
from heatstudio.stack.parent_templates import ParentTemplate
from heatstudio.stack.path import step
from heatstudio.template import Part, TreePath


def owner_mentions(owner: ParentTemplate, language: Language, symbol: Symbol) -> tuple[Mention, ...]:
    """Return the mentions of a nested template's parameter or output in a parent template."""
    if symbol.kind is SymbolKind.PARAMETER:
        return tuple(_properties(owner, owner.template.data, (), symbol.name))
    return tuple(_attributes(owner, language, symbol.name)) if symbol.kind is SymbolKind.OUTPUT else ()


def _properties(owner: ParentTemplate, data: object, path: TreePath, name: str) -> Iterator[Mention]:
    """Yield the uses of a property of the nested type, in resources and in member definitions."""
    if len(path) > DEEPEST:
        return
    words = owner.template.dialect
    if isinstance(data, Mapping):
        for kind, section in ((words.type, words.properties), ("type", "properties")):
            properties = data.get(section)
            if data.get(kind) in owner.types and isinstance(properties, Mapping) and name in properties:
                yield Mention(Symbol(SymbolKind.PROPERTY, name), (*path, section, name), Part.KEY)
                break
    entries = data.items() if isinstance(data, Mapping) else enumerate(data) if isinstance(data, list) else ()
    for key, value in entries:
        yield from _properties(owner, value, (*path, step(key)), name)


def _attributes(owner: ParentTemplate, language: Language, name: str) -> Iterator[Mention]:
    """Yield the uses of an attribute of resources of the nested type."""
    template = owner.template
    resources = template.section(template.dialect.resources)
    for mention in reference_index(template, language).mentions:
        if mention.symbol.kind is SymbolKind.ATTRIBUTE and mention.symbol.name == name:
            entry = resources.get(mention.symbol.owner)
            if isinstance(entry, Mapping) and entry.get(template.dialect.type) in owner.types:
                yield mention
