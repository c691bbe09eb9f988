"""Document symbols and workspace symbols."""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from lsprotocol import types

from heatstudio.analysis.assist.outline import OutlineItem, outline
from heatstudio.lsp.open_document import ProtocolPositions
from heatstudio.lsp.workspace import ClientWorkspace, View, closed_document
from heatstudio.service.inputs.folder_files import files_in
from heatstudio.template import parse_template
from heatstudio.text import Stamp, checkpoint, stamp_of
from heatstudio.text.invisible import visible

MOST_SYMBOLS = 500
_KINDS = {
    "section": types.SymbolKind.Module,
    "resource": types.SymbolKind.Class,
    "parameter": types.SymbolKind.Variable,
    "output": types.SymbolKind.Property,
    "condition": types.SymbolKind.Boolean,
    "mapping": types.SymbolKind.Object,
    "entry": types.SymbolKind.Field,
}


def document_symbols(view: View) -> list[types.DocumentSymbol]:
    """Return the sections of a document with their entries."""
    stack = view.analysis.stack if not view.is_environment else None
    return [_symbol(view.positions, item) for item in outline(view.analysis.template, stack)]


def workspace_symbols(workspace: ClientWorkspace, query: str) -> list[types.WorkspaceSymbol]:
    """Return the names that contain the query, in open documents and in all files of the workspace folders."""
    documents = workspace.documents
    opened = {one.path for one in documents}
    found: list[types.WorkspaceSymbol] = []
    for document in documents:
        if document.is_heat:
            found += _matching(document.uri, _named(document.positions), query)
    for path in (Path(name) for folder in workspace.core.folders for name in files_in(folder, deep=True)):
        checkpoint()
        stamp = stamp_of(path) if path not in opened else None
        if stamp is not None and len(found) < MOST_SYMBOLS:
            found += _matching(path.as_uri(), _named_in_file(path, stamp, workspace.encoding), query)
    return found[:MOST_SYMBOLS]


def _symbol(positions: ProtocolPositions, item: OutlineItem) -> types.DocumentSymbol:
    return types.DocumentSymbol(
        visible(item.name) or "''",
        _KINDS[item.kind],
        positions.range(item.span),
        positions.range(item.key_span),
        visible(item.detail) or None,
        children=[_symbol(positions, child) for child in item.children],
    )


_Named = tuple[tuple[str, str, types.SymbolKind, types.Range], ...]
"""The name, section, kind and range of each symbol."""


def _named(positions: ProtocolPositions) -> _Named:
    return tuple(
        (item.name, section.name, _KINDS[item.kind], positions.range(item.key_span))
        for section in outline(parse_template(positions.text))
        for item in section.children
    )


@lru_cache(maxsize=2000)
def _named_in_file(path: Path, _stamp: Stamp, encoding: types.PositionEncodingKind) -> _Named:
    """Return the symbols of a file; empty if the file is neither a template nor an environment."""
    document = closed_document(path, encoding)
    return _named(document.positions) if document.is_heat else ()


def _matching(uri: str, named: _Named, query: str) -> Iterator[types.WorkspaceSymbol]:
    for name, section, kind, place in named:
        if query.casefold() in name.casefold():
            yield types.WorkspaceSymbol(types.Location(uri, place), visible(name), kind, container_name=section)
