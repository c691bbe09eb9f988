"""Read what a project may still use: quota and use, and the objects whose sizes and names matter. Nothing is written.

resources/quota.json lists the requests with the documentation of the answers.
"""

from collections.abc import Iterable, Iterator, Mapping

from heatstudio.catalog.cloud.known_cloud import NameKind
from heatstudio.catalog.cloud.quota_rule import QuotaKind, quota_facts
from heatstudio.catalog.facts import Facts, items, mapping, part, text
from heatstudio.cloud.cloud_error import CloudErrorKind
from heatstudio.cloud.connection import Connection
from heatstudio.cloud.read_catalog import Advance
from heatstudio.cloud.service_reader import ServiceReader
from heatstudio.update.plan.capacity import Capacity, Quota


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
