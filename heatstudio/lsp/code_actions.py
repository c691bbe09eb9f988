"""Code actions: quick fixes, suppressions, refactorings, and `source.fixAll`."""

from collections.abc import Iterator

from lsprotocol import types

from heatstudio.analysis import Diagnostic
from heatstudio.analysis.suppressions import mute_edit
from heatstudio.lsp import refactorings
from heatstudio.lsp.diagnostics import diagnostic
from heatstudio.lsp.edits import document_edit
from heatstudio.lsp.workspace import ClientWorkspace, View
from heatstudio.service.safe_fixes import safe_fixes
from heatstudio.text import preferred_fix
from heatstudio.text.invisible import visible

FIX_ALL = f"{types.CodeActionKind.SourceFixAll.value}.heatstudio"

KINDS = (types.CodeActionKind.QuickFix, *refactorings.KINDS, FIX_ALL)


def code_actions(workspace: ClientWorkspace, view: View, params: types.CodeActionParams) -> list[types.CodeAction]:
    """Return the actions of the requested kinds: quick fixes in a range, refactorings there, and `source.fixAll`.

    The edits of refactorings and of `source.fixAll` are computed when the client resolves the action.
    """
    found: list[types.CodeAction] = []
    span = view.positions.span(params.range)
    if _is_wanted(params.context, types.CodeActionKind.QuickFix):
        places = ((one, (one.span, *one.also)) for one in view.analysis.diagnostics)
        here = [one for one, spans in places if any(x.start <= span.end and span.start <= x.end for x in spans)]
        for one in here:
            found += _fixes(workspace, view, one)
        found += filter(None, (_suppression(workspace, view, one) for one in here))
    if any(_is_wanted(params.context, kind) for kind in refactorings.KINDS):
        offered = refactorings.refactorings(view, span)
        found += (one for one in offered if one.kind is not None and _is_wanted(params.context, one.kind))
    if _is_wanted(params.context, FIX_ALL):
        data = {"uri": view.document.uri, "version": view.document.version}
        found.append(types.CodeAction("Apply all safe fixes", FIX_ALL, data=data))
    return found


def resolved(
    workspace: ClientWorkspace, view: View, action: types.CodeAction, capability: refactorings.Capability
) -> tuple[types.CodeAction, str]:
    """Return an action with its edit, and a message for the user; without an edit if the text has changed.

    Raise JsonRpcException with the reason if a refactoring is refused.
    """
    if not isinstance(action.data, dict) or action.data.get("version") != view.document.version:
        return action, ""
    if action.kind != FIX_ALL:
        return refactorings.refactored(workspace, view, action, capability)
    safe = safe_fixes(workspace.core.loaded_engine, workspace.core.snapshot(view.document.uri), view.analysis)
    action.edit = document_edit(view.document, safe.edits)
    return action, ""


def _is_wanted(context: types.CodeActionContext, kind: str) -> bool:
    """Return whether a kind is requested; a requested kind includes its sub-kinds."""
    return not context.only or any((kind + ".").startswith(one + ".") for one in context.only)


def _fixes(workspace: ClientWorkspace, view: View, found: Diagnostic) -> Iterator[types.CodeAction]:
    fixes = view.analysis.fixes(found)
    preferred = preferred_fix(fixes)
    for fix in fixes:
        yield types.CodeAction(
            visible(fix.title),
            types.CodeActionKind.QuickFix,
            [diagnostic(workspace, view, found)],
            is_preferred=fix is preferred,
            edit=document_edit(view.document, fix.edits),
        )


def _suppression(workspace: ClientWorkspace, view: View, found: Diagnostic) -> types.CodeAction | None:
    edit = mute_edit(view.analysis.template, found) if found.elsewhere is None else None
    if edit is None:
        return None
    return types.CodeAction(
        f"Suppress {found.code} here",
        types.CodeActionKind.QuickFix,
        [diagnostic(workspace, view, found)],
        edit=document_edit(view.document, [edit]),
    )
