"""Definitions and references of names: in the template, environments and nested templates."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from heatstudio.analysis.assist.expectation import Role, expectation_at
from heatstudio.analysis.assist.location import NOWHERE, Location
from heatstudio.analysis.assist.owner_mentions import owner_mentions
from heatstudio.analysis.assist.placeholders import placeholder_at, placeholder_key, placeholder_uses
from heatstudio.analysis.assist.reference_index import Mention, ReferenceIndex, Symbol, SymbolKind, reference_index
from heatstudio.analysis.assist.semantic_model import SemanticModel, file_text, found_type, language_of, value_at
from heatstudio.analysis.attribute_path import MEMBER_PREFIX
from heatstudio.stack.definition.types import FoundType, Origin
from heatstudio.stack.groups.group_places import at
from heatstudio.stack.inputs.environment import PARAMETER_DEFAULTS, PARAMETERS, RESOURCE_REGISTRY
from heatstudio.stack.inputs.registry import RESOURCES, TEMPLATE_ENDINGS
from heatstudio.stack.parent_templates import ParentTemplate, type_names
from heatstudio.template import OffsetPlace, Part, Template, parse_environment
from heatstudio.template import Path as TemplatePath
from heatstudio.text import Span

MEMBER_TYPE, MEMBER_PROPERTIES = "type", "properties"
"""The keys of a member definition in every template language."""


def index_of(model: SemanticModel) -> ReferenceIndex:
    """Return the reference index of the model's template."""
    return reference_index(model.template, language_of(model))


def symbol_at(model: SemanticModel, offset: int) -> tuple[Symbol, Span] | None:
    """Return the symbol at an offset and its span."""
    place = model.template.path_at(offset)
    if place.node is None:
        return None
    symbol = index_of(model).at(place.path, place.part) or _type_of_members(model, place)
    return (symbol, place.span) if symbol is not None else None


def _type_of_members(model: SemanticModel, place: OffsetPlace) -> Symbol | None:
    """Return the type named in the member definition of a group, or None."""
    name = value_at(model.template, place.path)
    if place.part is not Part.VALUE or not isinstance(name, str):
        return None
    return Symbol(SymbolKind.TYPE, name) if expectation_at(model, place.path).role is Role.TYPE else None


def definition_at(model: SemanticModel, offset: int) -> tuple[Location, ...]:
    """Return the definitions of the name at an offset."""
    found, place = symbol_at(model, offset), model.template.path_at(offset)
    if found is None:
        return (*_property_of_members(model, place), *_other_end(model, offset))
    path = place.path
    resource = str(path[1]) if len(path) == 3 else ""
    return tuple(dict.fromkeys(_definitions(model, found[0], resource)))


def _other_end(model: SemanticModel, offset: int) -> tuple[Location, ...]:
    """Return the key of a placeholder that is in a text, or the first use of a placeholder that is a key."""
    found = placeholder_at(model, offset)
    if found is None:
        return ()
    return placeholder_uses(model, found)[:1] if found.at_key else (placeholder_key(model, found),)


def _property_of_members(model: SemanticModel, place: OffsetPlace) -> Iterator[Location]:
    """Yield the nested template's parameter that a property in a member definition sets."""
    if place.part is not Part.KEY or place.path[-2:-1] != (MEMBER_PROPERTIES,):
        return
    kind = value_at(model.template, (*place.path[:-2], MEMBER_TYPE))
    found = model.types.find(kind) if isinstance(kind, str) else None
    if found is not None and found.template is not None:
        yield from _inside(model, found, Symbol(SymbolKind.PARAMETER, str(place.path[-1])))


def _inside(model: SemanticModel, found: FoundType, symbol: Symbol) -> Iterator[Location]:
    """Yield the definition of a symbol in a nested template."""
    if found.template is not None:
        index = reference_index(found.template, model.knowledge.language(found.template.dialect))
        definition = index.definition(symbol)
        if definition is not None:
            yield locate(found.template, definition, found.target)


