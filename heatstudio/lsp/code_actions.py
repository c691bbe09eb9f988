"""Code actions: quick fixes, suppressions, extraction of parameters, and `source.fixAll`."""

from collections.abc import Iterator

from lsprotocol import types

from heatstudio.analysis import Diagnostic
from heatstudio.analysis.suppressions import mute_edit
from heatstudio.lsp.diagnostics import diagnostic
from heatstudio.lsp.edits import document_edit
from heatstudio.lsp.workspace import ClientWorkspace, View
from heatstudio.service.safe_fixes import safe_fixes
from heatstudio.template import render_fix
from heatstudio.text import Span, preferred_fix
from heatstudio.text.invisible import visible

_EXTRACT = types.CodeActionKind.RefactorExtract
FIX_ALL = f"{types.CodeActionKind.SourceFixAll.value}.heatstudio"

KINDS = (types.CodeActionKind.QuickFix, _EXTRACT, FIX_ALL)


def code_actions(workspace: ClientWorkspace, view: View, params: types.CodeActionParams) -> list[types.CodeAction]:
    """Return the actions of the requested kinds: quick fixes in a range, extractions there, and `source.fixAll`.

    The edit of `source.fixAll` is computed when the client resolves the action.
    """
    found: list[types.CodeAction] = []
    if _is_wanted(params.context, types.CodeActionKind.QuickFix):
        span = view.positions.span(params.range)
        here = [one for one in view.analysis.diagnostics if any(_touch(place, span) for place in (one.span, *one.also))]
        for one in here:
            found += _fixes(workspace, view, one)
        found += filter(None, (_suppression(workspace, view, one) for one in here))
    if _is_wanted(params.context, _EXTRACT):
        found += _extractions(view, params.range.start)
    if _is_wanted(params.context, FIX_ALL):
        data = {"uri": view.document.uri, "version": view.document.version}
        found.append(types.CodeAction("Apply all safe fixes", FIX_ALL, data=data))
    return found


def fix_all(workspace: ClientWorkspace, view: View, action: types.CodeAction) -> types.CodeAction:
    """Return an action with the edit that applies all safe fixes."""
    safe = safe_fixes(workspace.core.loaded_engine, workspace.core.snapshot(view.document.uri), view.analysis)
    action.edit = document_edit(view.document, safe.edits)
    return action


def _extractions(view: View, position: types.Position) -> Iterator[types.CodeAction]:
    """Yield the actions that make the value at a position, or all equal values, a parameter."""
    offset, titles = view.positions.offset(position), set[str]()
    for everywhere in (False, True):
        extraction = view.language.extract_parameter(offset, everywhere=everywhere).fix
        fix = render_fix(view.analysis.template, extraction) if extraction is not None else None
        if fix is not None and fix.title not in titles:
            titles.add(fix.title)
            yield types.CodeAction(visible(fix.title), _EXTRACT, edit=document_edit(view.document, fix.edits))


def _is_wanted(context: types.CodeActionContext, kind: str) -> bool:
    """Return whether a kind is requested; a requested kind includes its sub-kinds."""
    return not context.only or any((kind + ".").startswith(one + ".") for one in context.only)


def _touch(one: Span, other: Span) -> bool:
    return one.start <= other.end and other.start <= one.end


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
