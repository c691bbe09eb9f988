"""Reading the types of a cloud from files, where no cloud can be asked."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from heatstudio.text import counted

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.catalog import Catalog, CloudCatalog
    from heatstudio.catalog.cloud.imported_types import ToldTypes

_WAY_OUT = (
    "Create it with `openstack orchestration resource type list -f json`, "
    "or with `openstack orchestration resource type show TYPE -f json`."
)


class ImportRefusedError(Exception):
    """A file tells of no types; the message is a sentence that names the way out."""


def read_types(names: Sequence[str]) -> list[ToldTypes]:
    """The types that files tell of. Raises ImportRefusedError."""
    from heatstudio.catalog.cloud.imported_types import imported_types

    reported = []
    for name in names:
        try:
            found = imported_types(json.loads(Path(name).read_text("utf-8-sig")))
        except (OSError, ValueError, RecursionError):
            found = None
        if found is None:
            raise ImportRefusedError(f"{Path(name).name} is not JSON with resource types. {_WAY_OUT}")
        reported.append(found)
    return reported


def imported_words(catalog: CloudCatalog, bundled: Catalog) -> str:
    """What came of it, in a sentence."""
    from heatstudio.catalog.cloud.cloud_catalog import only_there

    alone = len(only_there(catalog, bundled))
    missing = sum(1 for name in bundled.names() if (known := bundled.get(name)) and not catalog.has_type(known))
    return (
        f"{catalog.cloud}: {counted(alone, 'type')} added, {missing} of Heat's types missing. "
        "Forget Imported Types in the Cloud menu removes them."
    )
