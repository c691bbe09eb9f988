"""# A parameter that is declared wrongly, or has a value that its declaration refuses

Heat looks at the declaration of every parameter, at its default, and at the value that it is given.

## Why

With a declaration that it does not understand, or a value outside of it, Heat refuses the stack before it creates
anything.

## Example

    parameters:
      size:
        type: int          # the type is called `number`
        default: ten       # and this is none

## The way out

Use one of the types and constraints of the template version, and a default that keeps to them.
"""

from __future__ import annotations

from collections.abc import Iterator

from heatstudio.analysis.finding import Finding, Place
from heatstudio.analysis.scope import TemplateScope
from heatstudio.stack.definition_problems import parameter_problems
from heatstudio.stack.problem import ProblemKind
from heatstudio.template import Part
from heatstudio.text import Severity

CODE = "invalid-parameter"


def check(scope: TemplateScope) -> Iterator[Finding]:
    """Every parameter that Heat refuses."""
    kinds = (ProblemKind.SCHEMA, ProblemKind.VALUE) if scope.strict else (ProblemKind.SCHEMA,)
    for problem in parameter_problems(scope.stack):
        if problem.kind in kinds and problem.file is None:
            yield Finding(CODE, Severity.ERROR, problem.message, Place(problem.path, Part.VALUE))
