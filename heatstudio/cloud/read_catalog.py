"""Read the capabilities of the Heat of a cloud: types with schemas, template versions with functions."""

import json
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

from heatstudio.catalog.cloud.cloud_catalog import CloudCatalog, cloud_catalog_of, facts_of
from heatstudio.catalog.facts import Facts, items, mapping, text, texts
from heatstudio.cloud.cloud_error import CloudError, CloudTrouble
from heatstudio.cloud.connection import Connection

Advance = Callable[[int, int], object]
"""Called with how many questions are answered of how many; may raise to stop."""


def read_catalog(connection: Connection, advance: Advance) -> CloudCatalog:
    """Asks a cloud for all that its Heat has, one question a type. Raises CloudError."""
    listed = items(connection.facts("/resource_types", "resource_types"), "resource_types")
    names = [name for name in listed if isinstance(name, str)]
    reported = items(connection.facts("/template_versions", "template_versions"), "template_versions")
    versions = {text(mapping(one), "version"): texts(mapping(one), "aliases") for one in reported}
    total = len(names) + len(versions)
    types: dict[str, object] = {}
    for done, name in enumerate(names):
        advance(done, total)
        types[name] = _of_type(connection, name)
    functions: dict[str, frozenset[str]] = {}
    for done, (version, aliases) in enumerate(versions.items(), len(names)):
        advance(done, total)
        functions |= dict.fromkeys((version, *aliases), _of_version(connection, version))
    return CloudCatalog(connection.name, datetime.now(UTC).isoformat(timespec="seconds"), types, functions)


def _of_type(connection: Connection, name: str) -> Facts:
    try:
        query = {"with_description": "true"}
        return connection.facts(f"/resource_types/{quote(name, safe=':')}", "properties", query=query)
    except CloudError as error:
        if error.trouble in (CloudTrouble.REFUSED, CloudTrouble.NOT_FOUND, CloudTrouble.SERVER_FAILED):
            return {}  # listed, but not described: its service may be down
        raise


def _of_version(connection: Connection, version: str) -> frozenset[str]:
    """Functions of conditions are not requested, because that request changes the engine that answers it."""
    facts = connection.facts(f"/template_versions/{quote(version, safe='')}/functions", "template_functions")
    return frozenset(text(mapping(one), "functions") for one in items(facts, "template_functions"))


class CatalogCache:
    """A folder with the cloud catalogs that were read before; they contain no secrets."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, cloud: str) -> CloudCatalog | None:
        """What is kept of a cloud; None if there is nothing, or nothing that can be read."""
        try:
            facts = mapping(json.loads(self._path(cloud).read_text("utf-8")))
        except (OSError, ValueError):
            return None
        return cloud_catalog_of(facts) if facts.get("cloud") == cloud else None

    def put(self, catalog: CloudCatalog) -> None:
        """Keeps a catalog, in place of the one that was kept; without a place to keep it, it is asked for again."""
        path = self._path(catalog.cloud)
        draft = path.with_suffix(".new")
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            draft.write_text(json.dumps(facts_of(catalog)), "utf-8")
            draft.replace(path)

    def forget(self, cloud: str) -> None:
        """Keeps nothing of a cloud any more."""
        with suppress(OSError):  # what nobody names is not read
            self._path(cloud).unlink(missing_ok=True)

    def _path(self, cloud: str) -> Path:
        """Names of clouds may hold anything, names of files may not."""
        return self._folder / f"cloud-{sha256(cloud.encode()).hexdigest()[:16]}.json"
