"""Values that must be unique while the old resource still exists.

Heat creates a replacement before it deletes the old resource, and it deletes a resource after it has updated those that
depended on it, which wait for what they depend on now (heat/engine/stack.py, _compute_convg_dependencies).
"""

from collections.abc import Collection, Hashable, Iterator, Mapping

from heatstudio.catalog.rules.update_rule import PLAIN, UniqueRule, UpdateBehavior
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
    """Return notes on the resources whose creation or update may fail because an old resource still has a value."""
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
