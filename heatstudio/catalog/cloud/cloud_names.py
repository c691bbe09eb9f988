"""The named objects of a cloud, such as flavors, among which Heat looks up names."""

from collections.abc import Mapping

from msgspec import Struct, field

from heatstudio.assets import resource_path
from heatstudio.bundled_data import read_data
from heatstudio.catalog.cloud.cloud_catalog import CloudCatalog
from heatstudio.catalog.resource_type import ResourceType


class NamedThing(Struct, frozen=True):
    """One thing of a cloud."""

    id: str
    name: str


class NameKind(Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of things, and where a cloud lists them."""

    constraint: str
    """The custom constraint that Heat checks such names by, such as `nova.flavor`."""
    service: str
    """The name of the service in openstacksdk."""
    path: str
    list: str
    """The key of the list in the answer."""
    inside: str = ""
    """The key below which each item keeps its facts, if there is one."""
    id: str = "id"
    name: str = "name"

    @property
    def noun(self) -> str:
        """What a person calls one of them."""
        return self.constraint.partition(".")[2].replace("_", " ").replace("vtype", "volume type")


class NameKinds(Struct, frozen=True, forbid_unknown_fields=True):
    """All kinds that are known, and which of them Heat's client plug-ins look among."""

    kinds: tuple[NameKind, ...] = ()
    finders: Mapping[str, str] = field(default_factory=dict)
    """The constraint by client plug-in, method and entity, joined by dots."""


def load_name_kinds() -> NameKinds:
    """The kinds of names. Raises OSError or ValueError if the data are damaged."""
    return read_data(resource_path("cloud_names.json"), NameKinds)


class CloudNames(Struct, frozen=True, eq=False):
    """What a cloud has, as far as it was asked and answered."""

    things: Mapping[str, tuple[NamedThing, ...]] = field(default_factory=dict)
    """By custom constraint; a kind that is missing is unknown."""
    partly: frozenset[str] = frozenset()
    """The kinds of which there are more than were listed."""
    kinds: NameKinds = field(default_factory=NameKinds)

    def lacks(self, constraint: str, name: str) -> bool:
        """Whether the cloud surely has nothing of that kind with this name or id."""
        things = self.things.get(constraint)
        if things is None or constraint in self.partly:
            return False
        return not any(name in (one.id, one.name) for one in things)

    def names(self, constraint: str) -> tuple[str, ...]:
        """The names of a kind, sorted; where two things share one, their ids as well, because Heat refuses the name."""
        things = self.things.get(constraint, ())
        names = [one.name for one in things]
        return tuple(sorted({one.name or one.id if names.count(one.name) < 2 else one.id for one in things}))

    def noun(self, constraint: str) -> str:
        """What a person calls a thing of a kind."""
        return next((kind.noun for kind in self.kinds.kinds if kind.constraint == constraint), constraint)

    def find(self, client_plugin: str, finder: str, entity: str | None, name: str) -> str | None:
        """The id of the one thing with a name or id; None if there is none, or if there are several."""
        method = f"{client_plugin}.{finder}"
        constraint = self.kinds.finders.get(method) or self.kinds.finders.get(f"{method}.{entity}", "")
        found = {one.id for one in self.things.get(constraint, ()) if name in (one.id, one.name)}
        return found.pop() if len(found) == 1 else None


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
