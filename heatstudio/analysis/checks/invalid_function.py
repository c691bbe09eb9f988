"""Invalid arguments of a function."""

from collections.abc import Iterator

from msgspec.structs import replace

from heatstudio.analysis.migrations.function_fixes import function_fixes, version_of_arguments
from heatstudio.analysis.scope import Finding, ResourceScope, resource_check
from heatstudio.analysis.scope.calls import IF
from heatstudio.analysis.scope.missing_name import is_in_definition, of_missing_attribute, of_missing_condition
from heatstudio.catalog.headlines import headline
from heatstudio.template import AddItem, DataFix, Part
from heatstudio.text import Applicability


@resource_check(when_disabled=True)
def check(scope: ResourceScope) -> Iterator[Finding]:
    """Yield each invalid function call in a resource, except references to unknown resources."""
    for problem in scope.function_problems:
        if problem.missing_resource is not None or is_in_definition(scope, problem):
            continue
        finding = scope.finding(problem.message, problem.path, Part.KEY)
        yield of_missing_condition(finding, scope) or of_missing_attribute(finding, scope) or _other(scope, finding)


def _other(scope: ResourceScope, finding: Finding) -> Finding:
    path = finding.place.path
    if not scope.is_version_known or len(path) < 2:
        return finding
    call = scope.view, scope.knowledge, path, scope.data_at(path)
    fixes, newer = function_fixes(*call), version_of_arguments(*call)
    if newer is None:
        return replace(finding, fixes=fixes)
    message = f"{headline(finding.message)} Version {newer.version} ({newer.release}) accepts it."
    null = DataFix("Add `null` as the value if false", (AddItem(path, None),), Applicability.DECISION)
    fixes = (*fixes, null) if path[-1] == IF[0] else fixes
    return finding.reworded(message, *fixes)
