"""The attributes of known types that calls read."""

from collections.abc import Iterable, Iterator

from heatstudio.analysis.scope.calls import Call, attributes_read
from heatstudio.analysis.scope.scope import Scope
from heatstudio.catalog import ResourceType
from heatstudio.stack.path import Path


def attributes_of_types(scope: Scope, found: Iterable[Call]) -> Iterator[tuple[ResourceType, str, Path]]:
    """Yield the type, the attribute and the path of its name for each call that reads an attribute of a known type."""
    known = (read for read in attributes_read(found) if scope.view.names_resource(read[0]))
    for resource, attribute, path in known:
        owner = scope.types.find(scope.view.resource_type(resource), resource).type
        if owner is not None:
            yield owner, attribute, path
