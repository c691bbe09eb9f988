"""The nested stacks of resources, before and after an update: provider templates, groups, chains.

resources/update/rules.json lists the types with a nested stack, and the properties that define its content. Sources:
heat/engine/resources/template_resource.py, child_params; stack_resource.py.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.catalog.rules.update_rule import MemberRule
from heatstudio.stack.definition.source import Source
from heatstudio.stack.definition.stack_definition import StackDefinition, StackInputs
from heatstudio.stack.definition.types import DEEPEST_NESTING, Origin, Types
from heatstudio.stack.inputs.environment import Environment, EnvironmentFile
from heatstudio.stack.inputs.inherited import child_parameters, facade, group_template, inherited, with_shared_mappings
from heatstudio.stack.resource_proxy import FindNode, no_data
from heatstudio.template import Reader, Template, parse_template
from heatstudio.update.decision.property_effect import schema_effect
from heatstudio.update.decision.update_notes import equivalence_notes
from heatstudio.update.members.member_definitions import Members, listed
from heatstudio.update.members.numbered_members import NumberedMembers, definitions, numbered
from heatstudio.update.plan.outcome import outcome_of
from heatstudio.update.plan.update_plan import Action, ResourceChange, UpdatePlan
from heatstudio.update.running_stack import Resources, RunningResource
from heatstudio.update.sides.outer_value import outer
from heatstudio.update.sides.update_side import Blueprint, DefinedStack, Owner, Side, StackSide, blueprint

UNCHANGED_INSIDE = "No changes in the nested stack"


class NestedStacks(Struct, frozen=True):
    """The nested stack of an owner before and after an update."""

    before: Blueprint
    after: Blueprint
    certain: bool = True
    numbered: NumberedMembers = NumberedMembers({}, {})
    """The listed members of a group with a numeric size."""


def reads_the_same(before: Owner, after: Owner) -> bool:
    """Return whether the unknown definition of a nested stack has the same inputs on both sides."""
    files = [owner.stack.blueprint.files for owner in (before, after)]
    if after.found.origin is Origin.UNREAD_TEMPLATE and not any(side.get(after.found.target) for side in files):
        return True  # a template that is part of Heat
    return files[0] == files[1]


def unread_file(owner: Owner) -> str | None:
    """Return the file with the template of a nested stack if it was not read; None for a template of Heat."""
    if owner.found.origin is Origin.UNREAD_TEMPLATE:
        is_of_heat = owner.found.target in owner.stack.types.knowledge.stock_templates
        return None if is_of_heat else owner.found.target
    rule = owner.behavior.members
    file = owner.side.properties.value(rule.template) if rule is not None and rule.is_file else None
    return file if isinstance(file, str) else None


def nested_stacks(before: Owner, after: Owner, renews: Collection[bool] = ()) -> NestedStacks | None:
    """Return the nested stacks of a resource on both sides; None if there are none or their content is unknown.

    `renews` says whether updated members are replaced, which determines the members that a rolling update leaves.
    """
    rule = after.behavior.members
    if max(before.stack.blueprint.depth, after.stack.blueprint.depth) >= DEEPEST_NESTING:
        return None
    if before.found.origin is Origin.TEMPLATE and after.found.origin is Origin.TEMPLATE:
        return _both(_of_template(before), _of_template(after))
    if rule is None:
        return None
    if rule.template:
        return _both(_of_text(before, rule), _of_text(after, rule))
    if rule.types or rule.for_each:
        old, new = (_group(owner, listed(owner.side.properties, rule), rule) for owner in (before, after))
        return _both(old, new)
    found = numbered(before, after, rule, renews)
    if found is None:
        return None
    sides = _both(_group(before, found.before, rule), _group(after, found.after, rule))
    if sides is None:
        return None
    certain = not rule.scales or bool(before.running)
    return replace(sides, certain=certain, numbered=found)


def running_members(owner: Owner, nested: NestedStacks, rule: MemberRule | None) -> Resources:
    """Return the running members of a group or nested stack, without unlisted members of a group with a size.

    The names of a group with a size are not certain: scaling and removal policies of earlier updates change them.
    """
    members, listed = owner.running, nested.numbered
    if rule is not None and rule.count and (owner.is_current or rule.scales or not listed.is_complete):
        members = {key: one for key, one in members.items() if key in listed.before or key in listed.after}
    if owner.is_current:
        return members
    action = "INIT" if members else "CREATE"
    names = nested.before.define(no_data, None)[0].all_resource_names
    return {one: RunningResource(one, None, action, is_current=False) for one in names} | {**members}


def sample_member(before: Owner, after: Owner) -> NestedStacks | None:
    """Return nested stacks with one member instead of an unknown number of members; None if there are none."""
    rule = after.behavior.members
    is_too_deep = max(before.stack.blueprint.depth, after.stack.blueprint.depth) >= DEEPEST_NESTING
    if rule is None or not rule.count or is_too_deep:
        return None
    old, new = (_group(owner, definitions(owner, rule, ["0"]), rule) for owner in (before, after))
    return _both(old, new)


def _both(before: Blueprint | None, after: Blueprint | None) -> NestedStacks | None:
    return NestedStacks(before, after) if before is not None and after is not None else None


def _of_template(owner: Owner) -> Blueprint | None:
    template = owner.found.template
    if template is None:
        return None
    given = child_parameters(owner.side.type, owner.side.properties)
    values = {name: outer(value, owner.explain) for name, value in given}
    return _template_stack(owner, template, values, owner.definition.name)


def _of_text(owner: Owner, rule: MemberRule) -> Blueprint | None:
    """Return the stack of a template that a property contains or names; None if the template is unreadable."""
    text = owner.side.properties.value(rule.template)
    if rule.is_file and isinstance(text, str):
        text = owner.stack.blueprint.files.get(text)
    given = owner.side.properties.value(rule.parameters)
    if not isinstance(text, str):
        return None
    template = parse_template(text, reader=Reader.HEAT)
    if not template.complete or template.version_message or not template.data:
        return None
    items = given.items() if isinstance(given, Mapping) else ()
    values = {str(key): outer(value, owner.explain) for key, value in items}
    return _template_stack(owner, template, values, "" if rule.context else owner.definition.name)


def _template_stack(owner: Owner, template: Template, values: Mapping[str, object], resource: str) -> Blueprint:
    outside = owner.stack.blueprint
    source = Source(
        template,
        inherited(outside.environments, owner.found.name, owner.found.target, resource),
        owner.found.files or outside.files,
        values,
        facade(owner.definition, lambda parsed: outer(owner.stack.resolved(parsed), owner.explain)),
        outside.depth + 1,
    )
    return blueprint(source, owner.stack.types.knowledge)


def _group(owner: Owner, members: Members | None, rule: MemberRule) -> Blueprint | None:
    """Return a stack of members whose properties are already resolved."""
    if members is None:
        return None
    outside = owner.stack.blueprint
    environments = with_shared_mappings(
        inherited(outside.environments, resource=owner.definition.name), members.items(), "type"
    )
    if rule.launch is not None:
        environments = (*environments, EnvironmentFile("", {"resource_registry": rule.launch.stand_ins}))
    knowledge, catalog = owner.stack.types.knowledge, owner.stack.types.knowledge.catalog
    environment = Environment(environments, known_types=frozenset(catalog.names()), aliases=catalog.aliases)
    types = Types(knowledge, environment, outside.files, outside.depth + 1)
    distinct = {id(member): member for member in members.values()}  # the members of a group often share one definition
    inner = {key: outer(member, owner.explain) for key, member in distinct.items()}
    words = group_template().dialect
    data = {words.version_key: words.version, "resources": {name: inner[id(one)] for name, one in members.items()}}
    language = knowledge.language(words)

    def define_group(known: FindNode, before: DefinedStack | None) -> DefinedStack:
        previous = before[0] if before else None
        inputs = StackInputs(environment, resource_data=known, types=types)
        return StackDefinition(data, language, inputs, previous=previous), types

    return Blueprint(define_group, environments, outside.files, outside.depth + 1)


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
            kind = inside.found(member.name).type
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
