"""Import the types of a cloud from files, without a connection."""

import json
from collections.abc import Sequence
from pathlib import Path

from heatstudio.catalog.cloud.known_cloud import CloudCatalog, ReportedTypes, imported_types, only_there
from heatstudio.catalog.load import Catalog
from heatstudio.text import DATA_LIMIT, DocumentError, counted, read_text

_WAY_OUT = (
    "Create such a file with `openstack orchestration resource type list -f json`, "
    "or `openstack orchestration resource type show TYPE -f json`."
)


def read_types(names: Sequence[str]) -> list[ReportedTypes]:
    """Return the types in files (in the thread of the disk); raise DocumentError if a file has none."""
    reported = []
    for name in names:
        try:
            found = imported_types(json.loads(read_text(Path(name), limit=DATA_LIMIT)))
        except (ValueError, RecursionError):
            found = None
        if found is None:
            message = f"{Path(name).name} does not contain resource types in JSON format. {_WAY_OUT}"
            raise DocumentError("no-types", message)
        reported.append(found)
    return reported


def imported_words(catalog: CloudCatalog, bundled: Catalog) -> str:
    """Return the result of an import as text."""
    alone = len(only_there(catalog, bundled))
    missing = sum(1 for name in bundled.names() if (known := bundled.get(name)) and not catalog.has_type(known))
    return (
        f"{catalog.cloud}: {counted(alone, 'type')} added, {missing} of Heat's types missing. "
        "To undo, choose Cloud > Forget Imported Types."
    )
