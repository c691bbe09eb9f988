"""An invalid parameter group."""

from collections.abc import Iterator

from heatstudio.analysis.scope import Finding, Place, TemplateScope, template_check
from heatstudio.stack.definition.definition_problems import parameter_problems
from heatstudio.stack.problem import ProblemKind


@template_check()
def check(scope: TemplateScope) -> Iterator[Finding]:
    """Yield every invalid parameter group."""
    for problem in parameter_problems(scope.stack):
        if problem.kind is ProblemKind.GROUP:
            yield Finding(problem.message, Place(problem.path))
