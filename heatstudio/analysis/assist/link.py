"""References from properties to a resource or its attributes, as changes of the template."""

from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct

from heatstudio.analysis.resource_graph import place_of, resource_graph
from heatstudio.analysis.scope.calls import attribute_call
from heatstudio.analysis.scope.semantic_model import SemanticModel, names_in, value_at
from heatstudio.catalog.release import Status
from heatstudio.catalog.schema import AllowedValues, AttributeSchema, PropertySchema, PropertyType
from heatstudio.stack.order import reached
from heatstudio.stack.parameter_form import value_text
from heatstudio.stack.path import dotted
from heatstudio.template import AddEntry, AddItem, Change, SetValue, TreePath

_MOST_SHOWN = 40
"""The maximum number of characters of a replaced value."""
_OLD = (Status.HIDDEN, Status.DEPRECATED)


class Link(Struct, frozen=True):
    """A property that may refer to a resource."""

    place: str
    """The resource and the property, with dots."""
    change: Change
    old: str = ""
    """The value that the reference replaces, as text."""


class LinkChoices(Struct, frozen=True):
    """The properties that may refer to a resource, and the attributes to which they may refer instead."""

    found: tuple[Link, ...] = ()
    """The links, those that replace no value and those of the attribute's name first."""
    attributes: tuple[str, ...] = ()
    refusal: str = ""
    """Why the resource that was asked about cannot refer to it."""


def links_to(model: SemanticModel, target: str, owner: str = "", attribute: str = "") -> LinkChoices:
    """Return the properties of `owner`, by default of all resources, that may refer to a resource or its attribute.

    A resource on which the target depends is left out.
    """
    kind = model.type_of(target)
    schema = kind.attributes.get(attribute) if kind is not None else None
    if kind is None or (attribute and schema is None):
        return LinkChoices(refusal=f"The type of `{target}` is unknown.")
    words, needs = model.words, resource_graph(model.stack, model.types).needs
    needed = {*reached([place_of(target)], lambda place: needs.get(place, ()))}
    names = [name for name in names_in(model.template, words.resources) if owner in ("", name)]
    found: list[Link] = []
    for name in names:
        if place_of(name) in needed:
            if owner and name != target:
                return LinkChoices(refusal=f"`{target}` depends on `{name}`; a reference back would be a cycle.")
            continue
        own = model.type_of(name)
        if own is not None:
            fits = (lambda one: _takes(one, schema)) if schema is not None else kind.fits
            walk = _LinkSearch(model, attribute_call(words, target, attribute), fits)
            at = (words.resources, name, words.properties)
            found += walk.links(own.properties, value_at(model.template, at), at)
    attributes = () if attribute else tuple(name for name, one in kind.attributes.items() if _is_current(one))

    def order(link: Link) -> tuple[bool, bool]:
        return bool(link.old), not link.place.endswith(f".{attribute}")

    return LinkChoices(tuple(sorted(found, key=order)), attributes)


def _is_current(schema: PropertySchema | AttributeSchema) -> bool:
    return schema.support_status.status not in _OLD


def _takes(schema: PropertySchema, attribute: AttributeSchema) -> bool:
    """Return whether a property takes the value of an attribute, as far as the types tell."""
    if any(isinstance(one, AllowedValues) for one in schema.constraints):
        return False
    types = (PropertyType.ANY, attribute.type)
    is_text = schema.type is PropertyType.STRING and attribute.type not in (PropertyType.LIST, PropertyType.MAP)
    return attribute.type is None or schema.type in types or is_text


class _LinkSearch(Struct, frozen=True):
    """The search for places of a reference in the properties of a resource."""

    model: SemanticModel
    reference: dict[str, object]
    fits: Callable[[PropertySchema], bool]

    def links(self, schemas: Mapping[str, PropertySchema], written: object, at: TreePath) -> Iterator[Link]:
        """Yield the links in a map at a path, unless something else than a map is written there."""
        given = {} if written is None else written
        if not isinstance(given, Mapping) or (len(given) == 1 and next(iter(given)) in self.model.language.functions):
            return
        for name, schema in schemas.items():
            place, value = (*at, name), given.get(name)
            if not _is_current(schema):
                continue
            if self.fits(schema):
                is_there = name in given
                yield from self._set(place, value, None if is_there else AddEntry(at, name, self.reference))
            elif schema.type is PropertyType.MAP:
                yield from self.links(schema.children, value, place)
            elif schema.type is PropertyType.LIST and schema.element is not None:
                yield from self._items(schema.element, [] if value is None else value, place)

    def _items(self, element: PropertySchema, items: object, at: TreePath) -> Iterator[Link]:
        if not isinstance(items, list):
            return
        for index, item in enumerate(items):
            if self.fits(element):
                yield from self._set((*at, index), item)
            else:
                yield from self.links(element.children, item, (*at, index))
        new = (*at, len(items))
        if self.fits(element):
            yield from self._set(new, None, AddItem(at, self.reference))
        for name, schema in element.children.items():
            if self.fits(schema) and _is_current(schema):
                yield from self._set((*new, name), None, AddItem(at, {name: self.reference}))

    def _set(self, at: TreePath, old: object, add: Change | None = None) -> Iterator[Link]:
        """Yield the change that adds or sets a value, unless it is the reference already."""
        if old != self.reference:
            text = value_text(old)[:_MOST_SHOWN] if old is not None else ""
            yield Link(dotted((at[1], *at[3:])), add or SetValue(at, self.reference), text)
