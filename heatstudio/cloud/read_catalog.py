"""Read the capabilities of the Heat of a cloud: types with schemas, template versions with functions."""

import json
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

from msgspec import convert, to_builtins

from heatstudio.catalog.cloud.known_cloud import CloudCatalog
from heatstudio.catalog.facts import Facts, items, mapping, text, texts
from heatstudio.cloud.cloud_error import CloudError, CloudErrorKind
from heatstudio.cloud.connection import Connection
from heatstudio.text import DocumentError, read_bytes

Advance = Callable[[int, int], object]
"""A callback with the number of finished requests and of all requests; an exception stops the reading."""


def read_catalog(connection: Connection, advance: Advance) -> CloudCatalog:
    """Return the types and template versions of a cloud's Heat, with one request for each. Raise CloudError."""
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
    return CloudCatalog(connection.name, types, functions)


def _of_type(connection: Connection, name: str) -> Facts:
    try:
        query = {"with_description": "true"}
        return connection.facts(f"/resource_types/{quote(name, safe=':')}", "properties", query=query)
    except CloudError as error:
        if error.trouble in (CloudErrorKind.REFUSED, CloudErrorKind.NOT_FOUND, CloudErrorKind.SERVER_FAILED):
            return {}  # Heat lists the type, but cannot describe it: the service of the type may be down
        raise


def _of_version(connection: Connection, version: str) -> frozenset[str]:
    """Return the functions of a version, without condition functions: requesting these modifies Heat's engine."""
    facts = connection.facts(f"/template_versions/{quote(version, safe='')}/functions", "template_functions")
    return frozenset(text(mapping(one), "functions") for one in items(facts, "template_functions"))


class CatalogCache:
    """A cache of cloud catalogs in a folder; the catalogs contain no secrets."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, cloud: str) -> CloudCatalog | None:
        """Return the cached catalog of a cloud; None if it is missing or unreadable."""
        try:
            found = convert(json.loads(read_bytes(self._path(cloud))), CloudCatalog)
        except (DocumentError, ValueError):
            return None
        return found if found.cloud == cloud else None

    def put(self, catalog: CloudCatalog) -> None:
        """Store a catalog in place of the cached one; do nothing if the folder is not writable."""
        path = self._path(catalog.cloud)
        draft = path.with_suffix(".new")
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            draft.write_text(json.dumps(to_builtins(catalog)), "utf-8")
            draft.replace(path)

    def forget(self, cloud: str) -> None:
        """Remove the catalog of a cloud."""
        with suppress(OSError):  # a leftover file is harmless
            self._path(cloud).unlink(missing_ok=True)

    def _path(self, cloud: str) -> Path:
        """Return the path of a cloud's catalog, a hash, because a cloud name may be invalid as a file name."""
        return self._folder / f"cloud-{sha256(cloud.encode()).hexdigest()[:16]}.json"
