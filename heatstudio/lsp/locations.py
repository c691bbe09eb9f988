"""Definitions, references and highlights of the name at a position."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from lsprotocol import types

from heatstudio.analysis.assist.reference_index import Location
from heatstudio.lsp.open_document import OpenDocument
from heatstudio.lsp.workspace import ClientWorkspace, View, beside
from heatstudio.stack.parent_templates import ParentTemplate


def definition(workspace: ClientWorkspace, view: View, position: types.Position) -> list[types.Location]:
    """Return the definitions of the name at a position, without definitions in missing files."""
    return [*_locations(workspace, view, view.language.definitions(view.positions.offset(position)))]


def document_links(workspace: ClientWorkspace, view: View) -> list[types.DocumentLink]:
    """Return the links from names of files and nested templates to the files that exist."""
    files = ((view.positions.range(span), beside(view.document, file)) for span, file in view.language.file_links())
    return [types.DocumentLink(range_, file.as_uri()) for range_, file in files if workspace.exists(file)]


def references(workspace: ClientWorkspace, view: View, params: types.ReferenceParams) -> list[types.Location]:
    """Return all references of the name at a position, including environments and parent templates."""
    offset = view.positions.offset(params.position)
    found = view.language.references(offset, parent_templates(workspace, view, offset))
    wanted = (one for one in found if params.context.include_declaration or not one.is_definition)
    return [*_locations(workspace, view, wanted)]


def highlights(view: View, position: types.Position) -> list[types.DocumentHighlight]:
    """Return all occurrences in the document of the name at a position."""
    found = view.language.references(view.positions.offset(position))
    kinds = types.DocumentHighlightKind
    return [
        types.DocumentHighlight(view.positions.range(one.span), kinds.Write if one.is_definition else kinds.Read)
        for one in found
        if one.file is None
    ]


def parent_templates(workspace: ClientWorkspace, view: View, offset: int) -> tuple[ParentTemplate, ...]:
    """Return the templates that nest the document, if they may refer to the name at an offset."""
    return view.language.parents(offset, view.document.path, workspace.core)


def _locations(workspace: ClientWorkspace, view: View, found: Iterable[Location]) -> Iterator[types.Location]:
    read: dict[Path, OpenDocument] = {}
    for one in found:
        if one.file is None:
            yield types.Location(view.document.uri, view.positions.range(one.span))
            continue
        file = beside(view.document, one.file)
        if workspace.exists(file):
            if file not in read:
                read[file] = workspace.file(file)
            yield types.Location(read[file].uri, read[file].positions.range(one.span))
