"""Read the named objects of a cloud, one kind at a time. The objects change often and are not stored."""

from heatstudio.catalog.cloud.cloud_names import CloudNames, CloudObject, NameKind, NameKinds
from heatstudio.catalog.facts import Facts, items, mapping, part, text
from heatstudio.cloud.cloud_error import CloudError, CloudErrorKind
from heatstudio.cloud.connection import Connection
from heatstudio.cloud.read_catalog import Advance

_PATIENCE = 15.0
"""The timeout of one list in seconds, which is short because names are optional."""
_ABSENT = (CloudErrorKind.NO_HEAT, CloudErrorKind.LOGIN_EXPIRED, CloudErrorKind.UNREACHABLE, CloudErrorKind.SLOW)
"""Errors that affect all requests to the same service, but not requests to Heat."""


def read_names(connection: Connection, kinds: NameKinds, advance: Advance) -> CloudNames:
    """Return the names of each kind, with one request per kind; skip kinds that the cloud lacks or does not show."""
    things: dict[str, tuple[CloudObject, ...]] = {}
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


def _thing(facts: Facts, kind: NameKind) -> CloudObject:
    reported = part(facts, kind.inside) if kind.inside else facts
    return CloudObject(text(reported, kind.id), text(reported, kind.name))


def _goes_on(answer: Facts, kind: NameKind) -> bool:
    """Return whether the response of the service has another page."""
    links = [mapping(link) for link in items(answer, f"{kind.list}_links")]
    listed = any(link.get("rel") == "next" for link in links)
    return listed or bool(answer.get("next")) or bool(part(answer, "links").get("next"))
