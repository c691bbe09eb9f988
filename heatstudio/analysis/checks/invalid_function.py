"""Invalid arguments of a function."""

from collections.abc import Iterator

from msgspec.structs import replace

from heatstudio.analysis.migrations import function_fixes
from heatstudio.analysis.scope.check import resource_check
from heatstudio.analysis.scope.finding import Finding
from heatstudio.analysis.scope.missing_name import is_in_definition, of_missing_attribute, of_missing_condition
from heatstudio.analysis.scope.scope import ResourceScope
from heatstudio.template import Part

CODE = "invalid-function"


@resource_check(when_disabled=True)
def check(scope: ResourceScope) -> Iterator[Finding]:
    """Yield each invalid function call in a resource, except references to unknown resources."""
    for problem in scope.function_problems:
        if problem.missing_resource is not None or is_in_definition(scope, problem):
            continue
        finding = scope.finding(CODE, problem.message, problem.path, Part.KEY)
        yield of_missing_condition(finding, scope) or of_missing_attribute(finding, scope) or _other(scope, finding)


def _other(scope: ResourceScope, finding: Finding) -> Finding:
    path = finding.place.path
    known = scope.is_version_known
    fixes = function_fixes(scope.view, scope.knowledge, path, scope.data_at(path)) if known else ()
    return replace(finding, fixes=fixes)
