"""# A function that is called wrongly

Each intrinsic function wants arguments of a certain shape, and some exist only in some template versions.

In a branch of `if` that is not chosen now Heat does not look: the problem shows when the condition changes, so it is a
warning.

## Example

    get_attr: server                       # a list is needed
    get_attr: [server, first_address]      # right
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from heatstudio.analysis.finding import Finding
from heatstudio.analysis.scope import ResourceScope
from heatstudio.analysis.successors import function_remedies
from heatstudio.template import Part
from heatstudio.text import Severity

CODE = "invalid-function"


def check(scope: ResourceScope) -> Iterator[Finding]:
    """Every wrong call in a resource."""
    for problem in scope.function_problems:
        severity = Severity.WARNING if problem.hidden_branch else Severity.ERROR
        finding = scope.finding(CODE, problem.message, problem.path, Part.KEY, severity)
        whole = scope.whole
        yield replace(finding, remedies=function_remedies(whole.template, whole.knowledge, problem.path))
