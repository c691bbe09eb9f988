"""A deprecated attribute."""

from collections.abc import Iterator

from heatstudio.analysis.life_cycle import SEVERITIES, support_message
from heatstudio.analysis.migrations import attribute_remedies
from heatstudio.analysis.scope.calls import attributes_read
from heatstudio.analysis.scope.finding import Finding, Place
from heatstudio.analysis.scope.scope import Scope
from heatstudio.catalog import status_at

CODE = "attribute-support"


def check(scope: Scope) -> Iterator[Finding]:
    """Yield every deprecated, hidden or unsupported attribute that outputs or a resource read."""
    for resource, attribute, path in attributes_read(scope.calls):
        if not scope.view.names_resource(resource):
            continue
        owner = scope.types.find(scope.view.resource_type(resource), resource).type
        schema = owner.attributes.get(attribute) if owner is not None else None
        status = status_at(schema.support_status, scope.settings.release) if schema is not None else None
        severity = SEVERITIES.get(status.status) if status is not None else None
        if owner is not None and status is not None and severity is not None:
            message = support_message(f"Attribute `{attribute}`", status)
            remedies = attribute_remedies(owner, attribute, path)
            yield Finding(CODE, severity, message, Place(path), remedies=remedies)
