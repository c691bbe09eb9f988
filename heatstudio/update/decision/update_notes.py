"""Notes of a plan: resources kept by a policy, edits without effect, renamed resources, and why an update may fail."""

import json
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from functools import cached_property

from msgspec.structs import replace

from heatstudio.catalog.rules.update_rule import UniqueRule, UpdateBehavior
from heatstudio.stack.definition.stack_definition import StackDefinition
from heatstudio.stack.functions.examine import attribute_reads, dep_attrs
from heatstudio.stack.functions.function import ALL_ATTRIBUTES, Marker
from heatstudio.stack.path import dotted, step
from heatstudio.stack.resource_definition import ResourceDefinition
from heatstudio.stack.unknown import Unknown, freeze, has_unknown
from heatstudio.stack.values.properties import Properties
from heatstudio.update.difference import compare
from heatstudio.update.plan.update_plan import Action, Cause, ResourceChange
from heatstudio.update.sides.update_side import ANY_PROPERTY, Side, StackSide

NEARLY_EQUAL = 0.6
"""Minimum share of equal values for an added resource to count as a renamed one."""
MOST_COMPARISONS = 2_000
_KEEPING = {
    "Retain": "The old deletion policy is Retain: the old physical resource is kept, with its name.",
    "Snapshot": "The old deletion policy is Snapshot: Heat takes a snapshot of the old physical resource first.",
}
Claim = tuple[str, UniqueRule, Hashable]
"""A type, and the values of one of its rules that a resource of the type has."""
_COMES = (Action.ADDED, Action.REPLACED, Action.UPDATED)


def deletion_notes(definition: ResourceDefinition, stack: StackSide) -> Iterator[str]:
    """Yield notes on a deleted or replaced resource whose physical resource is kept or saved."""
    if stack.resolved(definition.external_id) is not None:
        yield "The resource has an external ID: the physical resource is kept."
        return
    policy = stack.resolved(definition.deletion_policy)
    if isinstance(policy, Unknown):
        yield "The old deletion policy is not known yet; the old physical resource may be kept."
    elif str(policy).title() in _KEEPING:
        yield _KEEPING[str(policy).title()]


def addition_notes(definition: ResourceDefinition, stack: StackSide, enabled: object) -> Iterator[str]:
    """Yield the notes on an added resource."""
    if isinstance(enabled, Unknown):
        yield "The condition is not known yet; the resource may not be added."
    if stack.resolved(definition.external_id) is not None:
        yield "The resource has an external ID: Heat uses the existing physical resource."


def aws_notes(behavior: UpdateBehavior, causes: Iterable[Cause]) -> Iterator[str]:
    """Yield notes on the changes that AWS documents as "Updates are not supported" and Heat allows."""
    for cause in causes:
        if cause.path[:1] == ("properties",) and {cause.property, ANY_PROPERTY} & set(behavior.aws_refuses):
            yield f"Hint: AWS documents “Updates are not supported” for `{cause.property}`; Heat supports them."


def equivalence_notes(before: Side, after: Side) -> Iterator[str]:
    """Yield notes on properties that are written differently but have the same values."""
    old, new = before.written.get("properties"), after.written.get("properties")
    if not isinstance(old, Mapping) or not isinstance(new, Mapping):
        return
    added = [name for name in new if name not in old]
    removed = [name for name in old if name not in new]
    for name in removed:
        target = next((other for other in added if compare(old[name], new[other]) is True), None)
        if target is not None:
            yield f"`{name}` is now written as `{target}`, which is equivalent."
            added.remove(target)
        else:
            yield f"`{name}` was removed; its value stays the same."
    yield from (f"`{name}` was added; its value stays the same." for name in added)
    for name in new:
        if name in old and compare(old[name], new[name]) is not True and not has_unknown([old[name], new[name]]):
            yield f"`{name}`: {_short(old[name])} and {_short(new[name])} are equivalent."


def _short(value: object) -> str:
    text = json.dumps(value, default=str)
    return text if len(text) <= 40 else text[:39] + "…"


