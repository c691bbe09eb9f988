"""Read what a project may still use: quota and use, and the objects whose sizes and names matter. Nothing is written.

resources/quota.json lists the requests with the documentation of the answers.
"""

from collections.abc import Iterator, Mapping

from heatstudio.catalog.cloud.cloud_names import NameKind
from heatstudio.catalog.cloud.quota_rule import QuotaKind, quota_facts
from heatstudio.catalog.facts import Facts, items, mapping, part, text
from heatstudio.cloud.cloud_error import CloudError, CloudErrorKind
from heatstudio.cloud.connection import Connection
from heatstudio.cloud.read_catalog import Advance
from heatstudio.update.plan.capacity import Capacity, Quota

_PATIENCE = 10.0
"""The timeout of one answer in seconds, which is short because a dialog waits for it."""
_REASONS = {
    CloudErrorKind.FORBIDDEN: "access is denied",
    CloudErrorKind.NO_HEAT: "the cloud has no such service",
    CloudErrorKind.NOT_FOUND: "the service does not report it",
    CloudErrorKind.SLOW: "the service did not answer in time",
    CloudErrorKind.UNREACHABLE: "the service cannot be reached",
    CloudErrorKind.GARBAGE: "the answer cannot be read",
}


def read_capacity(connection: Connection, advance: Advance) -> Capacity:
    """Return what a cloud has room for; a service that fails costs one notice. Raise CloudError if the login ends."""
    return _CapacityReader(connection, advance).read()


class _CapacityReader:
    """One reading, which asks a service that fails no more."""

    def __init__(self, connection: Connection, advance: Advance) -> None:
        self._connection = connection
        self._advance = advance
        self._failed: dict[str, str] = {}

    def read(self) -> Capacity:
        """Return the answers of all services."""
        facts = quota_facts()
        done, most = 0, len(facts.services) + len(facts.objects)
        quotas: dict[str, Quota] = {}
        for service, how in facts.services.items():
            self._advance(done, most)
            done += 1
            answer = self._ask(service, how.path.format(project=self._connection.project_id()))
            kinds = {name: kind for name, kind in facts.kinds.items() if kind.service == service}
            found = {name: quota for name, kind in kinds.items() if (quota := self._quota(kind, answer)) is not None}
            if not found and service not in self._failed:
                self._failed[service] = _REASONS[CloudErrorKind.GARBAGE]
            quotas |= found
        objects: dict[tuple[str, str], Facts] = {}
        for kind in facts.objects:
            self._advance(done, most)
            done += 1
            objects |= _named(kind, self._ask(kind.service, kind.path))
        return Capacity(self._connection.name, quotas, objects, self._failed)

    def _quota(self, kind: QuotaKind, answer: Facts) -> Quota | None:
        """Return the quota of a kind with what is in use; None if one of them is not reported."""
        limit = _number(answer, kind.limit)
        if limit is None or limit < 0:
            return None if limit is None else Quota(-1, 0)
        used = _number(answer, kind.used) if kind.used else None
        if kind.count is not None:
            listed = self._ask(kind.service, kind.count[0]).get(kind.count[1])
            used = len(listed) if isinstance(listed, list) else None
        return Quota(limit, used) if used is not None else None

    def _ask(self, service: str, path: str) -> Facts:
        """Return the answer of a service; empty, with a notice, if it fails."""
        if service in self._failed:
            return {}
        try:
            return mapping(self._connection.ask("GET", path, patience=_PATIENCE, service=service))
        except CloudError as error:
            if error.trouble is CloudErrorKind.LOGIN_EXPIRED:
                raise
            self._failed[service] = _REASONS.get(error.trouble, "the service failed")
            return {}


def _number(answer: Facts, keys: tuple[str, ...]) -> int | None:
    """Return the number at the keys, with what is reserved for operations under way; None if there is none."""
    for key in keys[:-1]:
        answer = part(answer, key)
    found, reserved = answer.get(keys[-1]), answer.get("reserved")
    if not isinstance(found, int) or isinstance(found, bool):
        return None
    return found + (reserved if keys[-1] == "used" and isinstance(reserved, int) else 0)


def _named(kind: NameKind, answer: Facts) -> Mapping[tuple[str, str], Facts]:
    """Return the objects of a list by ID and by name; a name that several objects share stands for none."""
    found: dict[tuple[str, str], Facts] = {}
    shared = set()
    for item in items(answer, kind.list):
        facts = part(mapping(item), kind.inside) if kind.inside else mapping(item)
        for name in dict.fromkeys((*_texts(facts, kind.id), *_texts(facts, kind.name))):
            shared |= {(kind.constraint, name)} & found.keys()
            found[kind.constraint, name] = facts
    return {key: facts for key, facts in found.items() if key not in shared}


def _texts(facts: Facts, path: str) -> Iterator[str]:
    """Yield the texts at a path of a key, or of a key in the items of a list."""
    first, _, key = path.partition(".")
    below = [text(facts, first)] if not key else [text(mapping(item), key) for item in items(facts, first)]
    yield from filter(None, below)
