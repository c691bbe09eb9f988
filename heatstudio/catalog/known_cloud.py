"""What is known of the cloud that a person is connected to."""

from __future__ import annotations

from msgspec import Struct, field

from heatstudio.catalog.cloud_catalog import CloudCatalog
from heatstudio.catalog.cloud_names import CloudNames
from heatstudio.catalog.resource_type import ResourceType


class KnownCloud(Struct, frozen=True, eq=False):
    """A cloud by its name in the configuration; what was not asked yet is empty."""

    name: str
    catalog: CloudCatalog | None = None
    names: CloudNames = field(default_factory=CloudNames)

    def word(self, known: ResourceType, *, is_bundled: bool) -> str:
        """Where a type is if not everywhere: `only in NAME` or `not in NAME`; empty as far as nothing is known."""
        if self.catalog is None or not self.catalog.types:
            return ""
        if not is_bundled:
            return f"only in {self.name}"
        return "" if self.catalog.has_type(known) else f"not in {self.name}"
