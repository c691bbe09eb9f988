"""Read lists and answers of the services beside Heat, any of which may be absent or fail."""

from urllib.parse import parse_qsl, urlsplit

from heatstudio.catalog.facts import Facts, items, mapping, part, text
from heatstudio.cloud.cloud_error import CloudError, CloudErrorKind
from heatstudio.cloud.connection import Connection
from heatstudio.cloud.stacks import MOST_PAGES

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
