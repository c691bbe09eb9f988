"""What a change of one resource says of the inside of the resource: its members, and how they are updated."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from heatstudio.catalog.update_rule import UpdateBehavior
from heatstudio.stack.update.nested_stack import NestedStacks
from heatstudio.stack.update.rolling_update import rolling_note
from heatstudio.stack.update.update_notes import effortless_notes
from heatstudio.stack.update.update_plan import Action, ResourceChange, UpdatePlan
from heatstudio.stack.update.update_truth import ANY_PROPERTY, Side


def with_plan(
    change: ResourceChange, plan: UpdatePlan, nested: NestedStacks, outputs: tuple[str, ...] = ()
) -> ResourceChange:
    """The change of an owner, with what happens to the members of its nested stack; `outputs` are those that change."""
    members = plan.changes
    if not nested.certain:
        members = tuple(
            replace(m, certain=m.certain and m.action not in (Action.ADDED, Action.DELETED)) for m in members
        )
    notes = [*change.notes, *nested.notes]
    if plan.refusals or any(member.action is Action.NOT_SUPPORTED for member in members):
        notes += [*plan.refusals, "Something inside is refused: the update of the whole stack will fail."]
    elif not any(member.has_effect for member in members):
        notes.append(_only(outputs) if outputs else "Nothing changes inside.")
    return replace(change, notes=tuple(notes), members=members, outputs=outputs)


def _only(outputs: tuple[str, ...]) -> str:
    names = ", ".join(f"`{name}`" for name in outputs)
    return f"Inside, nothing but {'the outputs' if len(outputs) > 1 else 'the output'} {names} changes."


def effort(change: ResourceChange, before: Side, after: Side) -> Iterator[str]:
    """Why a change that concerns no value of a property does nothing."""
    if all(cause.path[:1] != ("properties",) or len(cause.path) == 1 for cause in change.causes):
        yield from effortless_notes(before, after)


def with_rolling_update(change: ResourceChange, behavior: UpdateBehavior, after: Side) -> ResourceChange:
    """A note on how members are updated, if the change starts a rolling update."""
    rule = behavior.rolling
    touched = {cause.property for cause in change.causes if len(cause.path) > 1}
    if rule is None or not (touched if ANY_PROPERTY in rule.changed else touched & set(rule.changed)):
        return change
    here = sum(member.action is not Action.ADDED for member in change.members)
    there = sum(member.action is not Action.DELETED for member in change.members)
    note = rolling_note(rule, after, after.written.get("update_policy"), (here, there) if change.members else None)
    return replace(change, notes=(*change.notes, note)) if note else change
