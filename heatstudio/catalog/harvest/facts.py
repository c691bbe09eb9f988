"""Everything that the harvest writes down."""

from __future__ import annotations

from collections.abc import Mapping

from heatstudio.catalog.harvest.engine import Engine
from heatstudio.catalog.harvest.plugin import (
    class_name,
    families,
    overrides,
    reference_before_creation,
    snapshot_allowed,
)
from heatstudio.catalog.harvest.protocols import Facts, PluginClass
from heatstudio.catalog.harvest.schema import (
    SchemaReader,
    attribute_prose,
    property_prose,
    status_facts,
    status_prose,
)
from heatstudio.catalog.harvest.successor import moves, successor_of, type_successor
from heatstudio.catalog.harvest.translation import TranslationReader
from heatstudio.catalog.harvest.versions import version_facts

_LOCAL_CONSTRAINTS = "heat.engine.constraint."
"""The constraints below this module check a text by themselves; the others ask a cloud."""


def catalog_facts(engine: Engine) -> Facts:
    """All facts of an installed Heat, without any of its prose."""
    rules = TranslationReader(engine.clients)
    names = {id(plugin): name for name, plugin in engine.types.items()}
    base = next(iter(engine.types.values())).base_attributes_schema
    reader = SchemaReader(lambda plugin: names.get(id(plugin)), lambda path, status: None)
    return {
        "heat": engine.version,
        "types": {name: _type_facts(plugin, rules, names) for name, plugin in engine.types.items()},
        "base_attributes": reader.attributes(base),
        "template_versions": [version_facts(key, name, template) for (key, name), template in engine.templates.items()],
        "aliases": dict(engine.aliases),
        "custom_constraints": {
            name: {"needs_cloud": not constraint.__module__.startswith(_LOCAL_CONSTRAINTS)}
            for name, constraint in engine.constraints.items()
        },
    }


def _type_facts(plugin: PluginClass, reader: TranslationReader, names: Mapping[int, str]) -> Facts:
    rules = reader.rules(plugin)
    moved = moves(rules)

    def type_name(wanted: type) -> str | None:
        return names.get(id(wanted))

    schemas = SchemaReader(type_name, lambda path, status: successor_of(path, status, moved))
    facts: Facts = {
        "class": class_name(plugin),
        "status": status_facts(plugin.support_status, type_name, type_successor),
        "families": families(plugin),
        "client_plugin": plugin.default_client_name,
        "service_extension": plugin.required_service_extension,
        "entity": plugin.entity,
        "snapshot_allowed": snapshot_allowed(plugin),
        "overrides": overrides(plugin),
        "properties": schemas.properties(plugin.properties_schema),
        "attributes": schemas.attributes(plugin.attributes_schema),
        "update_policy": schemas.properties(plugin.update_policy_schema),
        "translation_rules": rules,
    }
    return {name: fact for name, fact in facts.items() if fact} | reference_before_creation(plugin)


def catalog_prose(engine: Engine) -> Facts:
    """Heat's own words on its resource types, in the shape of the facts."""
    base = next(iter(engine.types.values())).base_attributes_schema
    return {
        "heat": engine.version,
        "types": {name: _type_prose(plugin) for name, plugin in engine.types.items()},
        "base_attributes": attribute_prose(base),
    }


def _type_prose(plugin: PluginClass) -> Facts:
    prose: Facts = {
        "description": (plugin.__doc__ or "").strip(),
        "status": status_prose(plugin.support_status),
        "properties": property_prose(plugin.properties_schema),
        "attributes": attribute_prose(plugin.attributes_schema),
        "update_policy": property_prose(plugin.update_policy_schema),
    }
    return {name: words for name, words in prose.items() if words}
