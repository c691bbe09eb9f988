"""Renaming of a resource, parameter, condition, mapping or output and of all its references."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from heatstudio.analysis.assist.reference_index import Mention, Symbol, SymbolKind, index_of
from heatstudio.analysis.assist.references import mentions_elsewhere, mentions_of, nested_mentions, symbol_at
from heatstudio.analysis.scope.semantic_model import SemanticModel
from heatstudio.stack.parent_templates import ParentTemplate
from heatstudio.template import Part, Template, parse_template
from heatstudio.template.editing.writer import json_text, scalar_text
from heatstudio.template.syntax.nodes import MappingNode, Node, ScalarNode, SequenceNode
from heatstudio.text import OverlappingEditsError, Span, TextEdit, apply_edits

_DEFINED = frozenset(
    {SymbolKind.RESOURCE, SymbolKind.PARAMETER, SymbolKind.CONDITION, SymbolKind.OUTPUT, SymbolKind.MAPPING}
)
DOUBLED = "duplicate-key"
REPLACES = "In existing stacks, Heat deletes this resource and creates one with the new name."
LOSES_VALUE = "Environment files that are not open may still use the old name; change them by hand."
LOSES_OUTPUT = "Also change any other parent templates that read this output."
UNREAD = "The text has syntax errors; some references may be missed."
UNSAFE = "The renamed text would mean something else, for example because of an alias or merge. Edit it by hand."


class FileEdit(Struct, frozen=True):
    """The changes of another file."""

    file: str
    edits: tuple[TextEdit, ...]
    """The edits; empty if the text of the file is unknown, so that the user must edit the file by hand."""
    text: str = ""
    """The text to which the edits apply."""
    is_new: bool = False
    """Whether the edits create the file."""


class RenameResult(Struct, frozen=True):
    """The changes of a rename, or the reason for its refusal."""

    old_name: str = ""
    edits: tuple[TextEdit, ...] = ()
    """The edits of this template."""
    file_edits: tuple[FileEdit, ...] = ()
    warnings: tuple[str, ...] = ()
    refusal: str = ""
    """The reason in one sentence; empty if the rename is possible."""


def renamable_at(model: SemanticModel, offset: int) -> tuple[str, Span] | None:
    """Return the renamable name at an offset and its span; None if there is none."""
    found = symbol_at(model, offset)
    if found is None or _refusal_of(model, found[0]):
        return None
    return found[0].name, found[1]


def rename(model: SemanticModel, offset: int, new_name: str, owners: Iterable[ParentTemplate] = ()) -> RenameResult:
    """Rename the symbol at an offset, including its references in parent templates (`owners`).

    Never raise an exception: the result may have a refusal.
    """
    found = symbol_at(model, offset)
    if found is None:
        return RenameResult(refusal="Nothing to rename at the cursor.")
    symbol = found[0]
    refusal = _refusal_of(model, symbol) or _ambiguity(model, symbol) or _refusal_of_name(model, symbol, new_name)
    if refusal:
        return RenameResult(symbol.name, refusal=refusal)
    edits = name_edits(model, model.template, mentions_of(model, symbol), new_name)
    if edits is None:
        return RenameResult(symbol.name, refusal=UNSAFE)
    nested = nested_mentions(model, symbol)
    if nested is not None and name_edits(model, nested.template, nested.mentions, new_name) is None:
        return RenameResult(symbol.name, refusal="The nested template cannot be changed safely. Edit it by hand.")
    warnings = [*_warnings(symbol), *([] if model.template.complete else [UNREAD])]
    return RenameResult(symbol.name, edits, tuple(_file_edits(model, symbol, new_name, owners)), tuple(warnings))


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


def _refusal_of(model: SemanticModel, symbol: Symbol) -> str:
    if symbol.kind in _DEFINED:
        if any(mention.is_definition for mention in mentions_of(model, symbol)):
            return ""
        if symbol.name in model.language.pseudo_parameters:
            return f"`{symbol.name}` is a pseudo parameter and cannot be renamed."
        return f"Unknown {symbol.kind} `{symbol.name}`. Define it first."
    if symbol.kind in (SymbolKind.PROPERTY, SymbolKind.ATTRIBUTE):
        nested = nested_mentions(model, symbol)
        if nested is not None and nested.template.complete and any(one.is_definition for one in nested.mentions):
            return ""
        return f"The {symbol.kind} `{symbol.name}` is defined by the resource type and cannot be renamed."
    return f"The name of a {symbol.kind} cannot be changed here."


def _ambiguity(model: SemanticModel, symbol: Symbol) -> str:
    """Return a refusal for a name that is defined twice: its references mean the last one only."""
    definition, template = index_of(model).definition(symbol), model.template
    doubled = (template.path_at(problem.span.start).path for problem in template.problems if problem.code == DOUBLED)
    if definition is None or definition.path not in doubled:
        return ""
    return f"The {symbol.kind} `{symbol.name}` is defined more than once. First rename or delete the others."


def _refusal_of_name(model: SemanticModel, symbol: Symbol, new_name: str) -> str:
    if not new_name.strip() or new_name != new_name.strip():
        return "Enter a name without spaces around it."
    if any(ord(sign) < 32 for sign in new_name) or len(new_name) > 255:
        return "A name must be one line of at most 255 characters."
    if symbol.kind is SymbolKind.RESOURCE and "/" in new_name:
        return "The name of a resource must not contain a slash."
    if new_name == symbol.name:
        return "This is the current name."
    if new_name in model.language.pseudo_parameters:
        return f"`{new_name}` is a pseudo parameter. Choose another name."
    taken = _taken(model, symbol, new_name)
    return f"The {taken} `{new_name}` already exists." if taken else ""


def _taken(model: SemanticModel, symbol: Symbol, new_name: str) -> str:
    """Return the kind that already has the name; resources and parameters share a namespace (heat/engine/stack.py)."""
    nested = nested_mentions(model, symbol)
    index = index_of(model, nested.template if nested is not None else None)
    symbol = nested.symbol if nested is not None else symbol
    shared = (SymbolKind.RESOURCE, SymbolKind.PARAMETER)
    kinds = shared if symbol.kind in shared else (symbol.kind,)
    return next((str(kind) for kind in kinds if index.definition(Symbol(kind, new_name)) is not None), "")


def name_edits(
    model: SemanticModel, template: Template, mentions: Iterable[Mention], new_name: str
) -> tuple[TextEdit, ...] | None:
    """Return the edits of all mentions; None if the edited text would have unintended mentions."""
    mentions = tuple(mentions)
    edits = _edits(template, mentions, new_name)
    if edits is None:
        return None
    try:
        after = parse_template(apply_edits(template.text, edits), template)
    except OverlappingEditsError:
        return None
    return edits if _says(model, template, after, mentions, new_name) else None


def _edits(template: Template, mentions: Iterable[Mention], new_name: str) -> tuple[TextEdit, ...] | None:
    """Return the edits of all mentions in text order; None if a mention has no text of its own."""
    edits = {_edit(template, mention, new_name) for mention in mentions}
    found = sorted(edit for edit in edits if edit is not None)
    return tuple(found) if len(found) == len(edits) else None


def _says(model: SemanticModel, before: Template, after: Template, renamed: tuple[Mention, ...], new_name: str) -> bool:
    """Return whether the edited text has the same mentions as before, with only the renamed ones changed."""
    if [problem.code for problem in after.problems] != [problem.code for problem in before.problems]:
        return False
    ids = {id(mention) for mention in renamed}
    known = index_of(model, before).mentions
    expected = sorted(new_name if id(mention) in ids else mention.symbol.name for mention in known)
    return expected == sorted(mention.symbol.name for mention in index_of(model, after).mentions)


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


def _file_edits(
    model: SemanticModel, symbol: Symbol, new_name: str, owners: Iterable[ParentTemplate]
) -> Iterator[FileEdit]:
    for found in mentions_elsewhere(model, symbol, owners):
        edits = _edits(found.template, found.mentions, new_name) if found.template.complete else None
        yield FileEdit(found.file, edits or (), found.template.text)
