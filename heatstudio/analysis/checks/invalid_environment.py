"""An invalid environment."""

from collections.abc import Iterator

from heatstudio.analysis.environment_problems import finding_in_template
from heatstudio.analysis.scope import Finding, TemplateScope, template_check
from heatstudio.stack.definition.definition_problems import environment_problems, parameter_problems
from heatstudio.stack.problem import ProblemKind


@template_check()
def check(scope: TemplateScope) -> Iterator[Finding]:
    """Yield every problem in the environments of this template."""
    for problem in (*(environment_problems(scope.stack) if scope.strict else ()), *parameter_problems(scope.stack)):
        is_of_file = problem.file is not None and problem.kind is not ProblemKind.MISSING
        if is_of_file or problem.kind is ProblemKind.UNDEFINED:
            finding = finding_in_template(problem, scope)
            yield finding if scope.strict or problem.kind is ProblemKind.UNDEFINED else finding.late()
