"""# A parameter group that is wrong

`parameter_groups` arranges parameters for forms. Heat refuses a group without a list of parameters, a parameter in two groups
and one that is not declared.
"""

from __future__ import annotations

from collections.abc import Iterator

from heatstudio.analysis.finding import Finding, Place
from heatstudio.analysis.scope import TemplateScope
from heatstudio.stack.problem import ProblemKind
from heatstudio.text import Severity

CODE = "invalid-parameter-group"


def check(scope: TemplateScope) -> Iterator[Finding]:
    """Every wrong parameter group."""
    for problem in scope.stack.parameter_problems():
        if problem.kind is ProblemKind.GROUP:
            yield Finding(CODE, Severity.ERROR, problem.message, Place(problem.path))
