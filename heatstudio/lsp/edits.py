"""Conversion of text edits, in one file or several, to LSP edits."""

from collections.abc import Iterable

from lsprotocol.types import (
    AnnotatedTextEdit,
    OptionalVersionedTextDocumentIdentifier,
    SnippetTextEdit,
    TextDocumentEdit,
    WorkspaceEdit,
)
from lsprotocol.types import TextEdit as ProtocolEdit

from heatstudio.lsp.open_document import OpenDocument, ProtocolPositions
from heatstudio.text import TextEdit

FileEdits = tuple[str, int | None, list[ProtocolEdit]]
"""The edits of a file: the URI, the version if the file is open, and the edits."""


def text_edits(positions: ProtocolPositions, edits: Iterable[TextEdit]) -> list[ProtocolEdit]:
    """Return LSP edits; all edits refer to the text of `positions`."""
    return [ProtocolEdit(positions.range(edit.span), edit.text) for edit in edits]


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
