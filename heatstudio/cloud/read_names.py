"""Read the named objects of a cloud, one kind at a time. The objects change often and are not stored."""

from heatstudio.catalog.cloud.known_cloud import CloudNames, CloudObject, NameKind, NameKinds
from heatstudio.catalog.facts import Facts, part, text
from heatstudio.cloud.connection import Connection
from heatstudio.cloud.read_catalog import Advance
from heatstudio.cloud.service_reader import ServiceReader


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
