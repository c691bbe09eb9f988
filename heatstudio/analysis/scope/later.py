"""Types and properties of newer releases that the target release lacks."""

from heatstudio.analysis.scope.scope import ResourceScope
from heatstudio.catalog import PropertySchema, ResourceType
from heatstudio.catalog.schema import property_at
from heatstudio.stack.path import Path


def later_type(scope: ResourceScope) -> ResourceType | None:
    """Return the type of the resource if only releases after the target have it, else None."""
    if scope.found is None or scope.found.type is not None:
        return None
    return scope.knowledge.newest.get(scope.found.target)


def later_property(scope: ResourceScope, path: Path) -> PropertySchema | None:
    """Return the property at a path in the newest release, for a path that is unknown in the target release."""
    newest = scope.knowledge.newest.get(scope.type.name) if scope.type is not None else None
    return property_at(newest.properties, path) if newest is not None else None
