"""# An environment that does not fit

An environment gives values to parameters and says what implements resource types. This one gives a value to a
parameter that the template does not declare, or one that its declaration refuses.

## Why

Heat refuses to create or update the stack. Only `parameter_defaults` may name parameters that are not declared.

## Example

    # environment                  # template
    parameters:                    parameters:
      flavour: m1.small              flavor: {type: string}

## The way out

Correct the name or the value in the environment; move values that serve many templates to `parameter_defaults`.
"""

from __future__ import annotations

from collections.abc import Iterator

from heatstudio.analysis.finding import Finding, Place
from heatstudio.analysis.scope import TemplateScope
from heatstudio.stack.definition_problems import parameter_problems
from heatstudio.stack.problem import ProblemKind
from heatstudio.template import Part
from heatstudio.text import Severity

CODE = "invalid-environment"


def check(scope: TemplateScope) -> Iterator[Finding]:
    """Everything that is wrong with the environments of this template, told where the template begins to need them."""
    for problem in parameter_problems(scope.stack) if scope.strict else ():
        if problem.kind is not ProblemKind.MISSING and problem.file is not None:
            message = f"{problem.message} (in the environment {problem.file})"
            yield Finding(CODE, Severity.ERROR, message, Place((scope.words.parameters,), Part.KEY))
        elif problem.kind is ProblemKind.UNDEFINED:
            yield Finding(CODE, Severity.ERROR, problem.message, Place((scope.words.parameters,), Part.KEY))
