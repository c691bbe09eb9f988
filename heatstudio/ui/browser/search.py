"""Finding resource types by name, property, attribute or description."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from types import MappingProxyType

from msgspec import Struct

from heatstudio.catalog.resource_type import ResourceType
from heatstudio.catalog.schema import PropertySchema
from heatstudio.catalog.support_status import Status
from heatstudio.ui.widgets.fuzzy import fuzzy_score, yielding

_INSIDE = 10
_IN_PROSE = 4
_IN_HEADING, _MEANT, _SPREAD = 60, 20, 2
_NO_TITLES: Mapping[str, str] = MappingProxyType({})


class Match(Struct, frozen=True):
    """A type that fits a query, and which part of it does."""

    type: ResourceType
    score: int
    reason: str = ""
    """The property, the attribute or the description that fits; empty if it is the name."""


class TypeIndex:
    """What can be found, made once for a catalog."""

    def __init__(self, types: Iterable[ResourceType], titles: Mapping[str, str] = _NO_TITLES) -> None:
        """The titles of services, such as `Network (Neutron)`, count as part of the names of their types."""
        self._types = tuple(types)
        self._titles = titles

    @cached_property
    def _entries(self) -> list[tuple[ResourceType, str, tuple[tuple[str, str], ...]]]:
        """What is looked through, made when somebody searches."""
        titles = self._titles
        return [(type_, titles.get(type_.service, ""), tuple(_words_inside(type_))) for type_ in self._types]

    def search(self, query: str, statuses: frozenset[Status]) -> list[Match]:
        """The types of these states that fit the query, the best first; all of them for an empty query."""
        if not query.strip():
            return [Match(type_, 0) for type_ in self._types if type_.support_status.status in statuses]
        chosen = (entry for entry in self._entries if entry[0].support_status.status in statuses)
        found = [match for entry in chosen if (match := _match(query, *entry)) is not None]
        return sorted(found, key=lambda match: (-match.score, match.type.name))


def _match(query: str, type_: ResourceType, title: str, inside: tuple[tuple[str, str], ...]) -> Match | None:
    score = fuzzy_score(query, type_.name)
    if score is not None:
        return Match(type_, 100 + (yielding(score) if type_.name.startswith("AWS::") else score))
    words = query.casefold().split()
    for what, name in inside:
        if all(word in name for word in words):
            return Match(type_, _INSIDE - len(name) // 8, what)
    if type_.description and all(word in type_.description.casefold() for word in words):
        return Match(type_, _IN_PROSE, "description")
    return _spread(words, type_, title, inside)


def _spread(words: list[str], type_: ResourceType, title: str, inside: tuple[tuple[str, str], ...]) -> Match | None:
    """A type that has each of several words somewhere: `network port`, `server key_name`."""
    heading = f"{type_.name} {title}".casefold()
    rest = [word for word in words if word not in heading]
    places = [next((what for what, name in inside if word in name), "") for word in rest]
    if len(words) < 2 or not all(places):
        return None
    if rest:
        return Match(type_, _SPREAD, places[0])
    is_meant = type_.name.rpartition("::")[2].casefold() in words
    return Match(type_, _IN_HEADING + (_MEANT if is_meant else 0) - len(type_.name) // 8)


def _words_inside(type_: ResourceType) -> Iterator[tuple[str, str]]:
    yield from _properties(type_.properties, "")
    for name, attribute in type_.attributes.items():
        yield f"attribute {name}", name.casefold()
        if attribute.description:
            yield f"attribute {name}", attribute.description.casefold()


def _properties(schemas: Mapping[str, PropertySchema], path: str) -> Iterator[tuple[str, str]]:
    for name, schema in schemas.items():
        place = path if name == "*" else f"{path}.{name}" if path else name
        if name != "*":
            yield f"property {place}", name.casefold()
        if schema.description:
            yield f"property {place}", schema.description.casefold()
        yield from _properties(schema.children, place)
