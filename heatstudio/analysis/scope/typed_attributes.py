"""The attributes of known types that calls read."""

from collections.abc import Iterable, Iterator

from heatstudio.analysis.scope.calls import Call
from heatstudio.analysis.scope.scope import Scope
from heatstudio.catalog import ResourceType
from heatstudio.template import TreePath

_FUNCTIONS = ("get_attr", "Fn::GetAtt")


def attributes_of_types(scope: Scope, found: Iterable[Call]) -> Iterator[tuple[ResourceType, str, TreePath]]:
    """Yield the type, the attribute and the path of its name for each call that reads an attribute of a known type."""
    for name, arguments, path in found:
        named = arguments[:2] if name in _FUNCTIONS and isinstance(arguments, list) else ()
        match named:
            case [str(resource), str(attribute)] if scope.view.names_resource(resource):
                owner = scope.types.find(scope.view.resource_type(resource), resource).type
                if owner is not None:
                    yield owner, attribute, (*path, 1)
