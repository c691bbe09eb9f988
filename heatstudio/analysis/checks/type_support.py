"""A deprecated resource type."""

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from heatstudio.analysis.life_cycle import SEVERITIES, support_message
from heatstudio.analysis.migrations import type_fixes
from heatstudio.analysis.scope import Finding, ResourceScope, resource_check
from heatstudio.catalog import status_at


@resource_check(refuses=False)
def check(scope: ResourceScope) -> Iterator[Finding]:
    """Yield the type of a resource if the type is deprecated, hidden or unsupported."""
    if scope.type is None:
        return
    status = status_at(scope.type.support_status, scope.settings.release)
    severity = SEVERITIES.get(status.status) if status is not None else None
    if status is not None and severity is not None:
        too_new = _is_too_new(scope, status.successor)
        status = replace(status, successor=None) if too_new else status
        message = support_message(scope.type_words, status, scope.type.name)
        finding = scope.finding(message, scope.type_path, severity=severity)
        data = scope.data_at(scope.path)
        written = data if isinstance(data, Mapping) else {}
        fixes = type_fixes(scope.type, scope.knowledge.catalog, written, scope.path, scope.words)
        yield replace(finding, property=None, fixes=() if too_new else fixes)


def _is_too_new(scope: ResourceScope, successor: str | None) -> bool:
    """Return whether the successor type is newer than the target release."""
    found = scope.knowledge.catalog.get(successor) if successor is not None else None
    return found is not None and status_at(found.support_status, scope.settings.release) is None
