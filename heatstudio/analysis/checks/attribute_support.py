"""A deprecated attribute."""

from collections.abc import Iterator

from heatstudio.analysis.life_cycle import SEVERITIES, support_message
from heatstudio.analysis.migrations import attribute_fixes
from heatstudio.analysis.scope import Finding, Place, Scope, call_check
from heatstudio.analysis.scope.typed_attributes import attributes_of_types
from heatstudio.catalog import status_at


@call_check(refuses=False, in_members=False)
def check(scope: Scope) -> Iterator[Finding]:
    """Yield every deprecated, hidden or unsupported attribute that outputs or a resource read."""
    for owner, attribute, path in attributes_of_types(scope, scope.calls):
        schema = owner.attributes.get(attribute)
        status = status_at(schema.support_status, scope.settings.release) if schema is not None else None
        severity = SEVERITIES.get(status.status) if status is not None else None
        if status is not None and severity is not None:
            message = support_message(f"Attribute `{attribute}`", status, owner.name, attribute)
            fixes = attribute_fixes(owner, attribute, path)
            yield Finding(message, Place(path), severity, fixes=fixes)
