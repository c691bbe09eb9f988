"""Code lenses: the effect of an update, above the changed resources."""

from lsprotocol.types import CodeLens, Command

from heatstudio.lsp.workspace import ClientWorkspace, View
from heatstudio.template import Part
from heatstudio.text import Span
from heatstudio.text.invisible import visible
from heatstudio.text.markup import Markdown
from heatstudio.update.plan.outcome import Outcome, outcome_of
from heatstudio.update.plan.plan_text import headline, plan_markdown, totals
from heatstudio.update.plan.property_lines import property_lines
from heatstudio.update.plan.update_plan import ResourceChange

PREVIEW = "heatstudio.previewUpdate"
PREVIEW_TITLE = "Preview the update"
_MOST_LINES = 2
"""Maximum number of differences in a lens."""
_ROOM = 40
"""Maximum number of characters of the values of a difference."""


def code_lenses(workspace: ClientWorkspace, view: View) -> list[CodeLens]:
    """Return the lenses with the totals above the resources section and the outcome above each changed resource."""
    template = view.analysis.template
    section = template.dialect.resources
    found = workspace.plan(view) if not view.is_environment and template.find((section,)) is not None else None
    if found is None or found[1].unread:
        return []
    baseline, plan = found
    words = headline(plan) if plan.refusals else totals(plan)
    title = f"{PREVIEW_TITLE} · {words.removesuffix('.')} · compared with {baseline}"
    changed = (one for one in plan.accepted_changes if outcome_of(one) is not Outcome.UNCHANGED)
    here = ((one, (section, one.name)) for one in changed if template.find((section, one.name)) is not None)
    return [
        _lens(view, template.locate((section,), Part.KEY), title),
        *(_lens(view, template.locate(path, Part.KEY), _consequence(one)) for one, path in here),
    ]


def preview(workspace: ClientWorkspace, view: View) -> Markdown:
    """Return the update preview."""
    found = workspace.plan(view) if not view.is_environment else None
    if found is None:
        return Markdown("No commit or saved file to compare with.\n")
    baseline, plan = found
    if plan.unread:
        unread = f"The template in {baseline}" if plan.unread == "old" else "The template"
        return Markdown("{} cannot be read.\n").fill(unread)
    return plan_markdown(plan, f"Update preview compared with {baseline}")


def _lens(view: View, span: Span, title: str) -> CodeLens:
    return CodeLens(view.positions.range(span), Command(visible(title), PREVIEW, arguments=[view.document.uri]))


def _consequence(change: ResourceChange) -> str:
    """Return the outcome with the first differences that cause it, and further reasons."""
    outcome = outcome_of(change)
    lines = [line for _, found in property_lines(change) for line in found]
    causes = [line.text(_ROOM) for line in lines[:_MOST_LINES]]
    causes += [f"{len(lines) - _MOST_LINES} more"] if len(lines) > _MOST_LINES else []
    reasons = ", then ".join(change.further_reasons)
    words = f"{outcome.symbol} {outcome.words(certain=change.certain)}"
    return words + (f" · {' · '.join(causes)}" if causes else "") + (f" because {reasons}" if reasons else "")
