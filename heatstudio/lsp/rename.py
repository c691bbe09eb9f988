"""Rename a symbol in all files that use it."""

from collections.abc import Iterator

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from heatstudio.analysis.assist.rename import FileEdit
from heatstudio.lsp.edits import FileEdits, text_edits, workspace_edit
from heatstudio.lsp.locations import parent_templates
from heatstudio.lsp.open_document import ProtocolPositions
from heatstudio.lsp.workspace import ClientWorkspace, View, beside
from heatstudio.text import editable

REQUEST_FAILED = types.LSPErrorCodes.RequestFailed.value


def prepare_rename(view: View, position: types.Position) -> types.PrepareRenamePlaceholder | None:
    """Return the name at a position; None if it cannot be renamed."""
    found = view.language.renamable(view.positions.offset(position))
    return types.PrepareRenamePlaceholder(view.positions.range(found[1]), found[0]) if found is not None else None


def rename(workspace: ClientWorkspace, view: View, params: types.RenameParams) -> tuple[types.WorkspaceEdit, list[str]]:
    """Return the edits of a rename, and warnings for the user.

    Raise JsonRpcException with the reason if the symbol cannot be renamed.
    """
    offset = view.positions.offset(params.position)
    result = view.language.rename(offset, params.new_name, parent_templates(workspace, view, offset))
    if result.refusal:
        raise JsonRpcException(result.refusal, REQUEST_FAILED)
    files: list[FileEdits] = [(view.document.uri, view.document.version, text_edits(view.positions, result.edits))]
    by_hand: list[str] = []
    for change in result.file_edits:
        known = [*_in_file(workspace, view, change)]
        files += known
        by_hand += [] if known else [change.file]
    by_hand_words = [f"The name was not changed in {', '.join(by_hand)}. Change it there by hand."] if by_hand else []
    return workspace_edit(files), [*result.warnings, *by_hand_words]


def _in_file(workspace: ClientWorkspace, view: View, change: FileEdit) -> Iterator[FileEdits]:
    """Yield the edits of another file, unless its text has changed since the rename read it."""
    now = workspace.file(beside(view.document, change.file))
    if change.edits and editable(now.text).text == editable(change.text).text:
        positions = ProtocolPositions(change.text, now.positions.encoding)
        yield now.uri, now.version, text_edits(positions, change.edits)
