"""A name that Heat looks up in your cloud."""

from collections.abc import Iterator

from heatstudio.analysis.migrations import lookup_fixes
from heatstudio.analysis.scope import Finding, ResourceScope, resource_check
from heatstudio.text import Severity


@resource_check(refuses=False)
def check(scope: ResourceScope) -> Iterator[Finding]:
    """Yield every name for which the connected cloud has an ID."""
    cloud = scope.knowledge.cloud
    if cloud is None or scope.type is None:
        return
    for written in scope.written:
        fixes = lookup_fixes(scope.type, written, scope.properties_path, cloud.names.find)
        if fixes:
            path = (*scope.properties_path, *written.path)
            message = f"Heat looks up this name in `{cloud.name}`; use an ID to avoid ambiguity."
            yield scope.finding(message, path, severity=Severity.HINT, fixes=fixes)
