"""# An unused default

`parameter_defaults` of an environment sets a parameter that neither the template nor its nested templates declare.

## Why

Heat ignores it without a warning: if the name is misspelled, the real parameter does not get the value.

## Example

    # environment                  # template
    parameter_defaults:            parameters:
      Flavour: m1.large              Flavor: {type: string, default: m1.small}

## How to fix it

Correct the name. If the environment is for several templates, ignore this problem.
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
