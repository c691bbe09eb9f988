"""The facts that the harvest writes to the catalog."""

from __future__ import annotations

from collections.abc import Mapping

from tests.catalog.harvest.engine import Engine
from tests.catalog.harvest.plugin import class_name, families, overrides, reference_before_creation, snapshot_allowed
from tests.catalog.harvest.protocols import AttributeLike, Facts, PluginClass
from tests.catalog.harvest.schema import SchemaReader, status_facts
from tests.catalog.harvest.successor import TypeSuccessors, moves
from tests.catalog.harvest.translation import TranslationReader
from tests.catalog.harvest.versions import version_facts

_LOCAL_CONSTRAINTS = "heat.engine.constraint."
"""The package of the constraints that check values locally; all other constraints query a cloud."""


def catalog_facts(engine: Engine) -> Facts:
    """Return all facts of an installed Heat, without its descriptions."""
    rules = TranslationReader(engine.clients)
    successors = TypeSuccessors(engine.types)
    return {
        "heat": engine.version,
        "types": {
            name: _type_facts(name, plugin, rules.rules(plugin), successors) for name, plugin in engine.types.items()
        },
        "base_attributes": SchemaReader(successors.name, {}).attributes(_base_attributes(engine)),
        "template_versions": [version_facts(key, name, template) for (key, name), template in engine.templates.items()],
        "aliases": dict(engine.aliases),
        "custom_constraints": {
            name: not constraint.__module__.startswith(_LOCAL_CONSTRAINTS)
            for name, constraint in engine.constraints.items()
        },
    }


def _base_attributes(engine: Engine) -> Mapping[str, AttributeLike]:
    """Return the attributes of every type; they are not in `attributes_schema` until Heat creates an instance."""
    return next(iter(engine.types.values())).base_attributes_schema


def _type_facts(name: str, plugin: PluginClass, rules: list[Facts], successors: TypeSuccessors) -> Facts:
    schemas = SchemaReader(successors.name, moves(rules))
    facts: Facts = {
        "class": class_name(plugin),
        "status": status_facts(plugin.support_status, successors.name, lambda: successors.successor(name)),
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
    return {part: fact for part, fact in facts.items() if fact} | reference_before_creation(plugin)
