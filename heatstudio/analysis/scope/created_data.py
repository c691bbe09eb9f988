"""The data of resources while Heat creates a stack: their attributes have values, of which the types are known."""

from functools import cached_property, partial

from heatstudio.analysis.attribute_path import Attributes, attributes_of, value_read
from heatstudio.catalog.attribute_shape import AttributeKind
from heatstudio.stack.definition.stack_definition import StackDefinition
from heatstudio.stack.definition.types import Types
from heatstudio.stack.functions.hot_functions import attribute_at
from heatstudio.stack.resource_proxy import NodeData, PathAttribute
from heatstudio.stack.unknown import ATTRIBUTE, Shape, Unknown, has_unknown
from heatstudio.stack.values.properties import resource_properties
from heatstudio.stack.values.property_problem import PropertyError
from heatstudio.update.sides.attribute_values import LONGEST_CHAIN, AttributeMap

_SHAPES = {
    AttributeKind.TEXT: Shape.TEXT,
    AttributeKind.NUMBER: Shape.NUMBER,
    AttributeKind.BOOLEAN: Shape.BOOLEAN,
    AttributeKind.LIST: Shape.ITEMS,
    AttributeKind.MAP: Shape.MAP,
}


class CreatedData:
    """The data of the resources of a stack by name, computed on first access."""

    def __init__(self, stack: StackDefinition, types: Types, depth: int = 0) -> None:
        self._stack = stack
        self._types = types
        self._depth = depth
        self._mirrored_values: dict[tuple[str, str], object] = {}
        self._owners: dict[str, Attributes | None] = {}

    @cached_property
    def _created(self) -> StackDefinition:
        """The stack with which mirrored properties are computed; another object, to avoid reference cycles."""
        return self._stack.created(CreatedData(self._stack, self._types, self._depth + 1).node)

    def node(self, name: str) -> NodeData:
        """Return the data of a resource."""
        origins = frozenset({f"resource:{name}"})
        attributes = AttributeMap(lambda attribute: PathAttribute(partial(self.value_at, name, attribute)), ())
        return NodeData(Unknown(("reference", name), origins, Shape.TEXT), attributes)

    def value_at(self, resource: str, attribute: str, path: tuple[object, ...]) -> object:
        """Return the value at a path in an attribute."""
        if resource not in self._owners:
            data = self._stack.resource_definition(resource).data
            self._owners[resource] = attributes_of(self._types, self._stack, resource, data)
        owner = self._owners[resource]
        read = resource, attribute
        if owner is not None and read not in self._mirrored_values:
            self._mirrored_values[read] = self._mirrored(resource, attribute)
        mirrored = self._mirrored_values.get(read)
        if mirrored is not None:
            try:
                return attribute_at(mirrored, list(path))
            except (LookupError, TypeError, ValueError):
                return None
        key, origins = (ATTRIBUTE, resource, attribute, *map(str, path)), frozenset({f"resource:{resource}"})
        return Unknown(key, origins, _shape(owner, (attribute, *path)) if owner is not None else Shape.ANY)

    def _mirrored(self, resource: str, attribute: str) -> object:
        """Return the value of the property that the attribute mirrors; None if there is none or it is unknown."""
        definition = self._stack.resource_definition(resource)
        kind = self._types.find(definition.type, resource).type
        rule = self._types.knowledge.update_behavior(kind).attributes.get(attribute) if kind is not None else None
        if kind is None or rule is None or not rule.value_of or self._depth >= LONGEST_CHAIN:
            return None
        try:
            return resource_properties(definition, kind, self._created)[rule.value_of]
        except PropertyError:
            return None


def _shape(owner: Attributes, path: tuple[object, ...]) -> Shape:
    """Return the shape of the value at a path of attributes."""
    node = value_read(owner, path) if not has_unknown(path) else None
    return Shape.ANY if node is None or isinstance(node, Attributes) else _SHAPES.get(node.kind, Shape.ANY)
