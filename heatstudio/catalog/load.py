"""Load the catalog: Heat's resource types and template versions, from the facts of the harvest.

Each older Heat is written as what it has different from the next newer one: resources/catalog/older holds a file for
each, named after the first number of its version.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path

from msgspec import Raw, Struct, field, json
from msgspec.structs import replace

from heatstudio.assets import resource_path
from heatstudio.bundled_data import decoded, read_data
from heatstudio.catalog.release import Release, version_order
from heatstudio.catalog.resource_type import ResourceType
from heatstudio.catalog.schema import AttributeSchema
from heatstudio.catalog.support_status import SUPPORTED, Status, SupportStatus
from heatstudio.catalog.template_version import TemplateVersion
from heatstudio.catalog.words import base_descriptions, named_attributes, named_type


class Catalog(Struct, frozen=True, eq=False, forbid_unknown_fields=True, dict=True):
    """What one Heat knows. Types are made when they are asked for, and kept."""

    heat_version: str = field(name="heat")
    types: Mapping[str, Raw]
    """The types of this Heat, as they are written in the harvest."""
    base_attributes: Mapping[str, AttributeSchema] = field(default_factory=dict)
    """What every type has."""
    template_versions: tuple[TemplateVersion, ...] = ()
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Stock `environment.d`: a type name, or a beginning of one and `*`, and what it stands for."""
    custom_constraints: Mapping[str, bool] = field(default_factory=dict)
    """Whether the named constraint has to ask a cloud."""
    reported: Mapping[str, ResourceType] = field(default_factory=dict)
    """Further types, that a cloud listed."""
    _made: dict[str, ResourceType] = field(default_factory=dict)

    @property
    def series(self) -> int:
        """The first number of the version, which an OpenStack release has to itself."""
        return int(self.heat_version.partition(".")[0])

    def names(self) -> list[str]:
        """All resource types, sorted."""
        return sorted((*self.types, *self.reported))

    @cached_property
    def visible_names(self) -> list[str]:
        """The ones that Heat itself lists, which leaves out the HIDDEN ones."""
        stated = {name: json.decode(facts, type=_Stated).status for name, facts in self.types.items()}
        stated.update((name, one.support_status) for name, one in self.reported.items())
        return [name for name in self.names() if stated[name].status is not Status.HIDDEN]

    def get(self, name: str) -> ResourceType | None:
        """The type of this very name; aliases are not followed."""
        made = self._made.get(name) or self.reported.get(name)
        if made is None and name in self.types:
            found = decoded(self.types[name], ResourceType, f"heat.json, {name}")
            made = self._made.setdefault(name, self.with_base_attributes(named_type(name, found)))
        return made

    def with_base_attributes(self, own: ResourceType) -> ResourceType:
        """A type with what every type has."""
        base = named_attributes(self.base_attributes, base_descriptions().attributes)
        return replace(own, attributes={**own.attributes, **base})

    def template_version(self, key: str, name: str) -> TemplateVersion | None:
        """What the version accepts that a template states as `key: name`."""
        return next((version for version in self.template_versions if (version.key, version.name) == (key, name)), None)

    def extended(self, reported: Mapping[str, ResourceType]) -> Catalog:
        """The catalog with more types; what was made of those that it has takes its time, and is kept."""
        return replace(self, reported={**self.reported, **reported}, _made=dict(self._made))


class _Stated(Struct):
    """Where a type stands, without the rest of it."""

    status: SupportStatus = SUPPORTED


def load_catalog(path: Path | None = None) -> Catalog:
    """The catalog of the Heat that this program was made for, or the one of a harvest at `path`.

    Raises OSError if it cannot be read and ValueError if it is not a harvest.
    """
    return read_data(path or resource_path("catalog", "heat.json"), Catalog)


class OlderCatalog(Struct, frozen=True, forbid_unknown_fields=True):
    """What an older Heat has different. A part of the catalog that is None is the same."""

    heat: str
    types: Mapping[str, Raw] = {}
    """The types that differ, whole."""
    later: tuple[str, ...] = ()
    """The types that it does not have yet."""
    base_attributes: Mapping[str, AttributeSchema] | None = None
    template_versions: tuple[TemplateVersion, ...] | None = None
    aliases: Mapping[str, str] | None = None
    custom_constraints: Mapping[str, bool] | None = None

    def below(self, newer: Catalog) -> Catalog:
        """The catalog of this Heat, given that of the next newer one."""
        types = {name: facts for name, facts in newer.types.items() if name not in self.later} | dict(self.types)
        parts = {part: value for part in _PARTS if (value := getattr(self, part)) is not None}
        return replace(newer, heat_version=self.heat, types=types, _made={}, **parts)


_PARTS = ("base_attributes", "template_versions", "aliases", "custom_constraints")


def catalogs(newest: Catalog, folder: Path | None = None) -> Iterator[Catalog]:
    """The newest catalog and those of all older Heats, newest first. Raises OSError or ValueError for damaged data."""
    yield newest
    files = (folder or resource_path("catalog", "older")).glob("*.json")
    for path in sorted(files, key=lambda path: version_order(path.stem), reverse=True):
        newest = read_data(path, OlderCatalog).below(newest)
        yield newest


def catalog_at(newest: Catalog, release: Release) -> Catalog:
    """The catalog of the Heat of a release; for one that is older than all that are known, the oldest of these."""
    found = newest
    for found in catalogs(newest):
        if version_order(release.heat) >= version_order(str(found.series)):
            break
    return found
