"""Definitions and references of names: in the template, environments and nested templates."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from heatstudio.analysis.assist.expectation import Role, expectation_at
from heatstudio.analysis.assist.placeholders import placeholder_at, placeholder_key, placeholder_uses
from heatstudio.analysis.assist.reference_index import Location, Mention, Symbol, SymbolKind, index_of, reference_index
from heatstudio.analysis.attribute_path import MEMBER_PREFIX
from heatstudio.analysis.scope.calls import maps
from heatstudio.analysis.scope.semantic_model import SemanticModel, value_at
from heatstudio.stack.definition.types import FoundType, Origin
from heatstudio.stack.functions.language import Language
from heatstudio.stack.groups.group_truth import at
from heatstudio.stack.inputs.environment import PARAMETER_DEFAULTS, PARAMETERS, RESOURCE_REGISTRY, EnvironmentFile
from heatstudio.stack.inputs.registry import RESOURCES, TEMPLATE_ENDINGS
from heatstudio.stack.parent_templates import ParentTemplate, type_names
from heatstudio.template import OffsetPlace, Part, Template, TreePath, parse_environment
from heatstudio.text import Span

NOWHERE = Span(0, 0)
MEMBER_TYPE, MEMBER_PROPERTIES = "type", "properties"
"""The keys of a member definition in every template language."""
_SECTIONS: Mapping[SymbolKind, tuple[TreePath, ...]] = {
    SymbolKind.PARAMETER: ((PARAMETERS,), (PARAMETER_DEFAULTS,), ("parameter_merge_strategies",)),
    SymbolKind.RESOURCE: ((RESOURCE_REGISTRY, RESOURCES),),
}
"""The sections of an environment that name parameters and resources of its template."""
_OF_NESTED: tuple[TreePath, ...] = _SECTIONS[SymbolKind.PARAMETER][1:]
"""The sections of an environment that name parameters of nested templates too."""


class FileMentions(Struct, frozen=True):
    """The mentions of a symbol in another file."""

    file: str
    template: Template
    """The content of the file; empty if it is unknown."""
    symbol: Symbol
    """The symbol in that file: a parameter or output for a property or attribute."""
    mentions: tuple[Mention, ...]

    @property
    def locations(self) -> Iterator[Location]:
        """The locations of the mentions."""
        return (locate(self.template, mention, self.file) for mention in self.mentions)

    @property
    def definitions(self) -> Iterator[Location]:
        """The locations of the definitions among the mentions."""
        return (location for location in self.locations if location.is_definition)


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
    inside = _inside(model, found, Symbol(SymbolKind.PARAMETER, str(place.path[-1])))
    yield from inside.definitions if inside is not None else ()


def _inside(model: SemanticModel, found: FoundType | None, symbol: Symbol) -> FileMentions | None:
    """Return the mentions of a symbol in a nested template; None if the type is no template."""
    if found is None or found.template is None:
        return None
    return FileMentions(found.target, found.template, symbol, index_of(model, found.template).of(symbol))


def catalog_type_at(model: SemanticModel, offset: int) -> str:
    """Return the catalog type named at an offset, directly or through the environment; empty if there is none."""
    found, path = symbol_at(model, offset), model.template.path_at(offset).path
    if found is None or found[0].kind is not SymbolKind.TYPE:
        return ""
    known = model.types.find(found[0].name, str(path[1]) if len(path) == 3 else "")
    return known.type.name if known.origin is Origin.CATALOG and known.type is not None else ""


def is_shared(model: SemanticModel, offset: int) -> bool:
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
    elsewhere = dict.fromkeys(_elsewhere(model, symbol, owners))
    return (*sorted(here, key=lambda location: location.span), *elsewhere)


def mentions_elsewhere(
    model: SemanticModel, symbol: Symbol, owners: Iterable[ParentTemplate]
) -> Iterator[FileMentions]:
    """Yield the mentions of a symbol in its nested template, in environments and in parent templates."""
    nested, sections = nested_mentions(model, symbol), _SECTIONS.get(symbol.kind, ())
    if nested is not None:
        yield nested
        sections = _OF_NESTED if nested.symbol.kind is SymbolKind.PARAMETER else ()
    own = model.types.environment.files
    yield from _in_environments(model, own, sections, symbol, model.template if nested is not None else None)
    seen = {file.name for file in own}
    for owner in owners:
        mentions = owner_mentions(owner, model.knowledge.language(owner.template.dialect), symbol)
        if mentions:
            yield FileMentions(str(owner.path), owner.template, symbol, mentions)
        others = [file for file in owner.environments if file.name not in seen]
        seen |= {file.name for file in others}
        sections = _OF_NESTED if symbol.kind is SymbolKind.PARAMETER else ()
        yield from _in_environments(model, others, sections, symbol, owner.template)


def _in_environments(
    model: SemanticModel,
    files: Iterable[EnvironmentFile],
    sections: Iterable[TreePath],
    symbol: Symbol,
    parent: Template | None,
) -> Iterator[FileMentions]:
    """Yield the mentions in environments, without a text if they also mean a parameter of the parent template."""
    is_shared = parent is not None and symbol.name in parent.section(parent.dialect.parameters)
    for file in files:
        entries = ((section, at(file.data, section)) for section in sections)
        named = [section for section, names in entries if isinstance(names, dict) and symbol.name in names]
        if named:
            mentions = tuple(Mention(symbol, (*section, symbol.name), Part.KEY) for section in named)
            written = parse_environment("") if is_shared else _environment(model, file)
            yield FileMentions(file.name, written, symbol, mentions)


def mentions_of(model: SemanticModel, symbol: Symbol) -> tuple[Mention, ...]:
    """Return the mentions of a symbol; for a nested template's property, in all resources of that template."""
    index = index_of(model)
    nested = nested_mentions(model, symbol)
    if nested is None:
        return index.of(symbol)
    same = (one for one in index.mentions if (one.symbol.kind, one.symbol.name) == (symbol.kind, symbol.name))
    owners = ((mention, model.found_type(mention.symbol.owner)) for mention in same)
    found = [mention for mention, owner in owners if owner is not None and owner.target == nested.file]
    known = {mention.path for mention in found}
    return (*found, *(mention for mention in _of_members(model, nested) if mention.path not in known))


