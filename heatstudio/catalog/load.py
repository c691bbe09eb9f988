"""The catalog: all that Heat knows of resource types and template versions, read from the facts of the harvest."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from msgspec import Raw, Struct, field, json
from msgspec.structs import replace

from heatstudio.assets import resource_path
from heatstudio.catalog.data import decoded, read_data
from heatstudio.catalog.resource_type import ResourceType
from heatstudio.catalog.schema import AttributeSchema
from heatstudio.catalog.support_status import SUPPORTED, Status, SupportStatus
from heatstudio.catalog.template_version import TemplateVersion
from heatstudio.catalog.words import Prose, TypeWords, named_attributes, named_type

_NO_WORDS = TypeWords()


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
    prose: Prose = field(default_factory=Prose)
    _made: dict[str, ResourceType] = field(default_factory=dict)

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
            own = named_type(name, found, self.prose.types.get(name, _NO_WORDS))
            made = self._made.setdefault(name, self.with_base_attributes(own))
        return made

    def with_base_attributes(self, own: ResourceType) -> ResourceType:
        """A type with what every type has."""
        base = named_attributes(self.base_attributes, self.prose.base_attributes)
        return replace(own, attributes={**own.attributes, **base})

    def template_version(self, key: str, name: str) -> TemplateVersion | None:
        """What the version accepts that a template states as `key: name`."""
        return next((version for version in self.template_versions if (version.key, version.name) == (key, name)), None)

    def extended(self, reported: Mapping[str, ResourceType]) -> Catalog:
        """The catalog with more types; what was made of those that it has takes its time, and is kept."""
        return replace(self, reported=reported, _made=dict(self._made))

    def with_prose(self, prose: Prose) -> Catalog:
        """The same catalog in Heat's own words."""
        return replace(self, prose=prose, _made={})


class _Stated(Struct):
    """Where a type stands, without the rest of it."""

    status: SupportStatus = SUPPORTED


def load_catalog(path: Path | None = None) -> Catalog:
    """The catalog of the Heat that this program was made for, or the one of a harvest at `path`.

    Raises OSError if it cannot be read and ValueError if it is not a harvest.
    """
    return read_data(path or resource_path("catalog", "heat.json"), Catalog)
