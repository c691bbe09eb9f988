"""Facts about the class of a resource type: its name, its families, the methods that it overrides."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import Any, cast

from tests.catalog.harvest.protocols import Facts, PluginClass
from tests.catalog.harvest.read_properties import ReadProperties

HOOKS = (
    "_needs_update",
    "add_dependencies",
    "get_attribute",
    "get_reference_id",
    "handle_update",
    "needs_replace",
    "needs_replace_failed",
    "needs_replace_with_prop_diff",
    "needs_replace_with_tmpl_diff",
    "prepare_for_replace",
    "validate",
    "validate_template",
)
"""Methods of Resource in heat/engine/resource.py for which the catalog records the overriding class."""

SNAPSHOT_HOOK = "handle_snapshot_delete"

_FAMILY_CLASSES = {
    "neutron": "openstack.neutron.neutron.NeutronResource",
    "stack": "stack_resource.StackResource",
    "no-op": "openstack.heat.none_resource.NoneResource",
}
_PLUGINS = "heat.engine.resources."
_RESOURCE_NAME = "name of the resource"
_MARK = "value of a property"


def class_name(plugin: type | PluginClass) -> str:
    """Return the qualified name of a class relative to heat.engine.resources: `openstack.nova.server.Server`."""
    return f"{plugin.__module__}.{plugin.__name__}".removeprefix(_PLUGINS)


def bare(plugin: PluginClass, **members: object) -> Any:
    """Return an instance without calling its initializer, because Heat's initializer changes the class."""
    instance: Any = object.__new__(cast("type[Any]", plugin))
    vars(instance).update(members)
    return instance


def families(plugin: PluginClass) -> list[str]:
    """Return the names of the families whose base class the class derives from."""
    names = {class_name(base) for base in plugin.__mro__}
    return [family for family, base in _FAMILY_CLASSES.items() if base in names]


def overrides(plugin: PluginClass) -> dict[str, str]:
    """Return the class that defines each hook, for hooks that override Heat's default."""
    default = import_module("heat.engine.resource").Resource
    found = {hook: _definer(plugin, hook) for hook in HOOKS}
    return {hook: class_name(base) for hook, base in found.items() if base is not None and base is not default}


def snapshot_allowed(plugin: PluginClass) -> bool:
    """Return whether a resource of the class can make a snapshot before it is deleted."""
    return callable(getattr(plugin, SNAPSHOT_HOOK, None))


def reference_before_creation(plugin: PluginClass) -> Facts:
    """Return the facts about the value of get_resource before the resource exists, if it is not the resource name."""
    unset = ReadProperties(plugin.properties_schema, {})
    reference = _reference(plugin, unset)
    facts: Facts = {}
    if reference != _RESOURCE_NAME:
        facts["reference_before_creation"] = "null" if reference is None else reference
    for name in sorted(unset.read):
        if _reference(plugin, ReadProperties(plugin.properties_schema, {name: _MARK})) == _MARK:
            facts["reference_property"] = name
    return facts


def _reference(plugin: PluginClass, properties: ReadProperties) -> str | None:
    blank = type(plugin.__name__, (cast("type[Any]", plugin),), {"__getattr__": lambda _resource, _member: None})
    resource: Any = object.__new__(blank)
    vars(resource).update(name=_RESOURCE_NAME, resource_id=None, id=None, properties=properties, data=dict)
    reference: str | None = resource.get_reference_id()
    return reference


def _definer(plugin: PluginClass, hook: str) -> type | None:
    bases: Iterable[type] = plugin.__mro__
    return next((base for base in bases if hook in vars(base)), None)
