"""# A function that is called wrongly

Each intrinsic function wants arguments of a certain shape, and some exist only in some template versions.

## Why

Heat refuses the template. In a branch of `if` that is not chosen now it does not look, so the problem would show when
the condition changes: there it is a warning.

## Example

    get_attr: server                 # a list is needed
    get_attr: [server, addresses]    # right

## The way out

Give the arguments that the message names, or state a template version that has the function.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from heatstudio.analysis.finding import Finding
from heatstudio.analysis.missing_name import of_missing_attribute, of_missing_condition
from heatstudio.analysis.scope import ResourceScope
from heatstudio.analysis.successors import function_remedies
from heatstudio.template import Part
from heatstudio.text import Severity

CODE = "invalid-function"


def check(scope: ResourceScope) -> Iterator[Finding]:
    """Every wrong call in a resource; that of a resource that is not there is told by the name."""
    for problem in scope.function_problems:
        if problem.missing_resource is not None:
            continue
        severity = Severity.WARNING if problem.hidden_branch else Severity.ERROR
        finding = scope.finding(CODE, problem.message, problem.path, Part.KEY, severity)
        yield (
            _of_condition(scope, finding)
            or of_missing_attribute(finding, scope.whole, scope.view)
            or _other(scope, finding)
        )


def _of_condition(scope: ResourceScope, finding: Finding) -> Finding | None:
    return of_missing_condition(finding, scope.whole, scope.names(scope.words.conditions))


def _other(scope: ResourceScope, finding: Finding) -> Finding:
    whole = scope.whole
    return replace(finding, remedies=function_remedies(whole.template, whole.knowledge, finding.place.path))
