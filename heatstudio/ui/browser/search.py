"""Finding resource types by name, property, attribute or description."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from heatstudio.catalog.resource_type import ResourceType
from heatstudio.catalog.schema import PropertySchema
from heatstudio.catalog.support_status import Status
from heatstudio.ui.fuzzy import fuzzy_score

_INSIDE = 10
_IN_PROSE = 4


@dataclass(frozen=True, slots=True)
class Match:
    """A type that fits a query, and which part of it does."""

    type: ResourceType
    score: int
    reason: str = ""
    """The property, the attribute or the description that fits; empty if it is the name."""


class TypeIndex:
    """What can be found, made once for a catalog."""

    def __init__(self, types: Iterable[ResourceType]) -> None:
        self._entries = [(type_, tuple(_words_inside(type_))) for type_ in types]

    def search(self, query: str, statuses: frozenset[Status]) -> list[Match]:
        """The types of these states that fit the query, the best first; all of them for an empty query."""
        chosen = ((type_, inside) for type_, inside in self._entries if type_.support_status.status in statuses)
        if not query.strip():
            return [Match(type_, 0) for type_, _ in chosen]
        found = [match for type_, inside in chosen if (match := _match(query, type_, inside)) is not None]
        return sorted(found, key=lambda match: (-match.score, match.type.name))


def _match(query: str, type_: ResourceType, inside: tuple[tuple[str, str], ...]) -> Match | None:
    score = fuzzy_score(query, type_.name)
    if score is not None:
        return Match(type_, 100 + score)
    words = query.casefold().split()
    for what, name in inside:
        if all(word in name for word in words):
            return Match(type_, _INSIDE - len(name) // 8, what)
    if type_.description and all(word in type_.description.casefold() for word in words):
        return Match(type_, _IN_PROSE, "description")
    return None


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
