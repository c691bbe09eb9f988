"""The errors of a new template as the reasons why Heat rejects the update."""

from collections.abc import Iterable

from msgspec.structs import replace

from heatstudio.analysis.scope.finding import Diagnostic
from heatstudio.stack.definition.stack_definition import StackDefinition
from heatstudio.stack.problem import ProblemKind
from heatstudio.text import LineIndex, Severity
from heatstudio.update.update_plan import Refusal, UpdatePlan


def with_errors(plan: UpdatePlan, text: str, diagnostics: Iterable[Diagnostic]) -> UpdatePlan:
    """Return the plan with the errors among the diagnostics of the new text.

    heat/engine/service.py, _update_stack: Heat validates all of the new stack before it changes any resource.
    """
    lines = LineIndex(text)
    found = (_refusal(one, lines) for one in diagnostics if (one.finding or one).severity is Severity.ERROR)
    return replace(plan, refusals=(*plan.refusals, *found))


def missing_values(stack: StackDefinition, advice: str = "") -> tuple[Refusal, ...]:
    """Return the required parameters without a value, for which Heat rejects a stack."""
    missing = (one for one in stack.parameters.problems() if one.kind is ProblemKind.MISSING)
    return tuple(Refusal(f"Parameter `{one.path[-1]}` has no value.{advice}") for one in missing)


def _refusal(error: Diagnostic, lines: LineIndex) -> Refusal:
    where = error.elsewhere
    if where is not None:
        return Refusal(f"{error.message} ({where.file}, line {where.start.line + 1})")
    return Refusal(error.message, error.span, lines.position(error.span.start).line + 1, error.resource or "")
