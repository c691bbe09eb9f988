"""# An invalid parameter group

`parameter_groups` arranges parameters in forms. A group requires a list of declared parameters; a parameter can be in
one group only.

## Why

Heat rejects the template, although groups do not affect the stack.

## Example

    parameter_groups:
      - label: Network
        parameters: [network, subnett]     # the parameter is `subnet`

## How to fix it

Correct the name, or remove it from the group.
"""

from __future__ import annotations

from collections.abc import Iterator

from heatstudio.analysis.scope.finding import Finding, Place
from heatstudio.analysis.scope.scope import TemplateScope
from heatstudio.stack.definition.definition_problems import parameter_problems
from heatstudio.stack.problem import ProblemKind
from heatstudio.text import Severity

CODE = "invalid-parameter-group"


def check(scope: TemplateScope) -> Iterator[Finding]:
    """Every wrong parameter group."""
    for problem in parameter_problems(scope.stack):
        if problem.kind is ProblemKind.GROUP:
            yield Finding(CODE, Severity.ERROR, problem.message, Place(problem.path))
