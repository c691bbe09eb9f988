"""Refactorings as code actions, whose edits are computed when the client resolves them."""

from collections.abc import Callable, Iterator, Sequence

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from heatstudio.analysis.refactorings import Refactored, RefactoringKind
from heatstudio.lsp.edits import text_edits
from heatstudio.lsp.open_document import ProtocolPositions
from heatstudio.lsp.workspace import ClientWorkspace, View, beside
from heatstudio.service.edit_effect import NEUTRAL, edit_effect
from heatstudio.template import CannotEditError
from heatstudio.text import Span, editable
from heatstudio.text.invisible import visible

KINDS = tuple(types.CodeActionKind(kind.value) for kind in RefactoringKind)
_EFFECT = "effect"
_OPERATIONS = "workspace.workspace_edit.resource_operations"
_ANNOTATIONS = "workspace.workspace_edit.change_annotation_support"
Capability = Callable[[str], object]
"""A function that returns a capability of the client."""


def refactorings(view: View, span: Span) -> Iterator[types.CodeAction]:
    """Yield the refactorings that apply to a span, without edits."""
    document = view.document
    for one in view.language.refactorings(span):
        data = {"uri": document.uri, "version": document.version, "title": one.title, "span": [*span]}
        yield types.CodeAction(visible(one.title), types.CodeActionKind(one.kind.value), data=data)


def refactored(
    workspace: ClientWorkspace, view: View, action: types.CodeAction, capability: Capability
) -> tuple[types.CodeAction, str]:
    """Return an action with its edits, and the effect on a stack unless the edits contain it.

    Raise JsonRpcException with the reason if the refactoring is refused.
    """
    data = action.data if isinstance(action.data, dict) else {}
    title, span = data.get("title"), Span(*data.get("span", (0, 0)))
    offered = view.language.refactorings(span)
    chosen = next((one for one in offered if one.title == title), None)
    if chosen is None:
        return action, ""
    try:
        result = chosen.make()
    except CannotEditError as error:
        raise _failed(error.reason) from error
    if result.files and view.document.path is None:
        raise _failed("Save the template first: the other file lies beside it.")
    operations = capability(_OPERATIONS)
    can_create = isinstance(operations, Sequence) and types.ResourceOperationKind.Create in operations
    if not can_create and any(one.is_new for one in result.files):
        raise _failed("This editor cannot create files in a refactoring.")
    snapshot = workspace.core.snapshot(view.document.uri)
    effect = edit_effect(workspace.core.loaded_engine, snapshot, view.analysis, result)
    if effect.refusal:
        raise _failed(effect.refusal)
    is_annotated = bool(capability(_ANNOTATIONS)) and effect.sentence != NEUTRAL
    changes = [*_changes(workspace, view, result, is_annotated=is_annotated)]
    annotation = types.ChangeAnnotation(action.title, needs_confirmation=True, description=visible(effect.sentence))
    action.edit = types.WorkspaceEdit(
        document_changes=changes, change_annotations={_EFFECT: annotation} if is_annotated else None
    )
    return action, "" if is_annotated else effect.sentence


def _changes(
    workspace: ClientWorkspace, view: View, result: Refactored, *, is_annotated: bool
) -> Iterator[types.CreateFile | types.TextDocumentEdit]:
    """Yield the changes of all files; new files are created first."""
    own = (view.document.uri, view.document.version, text_edits(view.positions, result.edits))
    files = [own]
    for one in result.files:
        path = beside(view.document, one.file)
        if one.is_new:
            yield types.CreateFile(path.as_uri(), options=types.CreateFileOptions(ignore_if_exists=False))
            positions, uri, version = ProtocolPositions("", view.positions.encoding), path.as_uri(), None
        else:
            there = workspace.file(path)
            if editable(there.text).text != editable(one.text).text:
                raise _failed(f"{one.file} has changed. Try again.")
            positions, uri, version = ProtocolPositions(one.text, view.positions.encoding), there.uri, there.version
        files.append((uri, version, text_edits(positions, one.edits)))
    for uri, version, edits in files:
        place = types.OptionalVersionedTextDocumentIdentifier(uri, version)
        marked = [types.AnnotatedTextEdit(_EFFECT, edit.range, edit.new_text) for edit in edits]
        yield types.TextDocumentEdit(place, [*(marked if is_annotated else edits)])


def _failed(reason: str) -> JsonRpcException:
    return JsonRpcException(reason, types.LSPErrorCodes.RequestFailed.value)
