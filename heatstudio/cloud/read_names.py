"""Read the named objects of a cloud, one kind at a time. They change often and are not stored."""

from heatstudio.catalog.cloud.cloud_names import CloudNames, NamedThing, NameKind, NameKinds
from heatstudio.catalog.facts import Facts, items, mapping, part, text
from heatstudio.cloud.cloud_error import CloudError, CloudTrouble
from heatstudio.cloud.connection import Connection
from heatstudio.cloud.read_catalog import Advance

_PATIENCE = 15.0
"""Timeout in seconds for one list: names are optional, so the user does not wait long for them."""
_ABSENT = (CloudTrouble.NO_HEAT, CloudTrouble.LOGIN_EXPIRED, CloudTrouble.UNREACHABLE, CloudTrouble.SLOW)
"""Errors that affect all requests to the same service; they say nothing about Heat."""


def read_names(connection: Connection, kinds: NameKinds, advance: Advance) -> CloudNames:
    """Asks for every kind once; what the cloud does not have, or does not show, is left out."""
    things: dict[str, tuple[NamedThing, ...]] = {}
    partly: set[str] = set()
    absent: set[str] = set()
    for done, kind in enumerate(kinds.kinds):
        advance(done, len(kinds.kinds))
        if kind.service in absent:
            continue
        try:
            answer = mapping(connection.ask("GET", kind.path, patience=_PATIENCE, service=kind.service))
        except CloudError as error:
            if error.trouble in _ABSENT:
                absent.add(kind.service)
            continue
        if isinstance(answer.get(kind.list), list):
            things[kind.constraint] = tuple(_thing(mapping(one), kind) for one in items(answer, kind.list))
            if _goes_on(answer, kind):
                partly.add(kind.constraint)
    return CloudNames(things, frozenset(partly), kinds)


def _thing(facts: Facts, kind: NameKind) -> NamedThing:
    reported = part(facts, kind.inside) if kind.inside else facts
    return NamedThing(text(reported, kind.id), text(reported, kind.name))


def _goes_on(answer: Facts, kind: NameKind) -> bool:
    """Whether the response of the service has another page."""
    links = [mapping(link) for link in items(answer, f"{kind.list}_links")]
    listed = any(link.get("rel") == "next" for link in links)
    return listed or bool(answer.get("next")) or bool(part(answer, "links").get("next"))
