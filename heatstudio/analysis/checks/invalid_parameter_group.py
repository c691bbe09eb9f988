"""An invalid parameter group."""

from collections.abc import Iterator

from heatstudio.analysis.scope.check import template_check
from heatstudio.analysis.scope.finding import Finding, Place
from heatstudio.analysis.scope.scope import TemplateScope
from heatstudio.stack.definition.definition_problems import parameter_problems
from heatstudio.stack.problem import ProblemKind
from heatstudio.text import Severity

CODE = "invalid-parameter-group"


@template_check()
def check(scope: TemplateScope) -> Iterator[Finding]:
    """Yield every invalid parameter group."""
    for problem in parameter_problems(scope.stack):
        if problem.kind is ProblemKind.GROUP:
            yield Finding(CODE, Severity.ERROR, problem.message, Place(problem.path))
