"""Where a name is defined, and everywhere it is used: in the template, in environments, in nested templates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from heatstudio.analysis.assistance.desk import Desk, file_text, found_type, language_of, value_at
from heatstudio.analysis.assistance.expectation import Role, expectation_at
from heatstudio.analysis.assistance.location import NOWHERE, Location
from heatstudio.analysis.assistance.owner_mentions import owner_mentions
from heatstudio.analysis.assistance.placeholders import placeholder_at, placeholder_key, placeholder_uses
from heatstudio.analysis.assistance.reference_index import (
    Mention,
    ReferenceIndex,
    Symbol,
    SymbolKind,
    reference_index,
)
from heatstudio.stack.groups.group_places import at
from heatstudio.stack.inputs.environment import PARAMETER_DEFAULTS, PARAMETERS, RESOURCE_REGISTRY
from heatstudio.stack.inputs.registry import RESOURCES, TEMPLATE_ENDINGS
from heatstudio.stack.load_owners import Owner, type_names
from heatstudio.stack.types import FoundType, Origin
from heatstudio.template import Part, Place, Template, parse_environment
from heatstudio.template import Path as TemplatePath
from heatstudio.text import Span

MEMBER_TYPE, MEMBER_PROPERTIES = "type", "properties"
"""The words of definitions of members, whatever the language of the template."""
OF_RESOURCE = "resource."


def index_of(desk: Desk) -> ReferenceIndex:
    """The names of the template and their places."""
    return reference_index(desk.template, language_of(desk))


def symbol_at(desk: Desk, offset: int) -> tuple[Symbol, Span] | None:
    """The symbol that is written at an offset, and its place."""
    place = desk.template.path_at(offset)
    if place.node is None:
        return None
    symbol = index_of(desk).at(place.path, place.part) or _type_of_members(desk, place)
    return (symbol, place.span) if symbol is not None else None


def _type_of_members(desk: Desk, place: Place) -> Symbol | None:
    """The type that the definition of a group's members names."""
    name = value_at(desk.template, place.path)
    if place.part is not Part.VALUE or not isinstance(name, str):
        return None
    return Symbol(SymbolKind.TYPE, name) if expectation_at(desk, place.path).role is Role.TYPE else None


def definition_at(desk: Desk, offset: int) -> tuple[Location, ...]:
    """Where the name at an offset is defined; empty if that is nowhere that can be opened."""
    found, place = symbol_at(desk, offset), desk.template.path_at(offset)
    if found is None:
        return (*_property_of_members(desk, place), *_other_end(desk, offset))
    path = place.path
    resource = str(path[1]) if len(path) == 3 else ""
    return tuple(dict.fromkeys(_definitions(desk, found[0], resource)))


def _other_end(desk: Desk, offset: int) -> tuple[Location, ...]:
    """From a placeholder in a text to its value, and from there to where it is used first."""
    found = placeholder_at(desk, offset)
    if found is None:
        return ()
    return placeholder_uses(desk, found)[:1] if found.at_key else (placeholder_key(desk, found),)


def _property_of_members(desk: Desk, place: Place) -> Iterator[Location]:
    """The parameter of a nested template that a key of the definition of a group's members gives a value to."""
    if place.part is not Part.KEY or place.path[-2:-1] != (MEMBER_PROPERTIES,):
        return
    kind = value_at(desk.template, (*place.path[:-2], MEMBER_TYPE))
    found = desk.types.find(kind) if isinstance(kind, str) else None
    if found is not None and found.template is not None:
        yield from _inside(desk, found, Symbol(SymbolKind.PARAMETER, str(place.path[-1])))


def _inside(desk: Desk, found: FoundType, symbol: Symbol) -> Iterator[Location]:
    """Where a nested template defines something."""
    if found.template is not None:
        index = reference_index(found.template, desk.knowledge.language(found.template.dialect))
        definition = index.definition(symbol)
        if definition is not None:
            yield locate(found.template, definition, found.target)


