"""Conversion of diagnostics to LSP diagnostics."""

from collections.abc import Iterator

from lsprotocol import types

from heatstudio.analysis import Diagnostic
from heatstudio.assets import resource_path
from heatstudio.lsp.workspace import ClientWorkspace, View, beside
from heatstudio.text import Severity, Span
from heatstudio.text.invisible import visible

SOURCE = "heatstudio"
_SUPPORT = frozenset({"attribute-support", "property-support", "type-support"})
_UNUSED = "unused-"


def diagnostics(workspace: ClientWorkspace, view: View, *, with_inactive: bool = False) -> list[types.Diagnostic]:
    """Return all diagnostics of a document and its settings, then a hint for each part that is inactive now."""
    start, error = view.positions.range(Span(0, 0)), types.DiagnosticSeverity.Error
    wrong = (types.Diagnostic(start, visible(one), error, source=SOURCE) for one in view.complaints)
    found = (diagnostic(workspace, view, one) for one in view.analysis.diagnostics)
    return [*wrong, *found, *(_inactive(view) if with_inactive else ())]


def diagnostic(workspace: ClientWorkspace, view: View, found: Diagnostic) -> types.Diagnostic:
    """Return an LSP diagnostic; one that an environment causes has the position there as related information."""
    return types.Diagnostic(
        view.positions.range(found.span),
        visible(found.message),
        types.DiagnosticSeverity(found.severity + 1),
        found.code,
        types.CodeDescription(resource_path("pages", f"{found.code}.md").as_uri()),
        SOURCE,
        _tags(found) or None,
        [*_related(workspace, view, found)] or None,
    )


def _tags(found: Diagnostic) -> list[types.DiagnosticTag]:
    if found.code in _SUPPORT and found.severity is Severity.WARNING:  # deprecated, or hidden, which follows
        return [types.DiagnosticTag.Deprecated]
    return [types.DiagnosticTag.Unnecessary] if found.code.startswith(_UNUSED) else []


def _related(workspace: ClientWorkspace, view: View, found: Diagnostic) -> Iterator[types.DiagnosticRelatedInformation]:
    if found.elsewhere is not None:
        there = workspace.file(beside(view.document, found.elsewhere.file))
        ends = (there.positions.from_code_points(end) for end in (found.elsewhere.start, found.elsewhere.end))
        place = types.Location(there.uri, types.Range(*ends))
        yield types.DiagnosticRelatedInformation(place, visible(found.message))
    for message, span in (*((found.message, span) for span in found.also), *found.related):
        place = types.Location(view.document.uri, view.positions.range(span))
        yield types.DiagnosticRelatedInformation(place, visible(message))


def _inactive(view: View) -> Iterator[types.Diagnostic]:
    for span, reason in sorted(view.analysis.inactive):
        yield types.Diagnostic(
            view.positions.range(span),
            visible(reason),
            types.DiagnosticSeverity.Hint,
            source=SOURCE,
            tags=[types.DiagnosticTag.Unnecessary],
        )
