"""Fixes of old attributes: the attribute that Heat recommends, if it has the same type."""

from heatstudio.catalog import ResourceType, Status
from heatstudio.stack.path import Path
from heatstudio.template import DataFix, SetValue
from heatstudio.text import Applicability


def attribute_fixes(resource_type: ResourceType, attribute: str, path: Path) -> tuple[DataFix, ...]:
    """Return the fixes of a DEPRECATED or HIDDEN attribute; `path` is the path of its name in the call's arguments."""
    old = resource_type.attributes.get(attribute)
    if old is None or old.support_status.status not in (Status.DEPRECATED, Status.HIDDEN):
        return ()
    new = resource_type.attributes.get(old.support_status.successor or "")
    if new is None or old.type is None or old.type is not new.type:
        return ()
    title = f"Read `{new.name}` instead of `{attribute}` (the same according to Heat's documentation)"
    return (DataFix(title, (SetValue(path, new.name),), Applicability.DECISION),)
