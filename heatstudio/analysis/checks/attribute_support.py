"""A deprecated attribute."""

from collections.abc import Iterator

from heatstudio.analysis.life_cycle import SEVERITIES, support_message
from heatstudio.analysis.scope import Finding, Place, Scope, call_check
from heatstudio.analysis.scope.referred import attributes_of_types
from heatstudio.catalog.release import Status, status_at
from heatstudio.catalog.schema import ResourceType
from heatstudio.template import DataFix, SetValue, TreePath
from heatstudio.text import Applicability


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


def attribute_fixes(resource_type: ResourceType, attribute: str, path: TreePath) -> tuple[DataFix, ...]:
    """Return the fixes of a DEPRECATED or HIDDEN attribute; `path` is the path of its name in the call's arguments."""
    old = resource_type.attributes.get(attribute)
    if old is None or old.support_status.status not in (Status.DEPRECATED, Status.HIDDEN):
        return ()
    new = resource_type.attributes.get(old.support_status.successor or "")
    if new is None or old.type is None or old.type is not new.type:
        return ()
    title = f"Read `{new.name}` instead of `{attribute}` (the same according to Heat's documentation)"
    return (DataFix(title, (SetValue(path, new.name),), Applicability.DECISION),)
