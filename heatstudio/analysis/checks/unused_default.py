"""# A default that no parameter takes

`parameter_defaults` of an environment name a parameter that neither the template declares nor any template that it
nests.

## Why

Heat accepts it in silence, and uses the value nowhere: a misspelled name leaves the real parameter without its value.

## Example

    # environment                  # template
    parameter_defaults:            parameters:
      Flavour: m1.large              Flavor: {type: string, default: m1.small}

## How to fix it

Correct the name. If the environment serves several templates, nothing has to be done.
"""

from __future__ import annotations

from collections.abc import Iterator

from heatstudio.analysis.environment_problems import environment_finding
from heatstudio.analysis.scope.finding import Finding
from heatstudio.analysis.scope.scope import TemplateScope
from heatstudio.stack.unused_defaults import unused_defaults
from heatstudio.text import Severity

CODE = "unused-default"


def check(scope: TemplateScope) -> Iterator[Finding]:
    """The defaults of environments that no template of the stack takes."""
    if scope.source.depth == 0:
        for problem in unused_defaults(scope.source, scope.stack, scope.knowledge):
            yield environment_finding(scope, CODE, Severity.INFORMATION, problem)
