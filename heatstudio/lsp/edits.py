"""Conversion of text edits, in one file or several, to LSP edits."""

from collections.abc import Iterable

from lsprotocol.types import (
    AnnotatedTextEdit,
    LSPErrorCodes,
    OptionalVersionedTextDocumentIdentifier,
    Range,
    SnippetTextEdit,
    TextDocumentEdit,
    WorkspaceEdit,
)
from lsprotocol.types import TextEdit as ProtocolEdit
from pygls.exceptions import JsonRpcException

from heatstudio.lsp.open_document import OpenDocument, ProtocolPositions
from heatstudio.lsp.workspace import View
from heatstudio.template.formatting import format_text
from heatstudio.text import TextEdit

FileEdits = tuple[str, int | None, list[ProtocolEdit]]
"""The edits of a file: the URI, the version if the file is open, and the edits."""


def text_edits(positions: ProtocolPositions, edits: Iterable[TextEdit]) -> list[ProtocolEdit]:
    """Return LSP edits; all edits refer to the text of `positions`."""
    return [ProtocolEdit(positions.range(edit.span), edit.text) for edit in edits]


def format_edits(view: View, range_: Range | None = None) -> list[ProtocolEdit]:
    """Return the edits that format a document, or only the lines of a range.

    Raise JsonRpcException with the reason if it cannot be formatted.
    """
    lines = None if range_ is None else range(range_.start.line, range_.end.line + 1)
    found = format_text(view.document.text, lines)
    if found.refusal:
        raise JsonRpcException(found.refusal, LSPErrorCodes.RequestFailed.value)
    return text_edits(view.positions, found.edits)


def document_edit(document: OpenDocument, edits: Iterable[TextEdit]) -> WorkspaceEdit:
    """Return the workspace edit of one version of an open document."""
    return workspace_edit([(document.uri, document.version, text_edits(document.positions, edits))])


def workspace_edit(files: Iterable[FileEdits]) -> WorkspaceEdit:
    """Return the workspace edit of several files."""
    changes = []
    for uri, version, edits in files:
        kinds: list[ProtocolEdit | AnnotatedTextEdit | SnippetTextEdit] = [*edits]
        changes.append(TextDocumentEdit(OptionalVersionedTextDocumentIdentifier(uri, version), kinds))
    return WorkspaceEdit(document_changes=changes)
