"""Notes of a plan: resources kept by a policy, edits without effect, renamed resources."""

import json
from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from heatstudio.catalog.rules.update_rule import UpdateBehavior
from heatstudio.stack.definition.stack_definition import StackDefinition
from heatstudio.stack.resource_definition import ResourceDefinition
from heatstudio.stack.unknown import Unknown, has_unknown
from heatstudio.update.difference import compare
from heatstudio.update.plan.update_plan import Action, Cause, ResourceChange
from heatstudio.update.sides.update_side import StackSide
from heatstudio.update.sides.update_truth import ANY_PROPERTY, Side

NEARLY_EQUAL = 0.6
"""Minimum share of equal values for an added resource to count as a renamed one."""
MOST_COMPARISONS = 2_000
_KEEPING = {
    "Retain": "The old deletion policy is Retain: the old physical resource is kept, with its name.",
    "Snapshot": "The old deletion policy is Snapshot: Heat takes a snapshot of the old physical resource first.",
}


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
