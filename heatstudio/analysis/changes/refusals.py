"""The problems of a new template as the reasons why Heat rejects the update, or fails to carry it out."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from heatstudio.analysis.scope import Diagnostic
from heatstudio.stack.definition.stack_definition import StackDefinition
from heatstudio.stack.problem import ProblemKind
from heatstudio.text import LineIndex, Severity
from heatstudio.update.plan.update_plan import Action, Refusal, ResourceChange, UpdatePlan


def with_errors(plan: UpdatePlan, text: str, diagnostics: Iterable[Diagnostic]) -> UpdatePlan:
    """Return the plan with the errors among the diagnostics of the new text, and the problems that make it fail.

    heat/engine/service.py, _update_stack: Heat validates all of the new stack before it changes any resource.
    """
    lines = LineIndex(text)
    refusals = list(plan.refusals)
    late: dict[str, list[str]] = {}
    for one in diagnostics:
        if (one.finding or one).severity is Severity.ERROR:
            refusals.append(_refusal(one, lines))
        elif one.finding is not None and one.finding.is_late and one.resource is not None:
            late.setdefault(one.resource, []).append(str(_refusal(one, lines)))
    changes = tuple(_failing(change, late.get(change.name, ())) for change in plan.changes)
    return replace(plan, refusals=tuple(refusals), changes=changes)


def _failing(change: ResourceChange, problems: Sequence[str]) -> ResourceChange:
    """Return the change of a resource that Heat fails to create or update with its new definition."""
    if not problems or change.action in (Action.UNCHANGED, Action.DELETED) or not change.has_effect:
        return change
    return replace(change, breaks=True, notes=(*change.notes, *problems))


def missing_values(stack: StackDefinition, advice: str = "") -> tuple[Refusal, ...]:
    """Return the required parameters without a value, for which Heat rejects a stack."""
    missing = (one for one in stack.parameters.problems() if one.kind is ProblemKind.MISSING)
    return tuple(Refusal(f"Parameter `{one.path[-1]}` has no value.{advice}") for one in missing)


def _refusal(error: Diagnostic, lines: LineIndex) -> Refusal:
    where = error.elsewhere
    if where is not None:
        return Refusal(f"{error.message} ({where.file}, line {where.start.line + 1})")
    return Refusal(error.message, error.span, lines.position(error.span.start).line + 1, error.resource or "")
