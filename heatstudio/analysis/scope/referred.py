"""The resources to which a resource refers or may refer, such as the only network for `network`."""

from collections.abc import Iterable, Iterator
from itertools import islice

from heatstudio.analysis.scope.calls import OF_ATTRIBUTES, Call, attribute_call
from heatstudio.analysis.scope.scope import ResourceScope, Scope
from heatstudio.catalog.schema import PropertySchema, ResourceType
from heatstudio.stack.order import reached
from heatstudio.template import TreePath

_MOST = 100
"""The maximum number of fitting resources to choose from: a choice among more is seldom the only one."""


def attributes_of_types(scope: Scope, found: Iterable[Call]) -> Iterator[tuple[ResourceType, str, TreePath]]:
    """Yield the type, the attribute and the path of its name for each call that reads an attribute of a known type."""
    for name, arguments, path in found:
        named = arguments[:2] if name in OF_ATTRIBUTES and isinstance(arguments, list) else ()
        match named:
            case [str(resource), str(attribute)] if scope.view.names_resource(resource):
                owner = scope.types.find(scope.view.resource_type(resource), resource).type
                if owner is not None:
                    yield owner, attribute, (*path, 1)


def fitting_reference(scope: ResourceScope, schema: PropertySchema) -> object:
    """Return a reference to the only resource that fits a property and does not depend on this one, else None."""
    found = tuple(islice(_others(scope, schema), _MOST + 1)) if schema.entities or schema.refers else ()
    free = (name for name in found if not _depends(scope, name))
    fitting = tuple(islice(free, 2)) if len(found) <= _MOST else ()
    return attribute_call(scope.words, fitting[0]) if len(fitting) == 1 else None


def _others(scope: ResourceScope, schema: PropertySchema) -> Iterator[str]:
    for written, names in scope.view.names_by_type.items():
        kind = scope.types.find(written, names[0]).type
        if kind is not None and kind.fits(schema):
            yield from (name for name in names if name != scope.name)


def _depends(scope: ResourceScope, name: str) -> bool:
    """Return whether another resource depends on this one, directly or indirectly."""

    def needs(one: str) -> Iterator[str]:
        if scope.view.names_resource(one):
            other = scope.neighbor(one)
            yield from other.definition.depends_on
            yield from (reference.resource for reference in other.references)

    return scope.name in reached([name], needs)