def catalog_type_at(desk: Desk, offset: int) -> str:
    """The type of the catalog that is named at an offset, through the environment or not; empty if there is none."""
    found, path = symbol_at(desk, offset), desk.template.path_at(offset).path
    if found is None or found[0].kind is not SymbolKind.TYPE:
        return ""
    known = desk.types.find(found[0].name, str(path[1]) if len(path) == 3 else "")
    return known.type.name if known.origin is Origin.CATALOG and known.type is not None else ""


def is_seen_outside(desk: Desk, offset: int) -> bool:
    """Whether templates that nest this one may name what is at an offset."""
    found = symbol_at(desk, offset)
    return found is not None and found[0].kind in (SymbolKind.PARAMETER, SymbolKind.OUTPUT)


def references_at(desk: Desk, offset: int, owners: Iterable[Owner] = ()) -> tuple[Location, ...]:
    """Every place of the name at an offset: in this template in text order, then in other files.

    `owners` are templates that nest this one.
    """
    found, placeholder = symbol_at(desk, offset), placeholder_at(desk, offset)
    if found is None:
        ends = (placeholder_key(desk, placeholder), *placeholder_uses(desk, placeholder)) if placeholder else ()
        return tuple(sorted(ends, key=lambda end: (end.file or "", end.span)))
    symbol = found[0]
    here = {locate(desk.template, mention) for mention in mentions_of(desk, symbol)}
    elsewhere = (*_elsewhere(desk, symbol), *_in_owners(desk, symbol, owners))
    return (*sorted(here, key=lambda location: location.span), *dict.fromkeys(elsewhere))


def _in_owners(desk: Desk, symbol: Symbol, owners: Iterable[Owner]) -> Iterator[Location]:
    for owner in owners:
        for mention in owner_mentions(owner, desk.knowledge.language(owner.template.dialect), symbol):
            yield locate(owner.template, mention, str(owner.path))


def mentions_of(desk: Desk, symbol: Symbol) -> tuple[Mention, ...]:
    """Where a symbol is written in the template; properties of one nested template wherever it is used."""
    index = index_of(desk)
    nested = nested_template(desk, symbol)
    if symbol.kind not in (SymbolKind.PROPERTY, SymbolKind.ATTRIBUTE) or nested is None:
        return index.of(symbol)
    same = (mention for mention in index.mentions if mention.symbol.kind is symbol.kind)
    found = [
        mention
        for mention in same
        if mention.symbol.name == symbol.name and _is_same(nested_template(desk, mention.symbol), nested)
    ]
    known = {mention.path for mention in found}
    return (*found, *(mention for mention in _of_members(desk, symbol, nested) if mention.path not in known))


def _of_members(desk: Desk, symbol: Symbol, nested: FoundType) -> tuple[Mention, ...]:
    """Where definitions of members of groups name the same property."""
    types = frozenset(name for name in type_names(desk.template.data) if _is_same(desk.types.find(name), nested))
    owner = Owner(Path(), desk.template, types)
    return owner_mentions(owner, language_of(desk), nested_symbol(symbol)) if symbol.kind is SymbolKind.PROPERTY else ()


def _is_same(found: FoundType | None, other: FoundType) -> bool:
    return found is not None and found.target == other.target


def nested_template(desk: Desk, symbol: Symbol) -> FoundType | None:
    """The template of which a symbol is a parameter or an output."""
    if symbol.kind not in (SymbolKind.PROPERTY, SymbolKind.ATTRIBUTE):
        return None
    found = found_type(desk, symbol.owner)
    return found if found is not None and found.template is not None else None


def nested_symbol(symbol: Symbol) -> Symbol:
    """What a property or an attribute of a nested template's resource is inside that template."""
    kind = SymbolKind.PARAMETER if symbol.kind is SymbolKind.PROPERTY else SymbolKind.OUTPUT
    return Symbol(kind, symbol.name)


def locate(template: Template, mention: Mention, file: str | None = None) -> Location:
    """The place of a mention."""
    return Location(template.locate(mention.path, mention.part), file, mention.is_definition)


