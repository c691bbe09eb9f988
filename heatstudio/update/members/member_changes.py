"""The effect of a resource's change on the members of its nested stack."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from msgspec.structs import replace

from heatstudio.catalog.rules.update_rule import MemberRule
from heatstudio.update.decision.property_effect import schema_effect
from heatstudio.update.decision.update_notes import equivalence_notes
from heatstudio.update.members.nested_stack import NestedStacks
from heatstudio.update.members.numbered_members import NumberedMembers
from heatstudio.update.plan.outcome import outcome_of
from heatstudio.update.plan.update_plan import Action, ResourceChange, UpdatePlan
from heatstudio.update.sides.update_side import Owner, StackSide
from heatstudio.update.sides.update_truth import Side

UNCHANGED_INSIDE = "No changes in the nested stack"


def with_plan(
    change: ResourceChange, plan: UpdatePlan, nested: NestedStacks, outputs: tuple[str, ...] = ()
) -> ResourceChange:
    """Return an owner's change with the changes of its nested stack; `outputs` are the changed outputs."""
    if plan.refusals:
        return replace(change, action=Action.NOT_SUPPORTED, notes=(*change.notes, *map(str, plan.refusals)))
    members = _with_alike(plan.changes, nested.numbered)
    if not nested.certain:
        members = tuple(
            replace(m, certain=m.certain and m.action not in (Action.ADDED, Action.DELETED)) for m in members
        )
    notes = [*change.notes, *nested.numbered.notes]
    if not any(member.has_effect for member in members):
        names = ", ".join(f"`{name}`" for name in outputs)
        notes.append(f"Only these outputs of the nested stack change: {names}." if names else f"{UNCHANGED_INSIDE}.")
    return replace(change, notes=tuple(notes), members=members, members_known=True, outputs=outputs)


def _with_alike(members: tuple[ResourceChange, ...], numbered: NumberedMembers) -> tuple[ResourceChange, ...]:
    """Return the members, the last one of each kind with the number of those that are not listed."""
    unlisted = dict(numbered.unlisted)
    found = []
    for member in reversed(members):
        alike = unlisted.pop((member.name in numbered.before, member.name in numbered.after), 0)
        found.append(replace(member, alike=alike) if alike else member)
    return tuple(reversed(found))


def renewals(members: Collection[ResourceChange], before: Owner, inside: StackSide) -> Collection[bool]:
    """Return whether the members that change are replaced; both if that is uncertain or differs."""
    found = set[bool]() if before.is_current else {False, True}
    for member in members:
        if member.action is Action.REPLACED:
            kind = inside.types.find(member.type, member.name).type
            schemas = [kind.properties.get(cause.property) if kind is not None else None for cause in member.causes]
            effects = {schema_effect(schema)[0] if schema is not None else None for schema in schemas}
            found |= {True} if member.certain or effects == {Action.REPLACED} else {False, True}
        elif member.action is Action.UPDATED:
            found.add(False)
    return sorted(found) or (False,)


def with_doubts(members: Iterable[ResourceChange], doubtful: Mapping[str, bool]) -> Iterator[ResourceChange]:
    """Yield the members of a group, of which the doubtful ones are uncertain or may be absent after the update."""
    for member in members:
        may_go = doubtful.get(member.name)
        if may_go and member.action is not Action.ADDED:
            words = outcome_of(member).words(certain=member.certain)
            note = (
                f"If the rolling update does not remove it, it {words if words.startswith('may') else f'is {words}'}."
            )
            yield replace(member, action=Action.DELETED, certain=False, causes=(), notes=(note,))
        else:
            certain = member.certain and (may_go is None or member.action is Action.UNCHANGED)
            yield replace(member, certain=certain)


def keeps_order(members: Collection[ResourceChange], rule: MemberRule | None) -> bool:
    """Return whether the members after the update and the order of the members are known.

    A scaling group orders its members by age, and scaling may have changed the number of members.
    """
    if rule is None or not rule.scales:
        return True
    moved = [member for member in members if member.action not in (Action.UNCHANGED, Action.UPDATED)]
    replaced = sum(member.action is Action.REPLACED for member in moved)
    return replaced in (0, len(members)) and all(member.certain for member in moved)


def no_effect_notes(change: ResourceChange, before: Side, after: Side) -> Iterator[str]:
    """Yield notes that explain why a change without a changed property value has no effect."""
    if all(cause.path[:1] != ("properties",) or len(cause.path) == 1 for cause in change.causes):
        yield from equivalence_notes(before, after)
