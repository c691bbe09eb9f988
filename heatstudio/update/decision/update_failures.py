"""Why an update that Heat accepts may fail: values that must be unique, and attributes that only old metadata read."""

from collections.abc import Collection, Hashable, Iterator, Mapping
from functools import cached_property

from msgspec.structs import replace

from heatstudio.catalog.rules.update_rule import PLAIN, UniqueRule, UpdateBehavior
from heatstudio.stack.definition.stack_definition import StackDefinition
from heatstudio.stack.functions.examine import attribute_reads, dep_attrs
from heatstudio.stack.functions.function import ALL_ATTRIBUTES, Marker
from heatstudio.stack.path import dotted, step
from heatstudio.stack.unknown import freeze
from heatstudio.stack.values.properties import Properties
from heatstudio.update.plan.update_plan import Action, ResourceChange
from heatstudio.update.sides.update_side import StackSide

Claim = tuple[str, UniqueRule, Hashable]
"""A type, and the values of one of its rules that a resource of the type has."""
Behaviors = Mapping[str, UpdateBehavior]
_COMES = (Action.ADDED, Action.REPLACED, Action.UPDATED)


def collisions(
    changes: Collection[ResourceChange], before: StackSide, after: StackSide, behaviors: Behaviors
) -> Mapping[str, list[str]]:
    """Return notes on the resources whose creation or update may fail because an old resource still has a value.

    Heat creates a replacement before it deletes the old resource, and it deletes a resource after it has updated those
    that depended on it, which wait for what they depend on now (heat/engine/stack.py, _compute_convg_dependencies).
    """
    leaving = [change.name for change in changes if change.action in (Action.DELETED, Action.REPLACED)]
    held = {claim: name for name in leaving for claim in _claims(before, name, behaviors)}
    found: dict[str, list[str]] = {}
    if not held:
        return found
    old_users, new_users = _users(before), _users(after)
    for change in changes:
        name = change.name
        claims = dict.fromkeys(_claims(after, name, behaviors) if change.action in _COMES else ())
        own = {*_claims(before, name, behaviors)} if change.action is Action.UPDATED else set()
        for claim in (claim for claim in claims if claim in held and claim not in own):
            holder, rule = held[claim], claim[1]
            stays = _is_kept(before, holder) or not old_users.get(holder, set()).isdisjoint(new_users.get(name, ()))
            if (holder == name and not rule.freed) or (holder != name and stays):
                found.setdefault(name, []).append(_note(rule, holder, change))
    return found


def _users(side: StackSide) -> Mapping[str, set[str]]:
    """Return the resources that depend on each resource."""
    found: dict[str, set[str]] = {}
    for name in side.definition.enabled_resource_names:
        for need in side.definition.required_resource_names(name):
            found.setdefault(need, set()).add(name)
    return found


def _is_kept(side: StackSide, name: str) -> bool:
    """Return whether the deletion policy keeps a resource of a side."""
    policy = side.resolved(side.definition.resource_definition(name).deletion_policy)
    return isinstance(policy, str) and policy.title() == "Retain"


def _note(rule: UniqueRule, holder: str, change: ResourceChange) -> str:
    names = " and ".join(f"`{name}`" for name in rule.properties)
    other = "the old resource" if holder == change.name else f"`{holder}`"
    verb = "Updating" if change.action is Action.UPDATED else "Creating"
    return f"{verb} it may fail: {names} must be unique, and {other} still exists with the same value."


def _claims(side: StackSide, name: str, behaviors: Behaviors) -> Iterator[Claim]:
    """Yield the values that a resource of a side claims."""
    if not side.definition.names_resource(name):
        return
    definition = side.definition.resource_definition(name)
    found = side.types.find(definition.type, name)
    rules = behaviors.get(found.target or "", PLAIN).unique
    if found.type is None or not rules:
        return
    properties = side.properties(definition, found.type)
    for rule in rules:
        list_name = next((path.partition(".")[0] for path in rule.properties if "." in path), "")
        items = properties.value(list_name) if list_name else [{}]
        for item in items if isinstance(items, list) else ():
            values = [_value(path, item, properties) for path in rule.properties]
            if values[0] is not None:
                yield found.type.name, rule, freeze(values)


def _value(path: str, item: object, properties: Properties) -> object:
    """Return the value of a property, or of a key of an item of a list of maps."""
    name, _, key = path.partition(".")
    return properties.value(name) if not key else item.get(key) if isinstance(item, Mapping) else None


class LostReads:
    """The reads of attributes that only old metadata have, which make an update fail.

    heat/engine/resource.py, update: Heat resolves the old metadata again (frozen_definition), but has loaded only the
    attributes that the new resources read (node_data), as a running Heat does (tests/cloud/test_further_effects.py).
    """

    def __init__(self, before: StackDefinition, after: StackDefinition) -> None:
        self._before, self._after = before, after

    def with_lost_read(self, change: ResourceChange, needs: Collection[str]) -> ResourceChange:
        """Return the change of a resource that needs other resources, which fails if it has a lost read."""
        metadata = self._before.resource_definition(change.name).metadata
        for _, resource, key in attribute_reads(metadata, self._before):
            is_loaded = not {(resource, repr(key)), (resource, repr(ALL_ATTRIBUTES))}.isdisjoint(self._loaded)
            if resource in needs and not is_loaded and not isinstance(key, Marker):
                name = dotted(tuple(map(step, (resource, *((key,) if isinstance(key, str) else key)))))
                note = f"The old metadata reads `{name}`, which Heat loads only if a new resource reads it too."
                return replace(change, breaks=True, notes=(*change.notes, note))
        return change

    @cached_property
    def _loaded(self) -> frozenset[tuple[str, str]]:
        """The attributes that the new resources read: resource and key, which may be unhashable."""
        enabled = map(self._after.resource_definition, self._after.enabled_resource_names)
        parts = [part for one in enabled for part in (one.properties, one.metadata)]
        return frozenset((resource, repr(key)) for resource, key in dep_attrs(parts, self._after))
