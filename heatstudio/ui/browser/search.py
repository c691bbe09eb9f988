"""Search resource types by name, property, attribute or description."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from types import MappingProxyType

from msgspec import Struct

from heatstudio.catalog.release import Status
from heatstudio.catalog.schema import ResourceType, nested_properties
from heatstudio.ui.widgets.fuzzy import fuzzy_score, yielding

_INSIDE = 10
_IN_HEADING, _MEANT, _SPREAD = 60, 20, 2
_LONG = 4
"""The minimum length of a word that means something by itself; shorter ones are in names by chance."""
_NO_TITLES: Mapping[str, str] = MappingProxyType({})
_Parts = tuple[tuple[str, str, str], ...]
"""The parts of a type: label, name, and description with a space before each word, the latter two in lower case."""
_Entry = tuple[ResourceType, str, _Parts]


class Match(Struct, frozen=True):
    """A type that matches a query, and the matching part."""

    type: ResourceType
    score: int
    reason: str = ""
    """The matching property, attribute or description; empty if the name matches."""

    @property
    def part(self) -> str:
        """The last name on the path of the matching property or attribute; empty if something else matches."""
        kind, _, path = self.reason.partition(" ")
        return path.rpartition(".")[2] if kind != "description" else ""


class TypeIndex:
    """The search index of a catalog."""

    def __init__(self, types: Iterable[ResourceType], titles: Mapping[str, str] = _NO_TITLES) -> None:
        """Create an index; service titles such as `Network (Neutron)` are searched as parts of type names."""
        self._types = tuple(types)
        self._titles = titles

    @cached_property
    def _entries(self) -> list[_Entry]:
        """The searched texts, created by the first search."""
        titles = self._titles
        return [(type_, titles.get(type_.service, ""), tuple(_parts(type_))) for type_ in self._types]

    def search(self, query: str, statuses: frozenset[Status]) -> list[Match]:
        """Return the types with one of the statuses that match a query, best first; all for an empty query."""
        if not query.strip():
            return [Match(type_, 0) for type_ in self._types if type_.support_status.status in statuses]
        chosen = [entry for entry in self._entries if entry[0].support_status.status in statuses]
        found = [match for entry in chosen if (match := _match(query, *entry)) is not None]
        return sorted(found or _by_some_words(query.casefold().split(), chosen), key=rank)


def rank(match: Match) -> tuple[bool, int, str]:
    """Return the sort key of a match: hidden types, which Heat does not list, come last."""
    return match.type.support_status.status is Status.HIDDEN, -match.score, match.type.name


def _match(query: str, type_: ResourceType, title: str, parts: _Parts) -> Match | None:
    score = fuzzy_score(query, type_.name)
    if score is not None:
        return Match(type_, 100 + (yielding(score) if type_.name.startswith("AWS::") else score))
    words = query.casefold().split()
    for what, name, _description in parts:
        if all(word in name for word in words):
            return Match(type_, _INSIDE - len(name) // 8, what)
    described = (what for what, _name, text in parts if all(f" {word}" in text for word in words))
    return _spread(words, type_, title, parts) or next((Match(type_, 0, what) for what in described), None)


def _spread(words: list[str], type_: ResourceType, title: str, parts: _Parts) -> Match | None:
    """Match a type if its heading and parts contain all of several words: `network port`, `server key_name`."""
    heading = f"{type_.name} {title}".casefold()
    rest = [word for word in words if word not in heading]
    places = (next((what for what, name, _description in parts if word in name), "") for word in rest)
    first = next(places, "")
    if len(words) < 2 or (rest and not (first and all(places))):  # `places` is lazy: the first miss ends the search
        return None
    if rest:
        return Match(type_, _SPREAD, first)
    is_meant = type_.name.rpartition("::")[2].casefold() in words
    return Match(type_, _IN_HEADING + (_MEANT if is_meant else 0) - len(type_.name) // 8)


def _by_some_words(words: list[str], entries: Iterable[_Entry]) -> Iterator[Match]:
    """Yield the types whose headings contain most of the long words of a query; the other words may be missing."""
    wanted = [word for word in words if len(word) >= _LONG]
    headings = [(f"{type_.name} {title}".casefold(), type_) for type_, title, _ in entries]
    counted = [(sum(word in heading for word in wanted), type_) for heading, type_ in headings]
    most = max((count for count, _ in counted), default=0)
    if len(words) > 1 and most:
        yield from (Match(type_, -len(type_.name)) for count, type_ in counted if count == most)


def _parts(type_: ResourceType) -> Iterator[tuple[str, str, str]]:
    yield "description", "", _searched(type_.description)
    for path, schema in nested_properties(type_.properties):
        yield f"property {path}", schema.name.casefold(), _searched(schema.description)
    for name, attribute in type_.attributes.items():
        yield f"attribute {name}", name.casefold(), _searched(attribute.description)


def _searched(description: str) -> str:
    return f" {description.casefold()}".replace("`", " ")
