"""The named objects of a cloud, such as flavors, which Heat looks up by name."""

from collections.abc import Mapping

from msgspec import Struct, field

from heatstudio.assets import resource_path
from heatstudio.bundled_data import read_data
from heatstudio.catalog.cloud.cloud_catalog import CloudCatalog
from heatstudio.catalog.resource_type import ResourceType


class CloudObject(Struct, frozen=True):
    """One named object of a cloud."""

    id: str
    name: str


class NameKind(Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of objects, and the API that lists them."""

    constraint: str
    """The custom constraint by which Heat validates such names, such as `nova.flavor`."""
    service: str
    """The name of the service in openstacksdk."""
    path: str
    list: str
    """The key of the list in the response."""
    inside: str = ""
    """The key of the map with the fields of an item; empty if the item is this map."""
    id: str = "id"
    name: str = "name"

    @property
    def noun(self) -> str:
        """The noun for an object of this kind."""
        return self.constraint.partition(".")[2].replace("_", " ").replace("vtype", "volume type")


class NameKinds(Struct, frozen=True, forbid_unknown_fields=True):
    """All known kinds of objects, and the kinds that Heat's client plug-ins look up."""

    kinds: tuple[NameKind, ...] = ()
    finders: Mapping[str, str] = field(default_factory=dict)
    """Constraints by client plug-in, method and entity, joined by dots."""


def load_name_kinds() -> NameKinds:
    """Load the kinds of names. Raise OSError or ValueError if the data is damaged."""
    return read_data(resource_path("cloud_names.json"), NameKinds)


class CloudNames(Struct, frozen=True, eq=False):
    """The named objects of a cloud that have been read."""

    things: Mapping[str, tuple[CloudObject, ...]] = field(default_factory=dict)
    """Objects by custom constraint; a missing kind is unknown."""
    partly: frozenset[str] = frozenset()
    """The kinds that were listed incompletely."""
    kinds: NameKinds = field(default_factory=NameKinds)

    def lacks(self, constraint: str, name: str) -> bool:
        """Return whether the cloud certainly has no object of a kind with this name or ID."""
        things = self.things.get(constraint)
        if things is None or constraint in self.partly:
            return False
        return not any(name in (one.id, one.name) for one in things)

    def names(self, constraint: str) -> tuple[str, ...]:
        """Return the names of a kind, sorted; IDs replace a name that several objects share, which Heat rejects."""
        things = self.things.get(constraint, ())
        names = [one.name for one in things]
        return tuple(sorted({one.name or one.id if names.count(one.name) < 2 else one.id for one in things}))

    def noun(self, constraint: str) -> str:
        """Return the noun for an object of a kind."""
        return next((kind.noun for kind in self.kinds.kinds if kind.constraint == constraint), constraint)

    def find(self, client_plugin: str, finder: str, entity: str | None, name: str) -> str | None:
        """Return the ID of the only object with a name or ID; None if there is none or several."""
        method = f"{client_plugin}.{finder}"
        constraint = self.kinds.finders.get(method) or self.kinds.finders.get(f"{method}.{entity}", "")
        found = {one.id for one in self.things.get(constraint, ()) if name in (one.id, one.name)}
        return found.pop() if len(found) == 1 else None


class KnownCloud(Struct, frozen=True, eq=False):
    """A cloud by its name in the configuration; data that has not been read is empty."""

    name: str
    catalog: CloudCatalog | None = None
    names: CloudNames = field(default_factory=CloudNames)

    def word(self, known: ResourceType, *, is_bundled: bool) -> str:
        """Return `only in NAME` or `not in NAME` for a type; empty if the cloud has it or its types are unknown."""
        if self.catalog is None or not self.catalog.types:
            return ""
        if not is_bundled:
            return f"only in {self.name}"
        return "" if self.catalog.has_type(known) else f"not in {self.name}"