def with_renamed(
    changes: Iterable[ResourceChange], before: StackDefinition, after: StackDefinition
) -> Iterator[ResourceChange]:
    """Yield the changes, with a note on each renamed resource."""
    found = list(changes)
    renamed = dict(_renamed(found, before, after))
    old_names = {new: old for old, new in renamed.items()}
    for change in found:
        if change.action is Action.DELETED and change.name in renamed:
            note = f"Renamed to `{renamed[change.name]}`; Heat deletes the old resource."
            yield replace(change, notes=(*change.notes, note), renamed=renamed[change.name])
        elif change.action is Action.ADDED and change.name in old_names:
            note = f"Renamed from `{old_names[change.name]}`; Heat creates a new resource."
            yield replace(change, notes=(*change.notes, note), renamed=old_names[change.name])
        else:
            yield change


def _renamed(
    changes: list[ResourceChange], before: StackDefinition, after: StackDefinition
) -> Iterator[tuple[str, str]]:
    deleted = [change for change in changes if change.action is Action.DELETED]
    added = [change for change in changes if change.action is Action.ADDED]
    candidates = [(old, new) for old in deleted for new in added if old.type == new.type][:MOST_COMPARISONS]
    likeness_of = {
        (old.name, new.name): _likeness(
            before.resource_definition(old.name).data, after.resource_definition(new.name).data
        )
        for old, new in candidates
    }
    taken: set[str] = set()
    for (old_name, new_name), likeness in sorted(likeness_of.items(), key=lambda item: -item[1]):
        if likeness >= NEARLY_EQUAL and not {f"-{old_name}", f"+{new_name}"} & taken:
            taken.update((f"-{old_name}", f"+{new_name}"))
            yield old_name, new_name


def _likeness(old: object, new: object) -> float:
    """Return the share of equal leaves of two definitions, from 0 to 1."""
    first, second = dict(_leaves(old, ())), dict(_leaves(new, ()))
    paths = first.keys() | second.keys()
    equal = sum(first.get(path, first) == second.get(path, second) for path in paths)
    return equal / len(paths) if paths else 1.0


def _leaves(value: object, path: tuple[object, ...]) -> Iterator[tuple[tuple[object, ...], object]]:
    items = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else None
    if items is None:
        yield path, value
        return
    for key, item in items:
        yield from _leaves(item, (*path, key))


def collisions(changes: Collection[ResourceChange], before: StackSide, after: StackSide) -> Mapping[str, list[str]]:
    """Return notes on the resources whose creation or update may fail because an old resource still has a value.

    Heat creates a replacement before it deletes the old resource, and it deletes a resource after it has updated those
    that depended on it, which wait for what they depend on now (heat/engine/stack.py, _compute_convg_dependencies).
    """
    leaving = [change.name for change in changes if change.action in (Action.DELETED, Action.REPLACED)]
    held = {claim: name for name in leaving for claim in _claims(before, name)}
    found: dict[str, list[str]] = {}
    if not held:
        return found
    old_users, new_users = _users(before), _users(after)
    for change in changes:
        name = change.name
        claims = dict.fromkeys(_claims(after, name) if change.action in _COMES else ())
        own = {*_claims(before, name)} if change.action is Action.UPDATED else set()
        for claim in (claim for claim in claims if claim in held and claim not in own):
            holder, rule = held[claim], claim[1]
            stays = _is_kept(before, holder) or not old_users.get(holder, set()).isdisjoint(new_users.get(name, ()))
            if (holder == name and not rule.freed) or (holder != name and stays):
                found.setdefault(name, []).append(_collision_note(rule, holder, change))
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


def _collision_note(rule: UniqueRule, holder: str, change: ResourceChange) -> str:
    names = " and ".join(f"`{name}`" for name in rule.properties)
    other = "the old resource" if holder == change.name else f"`{holder}`"
    verb = "Updating" if change.action is Action.UPDATED else "Creating"
    return f"{verb} it may fail: {names} must be unique, and {other} still exists with the same value."


def _claims(side: StackSide, name: str) -> Iterator[Claim]:
    """Yield the values that a resource of a side claims."""
    if not side.definition.names_resource(name):
        return
    found, rules = side.found(name), side.behavior(name).unique
    if found.type is None or not rules:
        return
    properties = side.properties(side.definition.resource_definition(name), found.type)
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