def catalog_type_at(model: SemanticModel, offset: int) -> str:
    """Return the catalog type named at an offset, directly or through the environment; empty if there is none."""
    found, path = symbol_at(model, offset), model.template.path_at(offset).path
    if found is None or found[0].kind is not SymbolKind.TYPE:
        return ""
    known = model.types.find(found[0].name, str(path[1]) if len(path) == 3 else "")
    return known.type.name if known.origin is Origin.CATALOG and known.type is not None else ""


def is_seen_outside(model: SemanticModel, offset: int) -> bool:
    """Return whether parent templates may refer to the name at an offset."""
    found = symbol_at(model, offset)
    return found is not None and found[0].kind in (SymbolKind.PARAMETER, SymbolKind.OUTPUT)


def references_at(model: SemanticModel, offset: int, owners: Iterable[ParentTemplate] = ()) -> tuple[Location, ...]:
    """Return all references of the name at an offset: in this template in text order, then in other files.

    `owners` are parent templates.
    """
    found, placeholder = symbol_at(model, offset), placeholder_at(model, offset)
    if found is None:
        ends = (placeholder_key(model, placeholder), *placeholder_uses(model, placeholder)) if placeholder else ()
        return tuple(sorted(ends, key=lambda end: (end.file or "", end.span)))
    symbol = found[0]
    here = {locate(model.template, mention) for mention in mentions_of(model, symbol)}
    elsewhere = (*_elsewhere(model, symbol), *_in_owners(model, symbol, owners))
    return (*sorted(here, key=lambda location: location.span), *dict.fromkeys(elsewhere))


def _in_owners(model: SemanticModel, symbol: Symbol, owners: Iterable[ParentTemplate]) -> Iterator[Location]:
    for owner in owners:
        for mention in owner_mentions(owner, model.knowledge.language(owner.template.dialect), symbol):
            yield locate(owner.template, mention, str(owner.path))


def mentions_of(model: SemanticModel, symbol: Symbol) -> tuple[Mention, ...]:
    """Return the mentions of a symbol; for a nested template's property, in all resources of that template."""
    index = index_of(model)
    nested = nested_template(model, symbol)
    if symbol.kind not in (SymbolKind.PROPERTY, SymbolKind.ATTRIBUTE) or nested is None:
        return index.of(symbol)
    same = (mention for mention in index.mentions if mention.symbol.kind is symbol.kind)
    found = [
        mention
        for mention in same
        if mention.symbol.name == symbol.name and _is_same(nested_template(model, mention.symbol), nested)
    ]
    known = {mention.path for mention in found}
    return (*found, *(mention for mention in _of_members(model, symbol, nested) if mention.path not in known))


def _of_members(model: SemanticModel, symbol: Symbol, nested: FoundType) -> tuple[Mention, ...]:
    """Return the mentions of the same property in member definitions."""
    types = frozenset(name for name in type_names(model.template.data) if _is_same(model.types.find(name), nested))
    owner = ParentTemplate(Path(), model.template, types)
    return (
        owner_mentions(owner, language_of(model), nested_symbol(symbol)) if symbol.kind is SymbolKind.PROPERTY else ()
    )


def _is_same(found: FoundType | None, other: FoundType) -> bool:
    return found is not None and found.target == other.target


def nested_template(model: SemanticModel, symbol: Symbol) -> FoundType | None:
    """Return the nested template that defines a symbol."""
    if symbol.kind not in (SymbolKind.PROPERTY, SymbolKind.ATTRIBUTE):
        return None
    found = found_type(model, symbol.owner)
    return found if found is not None and found.template is not None else None


def nested_symbol(symbol: Symbol) -> Symbol:
    """Return the parameter or output of the nested template that corresponds to a property or attribute."""
    kind = SymbolKind.PARAMETER if symbol.kind is SymbolKind.PROPERTY else SymbolKind.OUTPUT
    return Symbol(kind, symbol.name)


def locate(template: Template, mention: Mention, file: str | None = None) -> Location:
    """Return the location of a mention."""
    return Location(template.locate(mention.path, mention.part), file, mention.is_definition)


