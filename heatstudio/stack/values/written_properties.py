"""The traversal that pairs each written property value with its schema."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from heatstudio.catalog.schema import ANY_ELEMENT, PropertySchema
from heatstudio.template import TreePath


class GivenProperty(NamedTuple):
    """A property in a template, at any depth."""

    schema: PropertySchema
    path: TreePath
    """The path from the top of the properties; list indexes are numbers."""
    value: object
    siblings: Mapping[object, object]
    """The map that contains the property."""

    @property
    def names(self) -> tuple[str, ...]:
        """The path without list indexes, as in schemas and translation rules."""
        return tuple(part for part in self.path if isinstance(part, str))


def written_properties(
    schema: Mapping[str, PropertySchema], data: object, above: TreePath = ()
) -> Iterator[GivenProperty]:
    """Yield every written property of the schema, outer before inner, in the order of the text.

    `data` is the plain data of the template; results of intrinsic functions are not included.
    """
    if not isinstance(data, Mapping):
        return
    for name, value in data.items():
        below = schema.get(name) if isinstance(name, str) else None
        if below is None:
            continue
        path = (*above, below.name)
        yield GivenProperty(below, path, value, data)
        yield from _inside(below, value, path)


def _inside(schema: PropertySchema, value: object, path: TreePath) -> Iterator[GivenProperty]:
    if not schema.children:
        return
    element = schema.children.get(ANY_ELEMENT)
    if element is None:
        yield from written_properties(schema.children, value, path)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _inside(element, item, (*path, index))
