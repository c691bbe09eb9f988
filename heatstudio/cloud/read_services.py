"""Read the services beside Heat, any of which may be absent or fail: names of objects, quotas and what is in use.

Names, quotas and use change often and are not stored. resources/quota.json lists the requests for quotas with the
documentation of the answers. Nothing is written.
"""

from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import parse_qsl, urlsplit

from heatstudio.catalog.cloud.known_cloud import CloudNames, CloudObject, NameKind, NameKinds
from heatstudio.catalog.cloud.quota_rule import QuotaKind, quota_facts
from heatstudio.catalog.facts import Facts, items, mapping, part, text
from heatstudio.cloud.cloud_error import CloudError, CloudErrorKind
from heatstudio.cloud.connection import Connection
from heatstudio.cloud.read_catalog import Advance
from heatstudio.cloud.stacks import MOST_PAGES
from heatstudio.update.plan.capacity import Capacity, Quota

_PATIENCE = 10.0
"""The timeout of one answer in seconds, which is short because a dialog may wait for it."""
_ABSENT = (CloudErrorKind.NO_HEAT, CloudErrorKind.LOGIN_EXPIRED, CloudErrorKind.UNREACHABLE, CloudErrorKind.SLOW)
"""Errors that affect all requests to the same service, but not requests to Heat."""
_REASONS = {
    CloudErrorKind.FORBIDDEN: "access is denied",
    CloudErrorKind.NO_HEAT: "the cloud has no such service",
    CloudErrorKind.NOT_FOUND: "the service does not report it",
    CloudErrorKind.LOGIN_EXPIRED: "the service rejects the login",
    CloudErrorKind.SLOW: "the service did not answer in time",
    CloudErrorKind.UNREACHABLE: "the service cannot be reached",
    CloudErrorKind.GARBAGE: "the answer cannot be read",
}


class ServiceReader:
    """One reading, which asks an absent service no more, and keeps the reason of the first failure of a service."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.failures: dict[str, str] = {}
        self._absent: set[str] = set()

    def ask(self, service: str, path: str, query: dict[str, str] | None = None) -> Facts:
        """Return the answer of a service; empty if it fails."""
        if service in self._absent:
            return {}
        try:
            return mapping(self._connection.ask("GET", path, query=query, patience=_PATIENCE, service=service))
        except CloudError as error:
            self.note(service, error.trouble)
            return {}

    def note(self, service: str, trouble: CloudErrorKind) -> None:
        """Keep the reason of a failure."""
        self.failures.setdefault(service, _REASONS.get(trouble, "the service failed"))
        if trouble in _ABSENT:
            self._absent.add(service)

    def items(self, service: str, path: str, key: str) -> tuple[list[Facts], bool]:
        """Return the items of a list with all its pages, and whether these are all."""
        found: list[Facts] = []
        query: dict[str, str] = {}
        for _ in range(MOST_PAGES):
            answer = self.ask(service, path, query)
            if not isinstance(answer.get(key), list):
                return found, False
            found += map(mapping, items(answer, key))
            following = _next_page(answer, key)
            if following is None:
                return found, True
            if following == query:  # otherwise the pages would never end
                break
            query = following
        return found, False


def _next_page(answer: Facts, key: str) -> dict[str, str] | None:
    """Return the query of the next page; None if this is the last one.

    Nova, Cinder, Neutron and Octavia have a list of links, Glance has `next`, Keystone and Designate have `links`. The
    rest of the address is not used: the token must go nowhere else.
    """
    links = [mapping(link) for link in items(answer, f"{key}_links")]
    listed = next((text(link, "href") for link in links if link.get("rel") == "next"), "")
    address = listed or text(answer, "next") or text(part(answer, "links"), "next")
    try:
        return dict(parse_qsl(urlsplit(address).query)) if address else None
    except ValueError:  # an invalid address or too many fields
        return {}


def read_names(connection: Connection, kinds: NameKinds, advance: Advance) -> CloudNames:
    """Return the names of each kind; skip kinds that the cloud lacks or does not show."""
    things: dict[str, tuple[CloudObject, ...]] = {}
    partly: set[str] = set()
    reader = ServiceReader(connection)
    for done, kind in enumerate(kinds.kinds):
        advance(done, len(kinds.kinds))
        found, is_whole = reader.items(kind.service, kind.path, kind.list)
        if found or is_whole:
            things[kind.constraint] = tuple(_thing(one, kind) for one in found)
        if not is_whole:
            partly.add(kind.constraint)
    return CloudNames(things, frozenset(partly), kinds)


def _thing(facts: Facts, kind: NameKind) -> CloudObject:
    reported = part(facts, kind.inside) if kind.inside else facts
    return CloudObject(text(reported, kind.id), text(reported, kind.name))


def read_capacity(connection: Connection, advance: Advance) -> Capacity:
    """Return what a cloud has room for; a service that fails costs one notice."""
    facts, reader = quota_facts(), ServiceReader(connection)
    most = len(facts.services) + len(facts.objects)
    quotas: dict[str, Quota] = {}
    for done, (service, how) in enumerate(facts.services.items()):
        advance(done, most)
        answer = reader.ask(service, how.path.format(project=connection.project_id()))
        kinds = {name: kind for name, kind in facts.kinds.items() if kind.service == service}
        found = {name: quota for name, kind in kinds.items() if (quota := _quota(reader, kind, answer)) is not None}
        if not found:
            reader.note(service, CloudErrorKind.GARBAGE)
        quotas |= found
    objects: dict[tuple[str, str], Facts] = {}
    for done, kind in enumerate(facts.objects, len(facts.services)):
        advance(done, most)
        objects |= _named(kind, reader.items(kind.service, kind.path, kind.list)[0])
    return Capacity(connection.name, quotas, objects, reader.failures)


def _quota(reader: ServiceReader, kind: QuotaKind, answer: Facts) -> Quota | None:
    """Return the quota of a kind with what is in use; None if one of them is not reported."""
    limit = _number(answer, kind.limit)
    if limit is None or limit < 0:
        return None if limit is None else Quota(-1, 0)
    used = _number(answer, kind.used) if kind.used else None
    if kind.count is not None:
        listed, is_whole = reader.items(kind.service, *kind.count)
        used = len(listed) if is_whole else None
    return Quota(limit, used) if used is not None else None


def _number(answer: Facts, keys: tuple[str, ...]) -> int | None:
    """Return the number at the keys, with what is reserved for operations under way; None if there is none."""
    for key in keys[:-1]:
        answer = part(answer, key)
    found, reserved = answer.get(keys[-1]), answer.get("reserved")
    if not isinstance(found, int) or isinstance(found, bool):
        return None
    return found + (reserved if keys[-1] == "used" and isinstance(reserved, int) else 0)


def _named(kind: NameKind, listed: Iterable[Facts]) -> Mapping[tuple[str, str], Facts]:
    """Return the objects of a list by ID and by name; a name that several objects share stands for none."""
    found: dict[tuple[str, str], Facts] = {}
    shared = set()
    for item in listed:
        facts = part(item, kind.inside) if kind.inside else item
        for name in dict.fromkeys((*_texts(facts, kind.id), *_texts(facts, kind.name))):
            shared |= {(kind.constraint, name)} & found.keys()
            found[kind.constraint, name] = facts
    return {key: facts for key, facts in found.items() if key not in shared}


def _texts(facts: Facts, path: str) -> Iterator[str]:
    """Yield the texts at a path of a key, or of a key in the items of a list."""
    first, _, key = path.partition(".")
    below = [text(facts, first)] if not key else [text(mapping(item), key) for item in items(facts, first)]
    yield from filter(None, below)
