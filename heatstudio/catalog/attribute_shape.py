"""The shapes of attribute values: which path elements can follow an attribute.

The data is in resources/attributes/shapes.json, derived from the plug-ins of Heat 27.0.1 (_resolve_attribute, the
descriptions of attributes, and properties of the same objects). A shape is `text`, `number`, `boolean` or `any`,
the name of a definition, a list with the shape of its elements, or a map with the shapes of its keys. `*` stands for
all other keys; the path after it leads to the names of these keys in the properties of the resource.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path

from msgspec import Struct, field

from heatstudio.assets import resource_path
from heatstudio.bundled_data import read_data
from heatstudio.catalog.schema import ANY_ELEMENT, AttributeSchema, PropertySchema, PropertyType


class AttributeKind(StrEnum):
    """A kind of attribute value."""

    TEXT = "text"
    NUMBER = "number"
    BOOLEAN = "boolean"
    LIST = "list"
    MAP = "map"
    ANY = "any"


class AttributeShape(Struct, frozen=True):
    """The known shape of an attribute value."""

    kind: AttributeKind = AttributeKind.ANY
    keys: Mapping[str, AttributeShape] = field(default_factory=dict)
    item: AttributeShape | None = None
    """The shape of each list element, or of the other keys of a map; None if the map has no others."""
    names: tuple[str, ...] = ()
    """The property path to the names of the other keys; `*` stands for every list element."""
    items: tuple[AttributeShape, ...] | None = None
    """The shapes of the elements of a list of known length."""

    @property
    def all(self) -> Mapping[str, AttributeShape]:
        """The shapes of all keys; the other keys, if there may be some, are named `*`."""
        others = AttributeShape(self.item.kind, names=self.names) if self.item is not None else None
        return {**self.keys, ANY_ELEMENT: others} if others is not None else self.keys


ANY = AttributeShape()
AttributeShapes = Mapping[str, Mapping[str, AttributeShape]]
"""Shapes by type and attribute."""
_OF_TYPE: Mapping[PropertyType, AttributeShape] = {
    PropertyType.LIST: AttributeShape(AttributeKind.LIST, item=ANY),
    PropertyType.MAP: AttributeShape(AttributeKind.MAP, item=ANY),
    PropertyType.INTEGER: AttributeShape(AttributeKind.NUMBER),
    PropertyType.NUMBER: AttributeShape(AttributeKind.NUMBER),
}
"""The shapes of declared types; without String and Boolean, with which Heat declares many other values."""


_OF_PARAMETER = {
    PropertyType.STRING: AttributeShape(AttributeKind.TEXT),
    PropertyType.BOOLEAN: AttributeShape(AttributeKind.BOOLEAN),
}


def shape_of_type(kind: PropertyType | None) -> AttributeShape:
    """Return the shape that a declared type implies."""
    return _OF_TYPE.get(kind, ANY) if kind is not None else ANY


def parameter_shape(kind: PropertyType) -> AttributeShape:
    """Return the shape of the value of a parameter of a type, to which Heat converts the value."""
    return _OF_PARAMETER.get(kind) or shape_of_type(kind)


def shape_of_attribute(attribute: AttributeSchema, like: PropertySchema | None) -> AttributeShape:
    """Return the shape of an attribute without data, from the property of the same name (`like`) if the types agree."""
    return _like(like) if like is not None and like.type is attribute.type else shape_of_type(attribute.type)


def _like(schema: PropertySchema) -> AttributeShape:
    """Return the shape of a property's value; a map that a cloud returns may have further keys."""
    if schema.type is PropertyType.LIST:
        element = schema.children.get(ANY_ELEMENT)
        return AttributeShape(AttributeKind.LIST, item=_like(element) if element is not None else ANY)
    if schema.type is PropertyType.MAP:
        return AttributeShape(AttributeKind.MAP, {name: _like(one) for name, one in schema.children.items()}, ANY)
    return ANY


class _Written(Struct, forbid_unknown_fields=True):
    definitions: Mapping[str, object]
    types: Mapping[str, Mapping[str, object]]


def load_attribute_shapes(path: Path | None = None) -> AttributeShapes:
    """Load the shapes of attributes. Raise OSError or ValueError if the data is damaged."""
    written = read_data(path or resource_path("attributes", "shapes.json"), _Written)
    definitions: dict[str, AttributeShape] = {kind: AttributeShape(kind) for kind in AttributeKind}
    for name, data in written.definitions.items():
        definitions[name] = _shape(data, definitions)
    return {name: _shape(found, definitions).all for name, found in written.types.items()}


def _shape(data: object, definitions: Mapping[str, AttributeShape]) -> AttributeShape:
    if isinstance(data, str) and data in definitions:
        return definitions[data]
    if isinstance(data, list) and len(data) == 1:
        return AttributeShape(AttributeKind.LIST, item=_shape(data[0], definitions))
    if not isinstance(data, dict):
        raise ValueError(f"{data!r} is not an attribute shape")
    keys = {str(name): _shape(one, definitions) for name, one in data.items() if not name.startswith(ANY_ELEMENT)}
    for name in data.keys() - keys.keys():
        names = tuple(name.removeprefix(ANY_ELEMENT).split(".")) if name != ANY_ELEMENT else ()
        return AttributeShape(AttributeKind.MAP, keys, _shape(data[name], definitions), names)
    return AttributeShape(AttributeKind.MAP, keys)
