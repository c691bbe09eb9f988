"""The data about Heat, loaded once and shared by all analyses of templates."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Raw, Struct, field
from msgspec.structs import replace

from heatstudio.assets import resource_path
from heatstudio.bundled_data import read_data
from heatstudio.catalog.attribute_shape import AttributeShapes, load_attribute_shapes
from heatstudio.catalog.cloud.known_cloud import CloudCatalog, KnownCloud, only_there, overlaid
from heatstudio.catalog.load import Catalog, catalog_at, load_catalog
from heatstudio.catalog.property_groups.load_groups import GroupLibrary, load_groups
from heatstudio.catalog.property_groups.property_group import PropertyGroups
from heatstudio.catalog.release import Release, load_releases
from heatstudio.catalog.rules.implicit_dependency import ImplicitDependency
from heatstudio.catalog.rules.suspicion import Suspicions
from heatstudio.catalog.rules.update_rule import PLAIN, UpdateBehavior, load_update_behaviors
from heatstudio.catalog.rules.validation_read import ValidationRead, load_validation_reads
from heatstudio.catalog.schema import ResourceType
from heatstudio.stack.functions.budget import HEAT_LIMITS, YaqlLimits
from heatstudio.stack.functions.language import Language, check_implementations, make_language
from heatstudio.stack.inputs.environment import EventSink
from heatstudio.template import Dialect


class Knowledge(Struct, frozen=True, eq=False):
    """The resource types, template versions, property groups and update rules of one Heat release."""

    catalog: Catalog
    newest: Catalog
    """The catalog of the newest supported Heat."""
    group_library: GroupLibrary
    update_behaviors: Mapping[str, UpdateBehavior]
    type_names: frozenset[str]
    implicit_dependencies: Mapping[str, tuple[ImplicitDependency, ...]]
    validation_reads: Mapping[str, tuple[ValidationRead, ...]]
    """The reads of properties by plug-ins at validation, by type."""
    stock_templates: Mapping[str, str]
    """The parameters and outputs of Heat's own templates, by the targets of the stock registry."""
    suspicions: Suspicions = Suspicions()
    attribute_shapes: AttributeShapes = field(default_factory=dict)
    client_versions: Mapping[str, str] = field(default_factory=dict)
    """The API versions in clouds of the release, by client plug-in."""
    event_sinks: Mapping[str, EventSink] | None = None
    """The sinks to which Heat can send events; None if unknown."""
    releases: tuple[Release, ...] = ()
    """All known releases since Icehouse, oldest first."""
    release: Release | None = None
    """The release that the data describe; None for the newest Heat."""
    cloud: KnownCloud | None = None
    """The cloud that the user is connected to."""
    cloud_types: frozenset[str] = frozenset()
    """The types that exist only in this cloud or in the project."""
    yaql_limits: YaqlLimits = HEAT_LIMITS
    _languages: dict[tuple[str, str], Language] = field(default_factory=dict)
    _older: dict[str, Knowledge] = field(default_factory=dict)

    def at(self, release: Release | None) -> Knowledge:
        """Return the knowledge of an older release, cached; for None or the newest release return this object.

        Raise OSError or ValueError if the bundled data are damaged.
        """
        if release is None or release in (self.release, self.releases[-1]):
            return self
        if release.heat not in self._older:
            catalog = catalog_at(self.newest, release).extended(self.catalog.reported)
            self._older[release.heat] = replace(
                self,
                catalog=catalog,
                group_library=self.group_library.at(catalog.series),
                type_names=frozenset(catalog.names()),
                release=release,
                client_versions=release.client_versions,
                _languages={},
                _older={},
            )
        return self._older[release.heat]

    def language(self, dialect: Dialect) -> Language:
        """Return the functions of a template version; cached."""
        key = (dialect.version_key, dialect.version)
        if key not in self._languages:
            version = self.catalog.template_version(*key)
            if version is None:
                raise LookupError(f"the catalog has no template version {key}")
            self._languages[key] = make_language(dialect, version, self.yaql_limits)
        return self._languages[key]

    def groups(self, resource_type: ResourceType) -> PropertyGroups:
        """Return the property groups of a type."""
        return self.group_library.groups(resource_type.name)

    def update_behavior(self, resource_type: ResourceType) -> UpdateBehavior:
        """Return the update rules of a type."""
        return self.update_behaviors.get(resource_type.name, PLAIN)

    def is_bundled(self, type_name: str) -> bool:
        """Return whether the type belongs to Heat, not to a cloud or the project."""
        return type_name in self.type_names and type_name not in self.cloud_types

    def with_cloud(self, cloud: KnownCloud) -> Knowledge:
        """Return the knowledge overlaid with the data about a cloud."""
        known = replace(self, cloud=cloud, _older={})
        return known if cloud.catalog is None else known.with_types(cloud.catalog)

    def with_yaql_limits(self, limits: YaqlLimits) -> Knowledge:
        """Return the knowledge of a Heat that is configured with other limits."""
        return replace(self, yaql_limits=limits, _languages={}, _older={})

    def with_types(self, catalog: CloudCatalog) -> Knowledge:
        """Return the knowledge with the additional types of another catalog."""
        added = frozenset(only_there(catalog, self.catalog))
        return replace(
            self,
            catalog=overlaid(self.catalog, catalog),
            type_names=self.type_names | added,
            cloud_types=self.cloud_types | added,
            _older={},
        )


def load_knowledge() -> Knowledge:
    """Return the knowledge of the bundled data. Raise OSError or ValueError if they are damaged."""
    catalog, releases = load_catalog(), load_releases()
    check_implementations(catalog.template_versions)
    return Knowledge(
        catalog,
        catalog,
        load_groups(resource_path("groups")),
        load_update_behaviors(),
        frozenset(catalog.names()),
        read_data(resource_path("dependencies", "implicit.json"), dict[str, tuple[ImplicitDependency, ...]]),
        load_validation_reads(),
        _stock_templates(),
        read_data(resource_path("suspicious.json"), Suspicions),
        load_attribute_shapes(),
        releases[-1].client_versions,
        read_data(resource_path("event_sinks.json"), dict[str, EventSink]),
        releases,
    )


def _stock_templates() -> Mapping[str, str]:
    """Return the interfaces of Heat's own templates: parameters and output names of /etc/heat/templates."""
    templates = read_data(resource_path("registry", "templates.json"), dict[str, Raw])
    return {target: bytes(data).decode() for target, data in templates.items()}
