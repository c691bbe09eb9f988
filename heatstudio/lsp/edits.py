"""Conversion of text edits, in one file or several, to LSP edits."""

from collections.abc import Iterable

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from heatstudio.lsp.open_document import OpenDocument, ProtocolPositions
from heatstudio.lsp.workspace import View
from heatstudio.template.formatting import format_text
from heatstudio.text import TextEdit

FileEdits = tuple[str, int | None, list[types.TextEdit]]
"""The edits of a file: the URI, the version if the file is open, and the edits."""


def text_edits(positions: ProtocolPositions, edits: Iterable[TextEdit]) -> list[types.TextEdit]:
    """Return LSP edits; all edits refer to the text of `positions`."""
    return [types.TextEdit(positions.range(edit.span), edit.text) for edit in edits]


def format_edits(view: View, range_: types.Range | None = None) -> list[types.TextEdit]:
    """Return the edits that format a document, or only the lines of a range.

    Raise JsonRpcException with the reason if it cannot be formatted.
    """
    lines = None if range_ is None else range(range_.start.line, range_.end.line + 1)
    found = format_text(view.document.text, lines)
    if found.refusal:
        raise JsonRpcException(found.refusal, types.LSPErrorCodes.RequestFailed.value)
    return text_edits(view.positions, found.edits)


def document_edit(document: OpenDocument, edits: Iterable[TextEdit]) -> types.WorkspaceEdit:
    """Return the workspace edit of one version of an open document."""
    return workspace_edit([(document.uri, document.version, text_edits(document.positions, edits))])


def workspace_edit(files: Iterable[FileEdits]) -> types.WorkspaceEdit:
    """Return the workspace edit of several files."""
    changes = []
    for uri, version, edits in files:
        kinds: list[types.TextEdit | types.AnnotatedTextEdit | types.SnippetTextEdit] = [*edits]
        changes.append(types.TextDocumentEdit(types.OptionalVersionedTextDocumentIdentifier(uri, version), kinds))
    return types.WorkspaceEdit(document_changes=changes)