def _definitions(model: SemanticModel, symbol: Symbol, resource: str) -> Iterator[Location]:
    definition = index_of(model).definition(symbol)
    if definition is not None:
        yield locate(model.template, definition)
    match symbol.kind:
        case SymbolKind.FILE:
            yield Location(NOWHERE, symbol.name, is_definition=True)
        case SymbolKind.TYPE:
            yield from _type_definitions(model, symbol.name, resource)
        case SymbolKind.PROPERTY | SymbolKind.ATTRIBUTE:
            yield from _definitions_of_member(model, symbol)
        case _:
            pass


def _definitions_of_member(model: SemanticModel, symbol: Symbol) -> Iterator[Location]:
    """Yield the definition in the nested template, including `resource.NAME`, else the definition of the resource."""
    found, is_attribute = nested_template(model, symbol), symbol.kind is SymbolKind.ATTRIBUTE
    if found is not None:
        yield from _inside(model, found, nested_symbol(symbol))
        if is_attribute and symbol.name.startswith(MEMBER_PREFIX):
            name = symbol.name.removeprefix(MEMBER_PREFIX).partition(".")[0]
            yield from _inside(model, found, Symbol(SymbolKind.RESOURCE, name))
    elif is_attribute:
        owner = index_of(model).definition(Symbol(SymbolKind.RESOURCE, symbol.owner))
        if owner is not None:
            yield locate(model.template, owner)


def _type_definitions(model: SemanticModel, name: str, resource: str = "") -> Iterator[Location]:
    """Yield the file of a nested template, and the environment entry that maps the type."""
    found = model.types.find(name, resource)
    if found.target.endswith(TEMPLATE_ENDINGS):
        yield Location(NOWHERE, found.target, is_definition=True)
    environment = model.types.environment
    data = {one.name: one.data for one in environment.files}
    for path in ((RESOURCE_REGISTRY, RESOURCES, resource, name), (RESOURCE_REGISTRY, name)):
        origin = environment.origin(*path)
        if origin is not None and at(data.get(origin.file), origin.path) is not None:
            yield Location(environment_span(model, origin.file, origin.path), origin.file, is_definition=True)
            return


def _elsewhere(model: SemanticModel, symbol: Symbol) -> Iterator[Location]:
    match symbol.kind:
        case SymbolKind.PROPERTY | SymbolKind.ATTRIBUTE:
            yield from _nested(model, symbol)
        case SymbolKind.TYPE:
            yield from _type_definitions(model, symbol.name)
        case SymbolKind.FILE:
            yield Location(NOWHERE, symbol.name, is_definition=True)
        case _:
            for file, path in environment_mentions(model, symbol):
                yield Location(environment_span(model, file, path), file)


def _nested(model: SemanticModel, symbol: Symbol) -> Iterator[Location]:
    found = nested_template(model, symbol)
    if found is not None and found.template is not None:
        index = reference_index(found.template, model.knowledge.language(found.template.dialect))
        for mention in index.of(nested_symbol(symbol)):
            yield locate(found.template, mention, found.target)


def environment_mentions(model: SemanticModel, symbol: Symbol) -> Iterator[tuple[str, TemplatePath]]:
    """Yield the environment files that name a parameter or resource, with the path of the key."""
    sections: tuple[TemplatePath, ...] = ()
    if symbol.kind is SymbolKind.PARAMETER:
        sections = ((PARAMETERS,), (PARAMETER_DEFAULTS,), ("parameter_merge_strategies",))
    elif symbol.kind is SymbolKind.RESOURCE:
        sections = ((RESOURCE_REGISTRY, RESOURCES),)
    for file in model.types.environment.files:
        for section in sections:
            names = at(file.data, section)
            if isinstance(names, dict) and symbol.name in names:
                yield file.name, (*section, symbol.name)


def environment_span(model: SemanticModel, file: str, path: TemplatePath) -> Span:
    """Return the span of a key in an environment file, or the start of the file if its text is unknown."""
    text = file_text(model, file)
    return parse_environment(text).locate(path, Part.KEY) if text is not None else NOWHERE