def _definitions(desk: Desk, symbol: Symbol, resource: str) -> Iterator[Location]:
    definition = index_of(desk).definition(symbol)
    if definition is not None:
        yield locate(desk.template, definition)
    match symbol.kind:
        case SymbolKind.FILE:
            yield Location(NOWHERE, symbol.name, is_definition=True)
        case SymbolKind.TYPE:
            yield from _type_definitions(desk, symbol.name, resource)
        case SymbolKind.PROPERTY | SymbolKind.ATTRIBUTE:
            yield from _nested(desk, symbol, definitions=True)
            yield from _resource_inside(desk, symbol)
            if symbol.kind is SymbolKind.ATTRIBUTE and nested_template(desk, symbol) is None:
                owner = index_of(desk).definition(Symbol(SymbolKind.RESOURCE, symbol.owner))
                if owner is not None:
                    yield locate(desk.template, owner)
        case _:
            pass


def _resource_inside(desk: Desk, symbol: Symbol) -> Iterator[Location]:
    """The resource of a nested template that an attribute such as `resource.server.name` names."""
    found = nested_template(desk, symbol)
    if found is not None and symbol.kind is SymbolKind.ATTRIBUTE and symbol.name.startswith(OF_RESOURCE):
        name = symbol.name.removeprefix(OF_RESOURCE).partition(".")[0]
        yield from _inside(desk, found, Symbol(SymbolKind.RESOURCE, name))


def _type_definitions(desk: Desk, name: str, resource: str = "") -> Iterator[Location]:
    """The file of a nested template, and the line of the environment that maps the type."""
    found = desk.types.find(name, resource)
    if found.target.endswith(TEMPLATE_ENDINGS):
        yield Location(NOWHERE, found.target, is_definition=True)
    environment = desk.types.environment
    for path in ((RESOURCE_REGISTRY, RESOURCES, resource, name), (RESOURCE_REGISTRY, name)):
        origin = environment.origin(*path)
        if origin is not None and at(_data_of(desk, origin.file), origin.path) is not None:
            yield Location(environment_span(desk, origin.file, origin.path), origin.file, is_definition=True)
            return


def _data_of(desk: Desk, file: str) -> object:
    return next((one.data for one in desk.types.environment.files if one.name == file), None)


def _elsewhere(desk: Desk, symbol: Symbol) -> Iterator[Location]:
    match symbol.kind:
        case SymbolKind.PROPERTY | SymbolKind.ATTRIBUTE:
            yield from _nested(desk, symbol, definitions=False)
        case SymbolKind.TYPE:
            yield from _type_definitions(desk, symbol.name)
        case SymbolKind.FILE:
            yield Location(NOWHERE, symbol.name, is_definition=True)
        case _:
            for file, path in environment_mentions(desk, symbol):
                yield Location(environment_span(desk, file, path), file)


def _nested(desk: Desk, symbol: Symbol, *, definitions: bool) -> Iterator[Location]:
    found = nested_template(desk, symbol)
    if found is None or found.template is None:
        return
    index = reference_index(found.template, desk.knowledge.language(found.template.dialect))
    for mention in index.of(nested_symbol(symbol)):
        if mention.is_definition or not definitions:
            yield locate(found.template, mention, found.target)


def environment_mentions(desk: Desk, symbol: Symbol) -> Iterator[tuple[str, TemplatePath]]:
    """The environment files that name a parameter or a resource, and the path of the key."""
    sections: tuple[TemplatePath, ...] = ()
    if symbol.kind is SymbolKind.PARAMETER:
        sections = ((PARAMETERS,), (PARAMETER_DEFAULTS,), ("parameter_merge_strategies",))
    elif symbol.kind is SymbolKind.RESOURCE:
        sections = ((RESOURCE_REGISTRY, RESOURCES),)
    for file in desk.types.environment.files:
        for section in sections:
            names = at(file.data, section)
            if isinstance(names, dict) and symbol.name in names:
                yield file.name, (*section, symbol.name)


def environment_span(desk: Desk, file: str, path: TemplatePath) -> Span:
    """The place of a key in an environment file; its beginning if its text is not known."""
    text = file_text(desk, file)
    return parse_environment(text).locate(path, Part.KEY) if text is not None else NOWHERE