def _of_members(model: SemanticModel, nested: FileMentions) -> tuple[Mention, ...]:
    """Return the mentions of a nested template's parameter in member definitions."""
    types = frozenset(name for name in type_names(model.template.data) if model.types.find(name).target == nested.file)
    owner = ParentTemplate(Path(), model.template, types)
    is_parameter = nested.symbol.kind is SymbolKind.PARAMETER
    return owner_mentions(owner, model.language, nested.symbol) if is_parameter else ()


def nested_mentions(model: SemanticModel, symbol: Symbol) -> FileMentions | None:
    """Return the mentions of a property or attribute in the nested template that defines it, or None."""
    if symbol.kind not in (SymbolKind.PROPERTY, SymbolKind.ATTRIBUTE):
        return None
    kind = SymbolKind.PARAMETER if symbol.kind is SymbolKind.PROPERTY else SymbolKind.OUTPUT
    return _inside(model, model.found_type(symbol.owner), Symbol(kind, symbol.name))


def locate(template: Template, mention: Mention, file: str | None = None) -> Location:
    """Return the location of a mention."""
    return Location(template.locate(mention.path, mention.part), file, mention.is_definition)


def file_links(model: SemanticModel) -> Iterator[tuple[Span, str]]:
    """Yield the span of each name of a file, or of a type that a file defines, and the file."""
    for mention in index_of(model).mentions:
        if mention.symbol.kind in (SymbolKind.FILE, SymbolKind.TYPE):
            found = _definitions(model, mention.symbol, str(mention.path[1]) if len(mention.path) > 1 else "")
            file = next((one.file for one in found if one.file is not None), None)
            if file is not None:
                yield locate(model.template, mention).span, file


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
    nested, is_attribute = nested_mentions(model, symbol), symbol.kind is SymbolKind.ATTRIBUTE
    if nested is not None:
        yield from nested.definitions
        if is_attribute and symbol.name.startswith(MEMBER_PREFIX):
            name = symbol.name.removeprefix(MEMBER_PREFIX).partition(".")[0]
            inner = _inside(model, model.found_type(symbol.owner), Symbol(SymbolKind.RESOURCE, name))
            yield from inner.definitions if inner is not None else ()
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
            mention = Mention(Symbol(SymbolKind.TYPE, name), origin.path, Part.KEY, is_definition=True)
            file = next(one for one in environment.files if one.name == origin.file)
            yield locate(_environment(model, file), mention, origin.file)
            return


def _elsewhere(model: SemanticModel, symbol: Symbol, owners: Iterable[ParentTemplate]) -> Iterator[Location]:
    if symbol.kind is SymbolKind.TYPE:
        yield from _type_definitions(model, symbol.name)
    elif symbol.kind is SymbolKind.FILE:
        yield Location(NOWHERE, symbol.name, is_definition=True)
    for found in mentions_elsewhere(model, symbol, owners):
        yield from found.locations


def _environment(model: SemanticModel, file: EnvironmentFile) -> Template:
    """Return an environment as written; empty if its text is unknown."""
    return parse_environment(file.text or model.file_text(file.name) or "")


def owner_mentions(owner: ParentTemplate, language: Language, symbol: Symbol) -> tuple[Mention, ...]:
    """Return the mentions of a nested template's parameter or output in a parent template."""
    if symbol.kind is SymbolKind.PARAMETER:
        return tuple(_properties(owner, symbol.name))
    return tuple(_attributes(owner, language, symbol.name)) if symbol.kind is SymbolKind.OUTPUT else ()


def _properties(owner: ParentTemplate, name: str) -> Iterator[Mention]:
    """Yield the uses of a property of the nested type, in resources and in member definitions."""
    words = owner.template.dialect
    for data, path in maps(owner.template.data, ()):
        for kind, section in ((words.type, words.properties), ("type", "properties")):
            properties = data.get(section)
            if data.get(kind) in owner.types and isinstance(properties, Mapping) and name in properties:
                yield Mention(Symbol(SymbolKind.PROPERTY, name), (*path, section, name), Part.KEY)
                break


def _attributes(owner: ParentTemplate, language: Language, name: str) -> Iterator[Mention]:
    """Yield the uses of an attribute of resources of the nested type."""
    template = owner.template
    resources = template.section(template.dialect.resources)
    for mention in reference_index(template, language).mentions:
        if mention.symbol.kind is SymbolKind.ATTRIBUTE and mention.symbol.name == name:
            entry = resources.get(mention.symbol.owner)
            if isinstance(entry, Mapping) and entry.get(template.dialect.type) in owner.types:
                yield mention
