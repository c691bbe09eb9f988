"""An invalid output."""

from collections.abc import Iterator

from heatstudio.analysis.scope.finding import Finding, Place
from heatstudio.analysis.scope.missing_name import of_missing_attribute, of_missing_condition
from heatstudio.analysis.scope.scope import TemplateScope
from heatstudio.stack.definition.definition_problems import output_problems
from heatstudio.stack.functions.examine import validate
from heatstudio.stack.problem import ProblemKind, StackProblem
from heatstudio.template import Part
from heatstudio.text import Severity

CODE = "invalid-output"


def check(scope: TemplateScope) -> Iterator[Finding]:
    """Yield every invalid output."""
    stack = scope.stack
    for name in stack.output_names:
        for problem in output_problems(stack, name):
            if isinstance(problem, StackProblem) and problem.kind is ProblemKind.STRUCTURE:
                yield Finding(CODE, Severity.ERROR, problem.message, Place(problem.path, Part.KEY))
    for output in scope.live_outputs:
        for fault in validate(output.value, stack):
            if fault.missing_resource is not None:
                continue
            finding = Finding(CODE, Severity.ERROR, fault.message, Place(fault.path, Part.KEY))
            yield of_missing_condition(finding, scope) or of_missing_attribute(finding, scope) or finding
