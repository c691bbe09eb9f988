"""A deprecated property."""

from collections.abc import Iterator

from heatstudio.analysis.life_cycle import SEVERITIES, support_message
from heatstudio.analysis.migrations.property_fixes import property_fixes
from heatstudio.analysis.scope import Finding, ResourceScope, resource_check
from heatstudio.catalog.release import status_at
from heatstudio.template import Part


@resource_check(refuses=False)
def check(scope: ResourceScope) -> Iterator[Finding]:
    """Yield every written property that is deprecated, hidden or unsupported."""
    for written in scope.written:
        status = status_at(written.schema.support_status, scope.settings.release)
        severity = SEVERITIES.get(status.status) if status is not None else None
        if status is None or severity is None or scope.type is None:
            continue
        message = support_message(f"Property `{written.schema.name}`", status, scope.type.name, str(written.path[-1]))
        fixes = property_fixes(scope.type, written, scope.raw_properties, scope.properties_path, scope.value_now)
        yield scope.finding(message, (*scope.properties_path, *written.path), Part.KEY, severity, fixes=fixes)
