"""What is known of the cloud that a person is connected to."""

from __future__ import annotations

from dataclasses import dataclass, field

from heatstudio.catalog.cloud_catalog import CloudCatalog
from heatstudio.catalog.cloud_names import CloudNames


@dataclass(frozen=True, slots=True, eq=False)
class KnownCloud:
    """A cloud by its name in the configuration; what was not asked yet is empty."""

    name: str
    catalog: CloudCatalog | None = None
    names: CloudNames = field(default_factory=CloudNames)
