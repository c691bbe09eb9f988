"""An invalid environment."""

from collections.abc import Iterator

from heatstudio.analysis.environment_problems import environment_finding, severity_of
from heatstudio.analysis.scope.check import template_check
from heatstudio.analysis.scope.finding import Finding
from heatstudio.analysis.scope.scope import TemplateScope
from heatstudio.stack.definition.definition_problems import environment_problems, parameter_problems
from heatstudio.stack.problem import ProblemKind

CODE = "invalid-environment"


@template_check()
def check(scope: TemplateScope) -> Iterator[Finding]:
    """Yield every problem in the environments of this template."""
    for problem in (*(environment_problems(scope.stack) if scope.strict else ()), *parameter_problems(scope.stack)):
        is_of_file = problem.file is not None and problem.kind is not ProblemKind.MISSING
        if is_of_file or problem.kind is ProblemKind.UNDEFINED:
            finding = environment_finding(scope, CODE, severity_of(problem), problem)
            yield finding if scope.strict or problem.kind is ProblemKind.UNDEFINED else finding.late()
