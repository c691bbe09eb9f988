"""The catalog: all that Heat knows of resource types and template versions, read from the facts of the harvest."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from heatstudio.assets import resource_path
from heatstudio.catalog.facts import Facts, items, mapping, part, text, texts
from heatstudio.catalog.materialize import attributes, resource_type
from heatstudio.catalog.resource_type import ResourceType
from heatstudio.catalog.support_status import Status
from heatstudio.catalog.template_version import TemplateVersion


class Catalog(Struct, frozen=True, eq=False):
    """What one Heat knows. Types are made when they are asked for, and kept."""

    heat_version: str
    aliases: Mapping[str, str]
    """Stock `environment.d`: a type name, or a beginning of one and `*`, and what it stands for."""
    template_versions: tuple[TemplateVersion, ...]
    custom_constraints: Mapping[str, bool]
    """Whether the named constraint has to ask a cloud."""
    type_facts: Facts
    base_attributes: Facts
    prose: Facts = field(default_factory=dict)
    _made: dict[str, ResourceType] = field(default_factory=dict)

    def names(self) -> list[str]:
        """All resource types, sorted."""
        return list(self.type_facts)

    def visible_names(self) -> list[str]:
        """The ones that Heat itself lists, which leaves out the HIDDEN ones."""
        return [name for name, facts in self.type_facts.items() if not _hidden(mapping(facts))]

    def get(self, name: str) -> ResourceType | None:
        """The type of this very name; aliases are not followed."""
        made = self._made.get(name)
        if made is None and name in self.type_facts:
            facts, prose = part(self.type_facts, name), part(part(self.prose, "types"), name)
            own = resource_type(name, facts, prose)
            base = attributes(self.base_attributes, part(self.prose, "base_attributes"))
            made = self._made.setdefault(name, replace(own, attributes={**own.attributes, **base}))
        return made

    def template_version(self, key: str, name: str) -> TemplateVersion | None:
        """What the version accepts that a template states as `key: name`."""
        return next((version for version in self.template_versions if (version.key, version.name) == (key, name)), None)

    def extended(self, type_facts: Facts, prose: Facts) -> Catalog:
        """The catalog with more types; what was made of those that it has takes its time, and is kept."""
        return replace(self, type_facts=type_facts, prose=prose, _made=dict(self._made))

    def with_prose(self, prose: Facts) -> Catalog:
        """The same catalog in Heat's own words."""
        return replace(self, prose=prose, _made={})


def load_catalog(path: Path | None = None) -> Catalog:
    """The catalog of the Heat that this program was made for, or the one of a harvest at `path`.

    Raises OSError if it cannot be read and ValueError if it is not a harvest.
    """
    source = path if path is not None else resource_path("catalog", "heat.json")
    facts = mapping(json.loads(source.read_text(encoding="utf-8")))
    if not part(facts, "types"):
        raise ValueError(f"{source} is not a catalog of resource types")
    constraints = part(facts, "custom_constraints")
    return Catalog(
        heat_version=text(facts, "heat"),
        aliases={alias: str(target) for alias, target in part(facts, "aliases").items()},
        template_versions=tuple(_template_version(mapping(version)) for version in items(facts, "template_versions")),
        custom_constraints={name: bool(part(constraints, name).get("needs_cloud")) for name in constraints},
        type_facts=part(facts, "types"),
        base_attributes=part(facts, "base_attributes"),
    )


def _template_version(facts: Facts) -> TemplateVersion:
    return TemplateVersion(
        key=text(facts, "key"),
        name=text(facts, "name"),
        class_name=text(facts, "class"),
        sections=texts(facts, "sections"),
        resource_keys=texts(facts, "resource_keys"),
        recognized_resource_keys=texts(facts, "recognized_resource_keys"),
        output_keys=texts(facts, "output_keys"),
        parameter_keys=texts(facts, "parameter_keys"),
        parameter_types=texts(facts, "parameter_types"),
        parameter_constraints=texts(facts, "parameter_constraints"),
        pseudo_parameters=texts(facts, "pseudo_parameters"),
        deletion_policies=texts(facts, "deletion_policies"),
        functions={name: str(function) for name, function in part(facts, "functions").items()},
        condition_functions={name: str(function) for name, function in part(facts, "condition_functions").items()},
    )


def _hidden(facts: Facts) -> bool:
    newest, *_ = items(facts, "status") or ({},)
    return mapping(newest).get("status") == Status.HIDDEN
