"""Features of newer releases that the target release does not have."""

from heatstudio.analysis.scope.scope import ResourceScope
from heatstudio.catalog import PropertySchema, ResourceType
from heatstudio.catalog.schema import property_at
from heatstudio.stack.path import Path


def later_type(scope: ResourceScope) -> ResourceType | None:
    """The type of the resource, if only a Heat that is newer than the target's has it."""
    if scope.found is None or scope.found.type is not None:
        return None
    return scope.knowledge.newest.get(scope.found.target)


def later_property(scope: ResourceScope, path: Path) -> PropertySchema | None:
    """The property at a path into the properties that the type does not have at the target, if it has it later."""
    newest = scope.knowledge.newest.get(scope.type.name) if scope.type is not None else None
    return property_at(newest.properties, path) if newest is not None else None
