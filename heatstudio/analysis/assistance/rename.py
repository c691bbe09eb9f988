"""Renames a resource, parameter, condition, mapping or output everywhere it is named."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from heatstudio.analysis.assistance.desk import Desk, file_text, language_of
from heatstudio.analysis.assistance.owner_mentions import owner_mentions
from heatstudio.analysis.assistance.reference_index import Mention, Symbol, SymbolKind, reference_index
from heatstudio.analysis.assistance.references import (
    environment_mentions,
    mentions_of,
    nested_symbol,
    nested_template,
    symbol_at,
)
from heatstudio.catalog import ResourceType
from heatstudio.stack.functions.language import Language
from heatstudio.stack.load_owners import Owner
from heatstudio.stack.resource_proxy import SHOW
from heatstudio.template import Part, Path, Template, parse_environment, parse_template
from heatstudio.template.nodes import MappingNode, Node, ScalarNode, SequenceNode
from heatstudio.template.scalar_text import json_text, scalar_text
from heatstudio.text import OverlappingEditsError, Span, TextEdit, apply_edits

_DEFINED = frozenset(
    {SymbolKind.RESOURCE, SymbolKind.PARAMETER, SymbolKind.CONDITION, SymbolKind.OUTPUT, SymbolKind.MAPPING}
)
REPLACES = "A stack that exists already deletes this resource and creates one under the new name."
LOSES_VALUE = "Whoever gives this parameter a value, such as an environment that is not open here, has to follow."
LOSES_OUTPUT = "Whoever reads this output, such as a template that nests this one, has to follow."
UNSAFE = "The name is written in a way that cannot be renamed safely: edit it by hand."


class FileEdit(Struct, frozen=True):
    """What changes in another file."""

    file: str
    edits: tuple[TextEdit, ...]
    """Empty if the text of the file is not known, so that it has to be changed by hand."""
    text: str = ""
    """What the file had when the edits were made."""


class RenameResult(Struct, frozen=True):
    """What a renaming changes, or why there is none."""

    old_name: str = ""
    edits: tuple[TextEdit, ...] = ()
    """In this template."""
    file_edits: tuple[FileEdit, ...] = ()
    warnings: tuple[str, ...] = ()
    refusal: str = ""
    """One sentence; empty if it can be done."""


def renamable_at(desk: Desk, offset: int) -> tuple[str, Span] | None:
    """The name at an offset that can be renamed, and its place; None if there is none."""
    found = symbol_at(desk, offset)
    if found is None or _refusal_of(desk, found[0]):
        return None
    return found[0].name, found[1]


def rename(desk: Desk, offset: int, new_name: str, owners: Iterable[Owner] = ()) -> RenameResult:
    """Gives what is named at an offset another name, also in the templates that nest this one.

    Total: what cannot be done is told in `refusal`.
    """
    found = symbol_at(desk, offset)
    if found is None:
        return RenameResult(refusal="Nothing here has a name that can be changed.")
    symbol = found[0]
    refusal = _refusal_of(desk, symbol) or _refusal_of_name(desk, symbol, new_name)
    if refusal:
        return RenameResult(symbol.name, refusal=refusal)
    edits = name_edits(desk.template, language_of(desk), mentions_of(desk, symbol), new_name)
    if edits is None:
        return RenameResult(symbol.name, refusal=UNSAFE)
    file_edits = _nested_edits(desk, symbol, new_name)
    if file_edits is None:
        return RenameResult(symbol.name, refusal=UNSAFE)
    others = (*_environment_edits(desk, symbol, new_name), *file_edits, *_owner_edits(desk, owners, symbol, new_name))
    return RenameResult(symbol.name, edits, others, tuple(_warnings(symbol)))


def _warnings(symbol: Symbol) -> Iterable[str]:
    match symbol.kind:
        case SymbolKind.RESOURCE:
            yield REPLACES
        case SymbolKind.PARAMETER | SymbolKind.PROPERTY:
            yield LOSES_VALUE
        case SymbolKind.OUTPUT | SymbolKind.ATTRIBUTE:
            yield LOSES_OUTPUT
        case _:
            return


def _refusal_of(desk: Desk, symbol: Symbol) -> str:
    if not desk.template.complete:
        return "The text cannot be read as it is: mend its syntax first."
    if symbol.kind in _DEFINED:
        if any(mention.is_definition for mention in mentions_of(desk, symbol)):
            return ""
        if symbol.name in language_of(desk).pseudo_parameters:
            return f"`{symbol.name}` is a name that Heat gives: it cannot be changed."
        return f"There is no {symbol.kind} `{symbol.name}`: define it first."
    if symbol.kind in (SymbolKind.PROPERTY, SymbolKind.ATTRIBUTE):
        nested = nested_template(desk, symbol)
        names = () if nested is None or nested.type is None else _names(nested.type, symbol.kind)
        if symbol.name in names and nested is not None and nested.template is not None and nested.template.complete:
            return ""
        return f"The {symbol.kind} `{symbol.name}` is named by its resource type: it cannot be changed."
    return f"The name of a {symbol.kind} cannot be changed here."


def _names(resource_type: ResourceType, kind: SymbolKind) -> Iterable[str]:
    """The names that the parameters and outputs of a nested template make."""
    if kind is SymbolKind.PROPERTY:
        return tuple(resource_type.properties)
    return tuple(name for name in resource_type.attributes if name != SHOW)


def _refusal_of_name(desk: Desk, symbol: Symbol, new_name: str) -> str:
    if not new_name.strip() or new_name != new_name.strip():
        return "A name is needed, without blanks around it."
    if any(ord(sign) < 32 for sign in new_name) or len(new_name) > 255:
        return "A name is one line of at most 255 characters."
    if symbol.kind is SymbolKind.RESOURCE and "/" in new_name:
        return "The name of a resource must not contain a slash."
    if new_name == symbol.name:
        return "This is its name already."
    if new_name in language_of(desk).pseudo_parameters:
        return f"`{new_name}` is a name that Heat gives: choose another one."
    taken = _taken(desk, symbol, new_name)
    return f"There is a {taken} `{new_name}` already: choose another name." if taken else ""


def _taken(desk: Desk, symbol: Symbol, new_name: str) -> str:
    """What has the name already. Heat refuses a resource and a parameter of one name (heat/engine/stack.py)."""
    template, language = desk.template, language_of(desk)
    nested = nested_template(desk, symbol)
    if nested is not None and nested.template is not None:
        template, language = nested.template, desk.knowledge.language(nested.template.dialect)
        symbol = nested_symbol(symbol)
    index = reference_index(template, language)
    shared = (SymbolKind.RESOURCE, SymbolKind.PARAMETER)
    kinds = shared if symbol.kind in shared else (symbol.kind,)
    return next((str(kind) for kind in kinds if index.definition(Symbol(kind, new_name)) is not None), "")


def name_edits(
    template: Template, language: Language, mentions: Iterable[Mention], new_name: str
) -> tuple[TextEdit, ...] | None:
    """The edits that write another name at each mention; None if the text would not say just that afterwards."""
    mentions = tuple(mentions)
    edits: dict[Span, TextEdit] = {}
    for mention in mentions:
        edit = _edit(template, mention, new_name)
        if edit is None:
            return None
        edits[edit.span] = edit
    ordered = tuple(sorted(edits.values()))
    try:
        after = parse_template(apply_edits(template.text, ordered), template)
    except OverlappingEditsError:
        return None
    return ordered if _says(reference_index(template, language).mentions, after, language, mentions, new_name) else None


def _says(
    before: tuple[Mention, ...], after: Template, language: Language, renamed: tuple[Mention, ...], new_name: str
) -> bool:
    """Whether the mentions of a text are those of before, the renamed ones under the new name."""
    if not after.complete:
        return False
    ids = {id(mention) for mention in renamed}
    expected = sorted(new_name if id(mention) in ids else mention.symbol.name for mention in before)
    return expected == sorted(mention.symbol.name for mention in reference_index(after, language).mentions)


def _edit(template: Template, mention: Mention, new_name: str) -> TextEdit | None:
    located = template.find(mention.path)
    if located is None:
        return None
    node: Node | None = located.key if mention.part is Part.KEY else located.node
    if node is None:
        return None
    return TextEdit(located.span(mention.part), _written(template, mention, node, new_name))


def _written(template: Template, mention: Mention, node: Node, name: str) -> str:
    if template.is_json:
        return json_text(name)
    parent = template.find(mention.path[:-1])
    flow = parent is not None and isinstance(parent.node, MappingNode | SequenceNode) and parent.node.flow
    quote = node.style if isinstance(node, ScalarNode) and node.style in {"'", '"'} else ""
    return scalar_text(name, quote, flow=flow, key=mention.part is Part.KEY)


def _nested_edits(desk: Desk, symbol: Symbol, new_name: str) -> tuple[FileEdit, ...] | None:
    found = nested_template(desk, symbol)
    if found is None or found.template is None:
        return ()
    language = desk.knowledge.language(found.template.dialect)
    mentions = reference_index(found.template, language).of(nested_symbol(symbol))
    edits = name_edits(found.template, language, mentions, new_name)
    return (FileEdit(found.target, edits, found.template.text),) if edits is not None else None


def _owner_edits(desk: Desk, owners: Iterable[Owner], symbol: Symbol, new_name: str) -> Iterator[FileEdit]:
    for owner in owners:
        language = desk.knowledge.language(owner.template.dialect)
        mentions = owner_mentions(owner, language, symbol)
        edits = [_edit(owner.template, mention, new_name) for mention in mentions]
        if edits:
            whole = all(edit is not None for edit in edits) and owner.template.complete
            known = tuple(sorted(edit for edit in edits if edit is not None)) if whole else ()
            yield FileEdit(str(owner.path), known, owner.template.text)


def _environment_edits(desk: Desk, symbol: Symbol, new_name: str) -> tuple[FileEdit, ...]:
    paths: dict[str, list[Path]] = {}
    for file, path in environment_mentions(desk, symbol):
        paths.setdefault(file, []).append(path)
    return tuple(
        FileEdit(file, _environment_file_edits(desk, file, found, new_name), file_text(desk, file) or "")
        for file, found in paths.items()
    )


def _environment_file_edits(desk: Desk, file: str, paths: list[Path], new_name: str) -> tuple[TextEdit, ...]:
    text = file_text(desk, file)
    if text is None:
        return ()
    written = parse_environment(text).written
    mentions = (Mention(Symbol(SymbolKind.PARAMETER, str(path[-1])), path, Part.KEY) for path in paths)
    edits = [_edit(written, mention, new_name) for mention in mentions]
    return tuple(sorted(edit for edit in edits if edit is not None))
