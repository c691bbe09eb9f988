"""An invalid condition."""

from collections.abc import Iterator

from heatstudio.analysis.scope.calls import parameters_read
from heatstudio.analysis.scope.check import resource_check, template_check
from heatstudio.analysis.scope.finding import Finding, Place
from heatstudio.analysis.scope.missing_name import of_missing_condition
from heatstudio.analysis.scope.scope import ResourceScope, Scope, TemplateScope
from heatstudio.stack.definition.definition_problems import condition_problems, output_problems, parameter_problems
from heatstudio.stack.functions.examine import FunctionProblem
from heatstudio.stack.problem import ProblemKind, StackProblem
from heatstudio.template import Part
from heatstudio.text import Severity

CODE = "invalid-condition"


@template_check()
def check(scope: TemplateScope) -> Iterator[Finding]:
    """Yield every invalid condition in the conditions section and in outputs."""
    stack = scope.stack
    for problem in condition_problems(stack):
        yield _finding(scope, problem)
    if scope.stack.parent_resource is not None:
        yield from _not_provided(scope)
    for name in stack.output_names:
        for problem in output_problems(stack, name):
            if isinstance(problem, FunctionProblem) or problem.kind is ProblemKind.CONDITION:
                yield _finding(scope, problem)


def _not_provided(scope: TemplateScope) -> Iterator[Finding]:
    """Yield the parameters without a value that conditions of a nested template read: Heat evaluates all conditions."""
    missing = {p.path[-1]: p.message for p in parameter_problems(scope.stack) if p.kind is ProblemKind.MISSING}
    for name, place in parameters_read(scope.condition_calls, scope.view):
        if name in missing:
            yield Finding(CODE, Severity.ERROR, missing[name], Place(place))


@resource_check(when_disabled=True)
def check_resource(scope: ResourceScope) -> Iterator[Finding]:
    """Yield the invalid condition of a resource."""
    for problem in scope.definition_problems:
        if isinstance(problem, FunctionProblem) or problem.kind is ProblemKind.CONDITION:
            yield _finding(scope, problem)


def _finding(scope: Scope, problem: StackProblem | FunctionProblem) -> Finding:
    part = Part.KEY if isinstance(problem, FunctionProblem) else Part.VALUE
    name = scope.name if isinstance(scope, ResourceScope) else None
    finding = Finding(CODE, Severity.ERROR, problem.message, Place(problem.path, part), name)
    return of_missing_condition(finding, scope) or finding
