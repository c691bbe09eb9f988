"""# A parameter that is declared wrongly, or has a value that its declaration refuses

Heat looks at the declaration of every parameter, its default, and the value that an environment gives.

## Example

    parameters:
      size:
        type: int        # the type is called `number`
"""

from __future__ import annotations

from collections.abc import Iterator

from heatstudio.analysis.finding import Finding, Place
from heatstudio.analysis.scope import TemplateScope
from heatstudio.stack.problem import ProblemKind
from heatstudio.template import Part
from heatstudio.text import Severity

CODE = "invalid-parameter"


def check(scope: TemplateScope) -> Iterator[Finding]:
    """Every parameter that Heat refuses."""
    kinds = (ProblemKind.SCHEMA, ProblemKind.VALUE) if scope.strict else (ProblemKind.SCHEMA,)
    for problem in scope.stack.parameter_problems():
        if problem.kind in kinds and problem.file is None:
            yield Finding(CODE, Severity.ERROR, problem.message, Place(problem.path, Part.VALUE))
