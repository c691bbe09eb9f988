"""Compare two definitions of a stack as a real update does: resource by resource in dependency order.

Sources: heat/engine/update.py and resource.py. A replaced resource has a new reference ID and new attributes, which
the comparison passes on to the resources that depend on it; Heat's own preview misses these changes.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.catalog.rules.translation_rule import TranslationRule
from heatstudio.catalog.rules.update_rule import UpdateBehavior
from heatstudio.catalog.schema import Family
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.stack.definition.types import FoundType, Origin, unread_template_type
from heatstudio.stack.functions.budget import shared_budget
from heatstudio.stack.functions.examine import attribute_reads
from heatstudio.stack.inputs.parameter_schema import ParameterType
from heatstudio.stack.order import Graph, visiting_order
from heatstudio.stack.resource_definition import ResourceDefinition
from heatstudio.stack.resource_proxy import no_data
from heatstudio.stack.unknown import Unknown
from heatstudio.text import checkpoint
from heatstudio.update.decision import update_decision, update_notes
from heatstudio.update.decision.unchanged_inputs import UnchangedInputs
from heatstudio.update.decision.update_reasons import Reasons, waits_for
from heatstudio.update.difference import compare
from heatstudio.update.members import nested_stack, numbered_members
from heatstudio.update.members.quota_demand import QuotaDemands
from heatstudio.update.plan.demand import Demand
from heatstudio.update.plan.update_plan import Action, Cause, Refusal, ResourceChange, UpdatePlan
from heatstudio.update.running_stack import Resources, resource_data
from heatstudio.update.sides.attribute_values import NestedContent, NestedStackView, UpdateProgress
from heatstudio.update.sides.update_side import ANY_PROPERTY, Blueprint, Owner, Side, StackSide, blueprint

MOST_NESTED = 1_000
"""Maximum number of resources of nested stacks compared per plan."""
REFERENCE_OUTPUT = "OS::stack_id"
"""The output that gives a template resource its reference ID (template_resource.py)."""
_FORMS = {
    ParameterType.STRING: "a string",
    ParameterType.NUMBER: "a number",
    ParameterType.BOOLEAN: "`true` or `false`",
    ParameterType.LIST: "a list of strings",
    ParameterType.MAP: "a map or list",
}
"""Descriptions of the values that Heat does not convert, by the type of the parameter."""
UNKNOWN_INSIDE = "Changes in the nested stack are not known: any resource in it may be updated, replaced or deleted."
TOO_LARGE = "Not compared: the nested stacks have too many resources."
TEMPLATES = (Origin.TEMPLATE, Origin.UNREAD_TEMPLATE, Origin.MISSING_TEMPLATE, Origin.BROKEN_TEMPLATE)


@shared_budget()
def plan_update(old: Source, new: Source, knowledge: Knowledge, existing: Resources | None = None) -> UpdatePlan:
    """Return the plan of an update from the old to the new source; `existing` has the known running resources."""
    before, after = blueprint(old, knowledge), blueprint(new, knowledge)
    allowance = _Allowance(MOST_NESTED, QuotaDemands(MOST_NESTED))
    return _plan(before, after, allowance, existing or {}).plan


class _Allowance(Struct):
    """What is left for the nested stacks of a plan."""

    left: int
    """The number of resources that it may compare."""
    quota: QuotaDemands


class _ComparedStacks(Struct, frozen=True):
    """A plan with the compared sides."""

    plan: UpdatePlan
    before: StackSide
    after: StackSide

    def changed_outputs(self) -> Iterator[str]:
        """Yield the outputs that change or may change, and the owner's reference ID if only one side defines it."""
        old, new = self.before.definition.output_names, self.after.definition.output_names
        for name in dict.fromkeys((*new, *old)):
            if name in old and name in new:
                sides = (self.before, self.after)
                values = (side.resolved(side.definition.output_definition(name).value) for side in sides)
                if compare(*values) is not True:
                    yield name
            elif name == REFERENCE_OUTPUT:
                yield name


def _plan(
    old: Blueprint,
    new: Blueprint,
    allowance: _Allowance,
    existing: Resources,
    *,
    group: numbered_members.NumberedMembers | None = None,
) -> _ComparedStacks:
    first = new.define(no_data, None)
    names = first[0].enabled_resource_names
    needs = {name: first[0].required_resource_names(name) for name in names}
    now = resource_data(existing, *old.define(no_data, first)) if existing else {}
    progress = UpdateProgress(now, existing)
    before = StackSide(*old.define(progress.before, first), old)
    after = StackSide(*new.define(progress.after, first), new)
    progress.connect(before, after)
    plan = _Planner(before, after, progress, allowance).plan(needs, group)
    return _ComparedStacks(plan, before, after)


class _Planner:
    """The comparison of two stacks; `progress` collects the data of changed resources for their dependents."""

    def __init__(self, before: StackSide, after: StackSide, progress: UpdateProgress, allowance: _Allowance) -> None:
        self._before = before
        self._after = after
        self._progress = progress
        self._allowance = allowance
        self._changes: dict[str, ResourceChange] = {}
        self._untouched = UnchangedInputs(before, after, progress.renewed)
        self._reasons = Reasons(before, after, self._changes, progress.renewed)
        self._lost_reads = update_notes.LostReads(before.definition, after.definition)
        self._member_names: dict[str, numbered_members.MemberNames | None] = {}

    def plan(self, needs: Graph, group: numbered_members.NumberedMembers | None) -> UpdatePlan:
        """Return the plan; `needs` maps each enabled resource of the new side to its dependencies.

        The members of a `group` have no names of their own, so that none of them is renamed.
        """
        old, new, running = self._before.definition, self._after.definition, self._progress.running
        existing = {name: name not in running or running[name].exists for name in old.enabled_resource_names}
        for name in visiting_order(needs):
            checkpoint()
            self._visit(name, needs[name], existing.get(name, False))
        deleted = [self._deletion(name) for name, exists in existing.items() if exists and name not in self._changes]
        left = (one for name, one in running.items() if one.exists and name not in (*existing, *self._changes))
        deleted += [
            ResourceChange(one.name, one.type, Action.DELETED, notes=(update_decision.STILL_RUNS,)) for one in left
        ]
        changes = [self._changes[name] for name in needs] + deleted
        changes = list(
            update_notes.with_renamed(changes, old, new)
            if group is None
            else nested_stack.with_doubts(changes, group.doubtful)
        )
        collided = update_notes.collisions(changes, self._before, self._after)
        found = (self._with_further_effects(change, collided.get(change.name, ())) for change in changes)
        return UpdatePlan(tuple(map(self._with_quota, found)), tuple(self._refusals()))

    def _with_further_effects(self, change: ResourceChange, collided: Collection[str]) -> ResourceChange:
        """Return the change with why it may fail, what a replacement keeps, and the hooks at which Heat waits."""
        kept: Iterable[str] = ()
        if change.action is Action.REPLACED and self._before.definition.names_resource(change.name):
            kept = update_notes.deletion_notes(self._before.definition.resource_definition(change.name), self._before)
        notes, hooks = (*collided, *kept), self._hooks(change)
        if not notes and not hooks:
            return change
        return replace(change, notes=(*change.notes, *notes), may_fail=bool(collided), hooks=hooks)

    def _with_quota(self, change: ResourceChange) -> ResourceChange:
        """Return the change with what it takes of the quota and gives back."""
        name, action, quota = change.name, change.action, self._allowance.quota
        running, _ = self._progress.inside(name)
        takes: Demand = ()
        gives: Demand = ()
        if action in (Action.ADDED, Action.REPLACED):
            takes = quota.created(self._after, name)
        if action in (Action.DELETED, Action.REPLACED):
            gives = quota.freed(self._before, name, running)
        if action is Action.UPDATED:
            takes = quota.own(self._after, name, running, is_content_known=change.members_known)
            gives = quota.own(self._before, name) if self._before.definition.names_resource(name) else ()
        return replace(change, takes=takes, gives=gives) if takes or gives else change

    def _hooks(self, change: ResourceChange) -> tuple[str, ...]:
        """Return the hooks at which Heat waits or may wait, the first before it compares anything.

        heat/engine/resource.py, update. The hooks of creating and deleting belong to those of a whole stack.
        """
        after, hooks = self._after, self._after.definition.environment.registry.hooks(change.name)
        if not hooks or change.action in (Action.ADDED, Action.DELETED):
            return ()
        if after.resolved(after.definition.resource_definition(change.name).external_id) is not None:
            return ()
        is_updated = change.action is Action.UPDATED or not change.certain
        return tuple(hook for hook in ("pre-update", "post-update")[: 1 + is_updated] if hook in hooks)

    def _refusals(self) -> Iterator[Refusal]:
        """Yield the changes of immutable parameters: Heat compares the converted old value with the submitted one.

        heat/engine/parameters.py, immutable_params_modified.
        """
        parameters, old_names = self._after.definition.parameters, set(self._before.definition.parameters.names)
        for name in parameters.names:
            schema, old = parameters.schema(name), self._before.parameter(name) if name in old_names else None
            if schema is None or not schema.immutable or compare(old, parameters.submitted(name)) is not False:
                continue
            if compare(old, self._after.parameter(name)) is True:
                form = _FORMS[schema.type]
                yield Refusal(f"Parameter `{name}` is immutable. Heat sees a change unless its value is {form}.")
            else:
                yield Refusal(f"Parameter `{name}` is immutable and cannot be changed.")

    def _visit(self, name: str, needs: Collection[str], exists: bool) -> None:
        change = self._present(name, needs, exists)
        if any(need in self._member_names for need in needs):
            change = self._with_absent_member(change)
        if exists and change.action not in (Action.UNCHANGED, Action.ADDED):
            change = self._lost_reads.with_lost_read(change, needs)
        self._changes[name] = change
        if change.action is Action.UNCHANGED:
            return
        found, behavior = self._after.found(name), self._after.behavior(name)
        if behavior.members is not None and found.type is not None and name not in self._member_names:
            properties = self._after.properties(self._after.definition.resource_definition(name), found.type)
            self._member_names[name] = numbered_members.created_names(properties, behavior.members)
        if change.action in (Action.ADDED, Action.REPLACED):
            keeps = change.action is Action.REPLACED and self._keeps_reference(name, behavior, change)
            self._progress.renew(change, reference=False if keeps else change.certain or None)
        elif change.action is Action.UPDATED or not change.certain:
            self._progress.renew(change, reference=self._has_new_reference(behavior, change))

    def _present(self, name: str, needs: Collection[str], exists: bool) -> ResourceChange:
        """Return the change of a resource of the new side, which `exists` on the old side or not."""
        running = self._progress.running.get(name)
        if exists:
            change = self._compare(name, needs)
        elif running is None or not running.exists:
            return self._addition(name)
        else:
            change = ResourceChange(name, self._after.definition.resource_definition(name).type, Action.UNCHANGED)
        is_replaced = change.action is Action.REPLACED and running is not None and running.status == "FAILED"
        if running is None or (exists and running.is_current) or is_replaced:
            return change
        found, behavior = self._after.found(name), self._after.behavior(name)
        return update_decision.of_older_definition(change, running, found.type, behavior)

    def _has_new_reference(self, behavior: UpdateBehavior, change: ResourceChange) -> bool | None:
        """Return whether an update in place changes the reference ID of a resource; None if it may."""
        moved = behavior.reference_changes
        touched = {cause.property for cause in change.causes if cause.path[:1] == ("properties",)}
        if touched.intersection(moved):
            return change.certain or None
        if touched and ANY_PROPERTY in moved:
            return None  # Heat uses the ID that the service returns, which may be the old ID
        is_template = self._after.found(change.name).origin in TEMPLATES
        return None if is_template and REFERENCE_OUTPUT in change.outputs else False

    def _keeps_reference(self, name: str, behavior: UpdateBehavior, change: ResourceChange) -> bool:
        """Return whether a replacement keeps the old reference ID, for example because the given name stays."""
        named_by, touched = behavior.reference_named_by, {cause.property for cause in change.causes}
        if "type" in touched or not (named_by or behavior.reference_stays):
            return False
        properties = self._after.definition.resource_definition(name).properties
        given = isinstance(properties, Mapping) and properties.get(named_by) is not None
        return behavior.reference_stays or (given and named_by not in touched)

    def _addition(self, name: str) -> ResourceChange:
        definition = self._after.definition.resource_definition(name)
        enabled = self._after.definition.is_enabled(name)
        running = self._progress.running.get(name)
        was_named = running is None and self._before.definition.names_resource(name)
        because = self._reasons.of_enabling(name) if was_named else ()
        notes = tuple(update_notes.addition_notes(definition, self._after, enabled))
        if running is not None:
            notes = (update_decision.NEVER_MADE.format(f"{running.action}_{running.status}"), *notes)
        certain = not isinstance(enabled, Unknown)
        return ResourceChange(name, definition.type, Action.ADDED, certain, because=because, notes=notes)

    def _deletion(self, name: str) -> ResourceChange:
        definition = self._before.definition.resource_definition(name)
        notes = tuple(update_notes.deletion_notes(definition, self._before))
        because = self._reasons.of_enabling(name) if self._after.definition.names_resource(name) else ()
        return ResourceChange(name, definition.type, Action.DELETED, because=because, notes=notes)

    def _compare(self, name: str, needs: Collection[str]) -> ResourceChange:
        old = self._before.definition.resource_definition(name)
        new = self._after.definition.resource_definition(name)
        if update_decision.is_intact(self._progress.before(name)) and self._untouched.is_sure((old, new), needs):
            return ResourceChange(new.name, new.type, Action.UNCHANGED)
        old_type, new_type = self._before.found(name), self._after.found(name)
        if _is_other_class(old_type, new_type):
            sentence = "A resource of another type replaces this one."
            cause = Cause("type", old.type, new.type, Action.REPLACED, sentence, path=("type",))
            return self._restricted(self._explained(new, old, update_decision.Decision(Action.REPLACED, (cause,))))
        outside = self._external(old, new)
        if outside is not None:
            return outside
        kind = new_type.type or old_type.type
        if kind is None and new_type.origin in TEMPLATES:
            written = [one.properties for one in (old, new) if isinstance(one.properties, Mapping)]
            kind = unread_template_type(new_type.target, dict.fromkeys(name for one in written for name in one))
        before, after = self._before.side(old, kind), self._after.side(new, kind)
        behavior = self._after.behavior(name)
        decision = self._with_inputs(update_decision.decide(before, after, behavior), behavior, before, after)
        if kind is None and new_type.origin is Origin.PLUGIN:
            decision = update_decision.of_unknown_type(decision)
        existing = self._progress.before(name)
        decision = update_decision.after_last_action(decision, existing, after.type, behavior)
        change = self._explained(new, old, decision, after.type.translation_rules)
        if change.action is Action.UPDATED:
            change = replace(change, notes=(*change.notes, *nested_stack.no_effect_notes(change, before, after)))
        if change.action in (Action.UPDATED, Action.REPLACED):
            change = replace(change, notes=(*change.notes, *update_notes.aws_notes(behavior, change.causes)))
        is_owner = behavior.members or {Family.STACK, Family.TEMPLATE} & after.type.families
        if change.action is Action.UPDATED and is_owner:
            owners = (
                Owner(self._before, old, old_type, before, lambda _name: (), *self._progress.inside(name)),
                Owner(self._after, new, new_type, after, lambda other: tuple(self._reasons.of_resource(other))),
            )
            change = self._with_members(change, owners)
        if change.action is Action.UPDATED and behavior.rolling is not None:
            change = numbered_members.with_rolling_update(change, behavior, after)
        return self._restricted(change)

    def _with_absent_member(self, change: ResourceChange) -> ResourceChange:
        """Return the change, with the action "not supported" if the resource reads an absent member of a group."""
        stack = self._after.definition
        definition = stack.resource_definition(change.name)
        for _, group, key in attribute_reads([definition.properties, definition.metadata], stack):
            member = numbered_members.absent_member(key, self._member_names.get(group))
            if member is not None:
                note = f"After the update, `{group}` has no member `{member}`; reading it fails."
                certain = stack.is_enabled(change.name) is True
                return replace(change, action=Action.NOT_SUPPORTED, certain=certain, notes=(note,))
        return change

    def _with_inputs(
        self, decision: update_decision.Decision, behavior: UpdateBehavior, before: Side, after: Side
    ) -> update_decision.Decision:
        rule = behavior.replaced_by_inputs
        if rule is None or decision.action is not Action.UPDATED:
            return decision
        found = list(update_decision.replacing_inputs(rule, (self._before, before), (self._after, after)))
        if not found:
            return decision
        causes = (*(cause for cause, _ in found), *decision.causes)
        return replace(decision, action=Action.REPLACED, causes=causes, certain=any(sure for _, sure in found))

    def _external(self, old: ResourceDefinition, new: ResourceDefinition) -> ResourceChange | None:
        """Return the change of a resource with an external ID, which must stay the same (heat/engine/resource.py)."""
        before, after = self._before.resolved(old.external_id), self._after.resolved(new.external_id)
        if before is None and after is None:
            return None
        if compare(before, after) is True:
            note = "The resource has an external ID: Heat does not change the physical resource."
            return ResourceChange(new.name, new.type, Action.UNCHANGED, notes=(note,))
        sentence = "The external ID of a resource cannot be changed."
        word = self._after.definition.language.dialect.external_id
        cause = Cause(word, before, after, Action.NOT_SUPPORTED, sentence, path=(word,))
        certain = compare(before, after) is False
        return self._explained(new, old, update_decision.Decision(Action.NOT_SUPPORTED, (cause,), certain))

    def _restricted(self, change: ResourceChange) -> ResourceChange:
        restricted = self._after.definition.environment.registry.restricted_actions(change.name)
        word = {Action.UPDATED: "update", Action.REPLACED: "replace"}.get(change.action)
        if word is None or word not in restricted:
            return change
        note = f"The environment restricts `{word}` for this resource; the stack update fails."
        return replace(change, action=Action.NOT_SUPPORTED, notes=(note, *change.notes))

    def _explained(
        self,
        new: ResourceDefinition,
        old: ResourceDefinition,
        decision: update_decision.Decision,
        rules: Iterable[TranslationRule] = (),
    ) -> ResourceChange:
        causes = []
        for cause in decision.causes:
            because, secret = self._reasons.of_cause(cause, old, new, rules)
            causes.append(replace(cause, because=because, secret=secret))
        because = tuple(dict.fromkeys(reason for cause in causes for reason in cause.because))
        notes = decision.notes
        if not decision.certain:
            values = tuple(value for cause in causes for value in (cause.before, cause.after))
            notes = (*notes, f"Uncertain: depends on {waits_for(values, decision.doubts)}.")
        return ResourceChange(new.name, new.type, decision.action, decision.certain, tuple(causes), because, notes)

    def _with_members(self, change: ResourceChange, owners: tuple[Owner, Owner]) -> ResourceChange:
        """Return the change of the owner of a nested stack, including the changes of the members."""
        nested, rule = nested_stack.nested_stacks(*owners), owners[1].behavior.members
        if rule is not None and rule.count:
            self._member_names[change.name] = nested.numbered.names if nested is not None else None
        size = len(nested.after.define(no_data, None)[0].all_resource_names) if nested is not None else 0
        if nested is None or size > self._allowance.left:
            touched = any(cause.path[:1] == ("properties",) and len(cause.path) > 1 for cause in change.causes)
            sample = nested_stack.sample_member(*owners) if nested is None else None
            changes = (
                touched
                or not nested_stack.reads_the_same(*owners)
                or (sample is not None and self._has_changes(sample))
            )
            self._progress.own(change.name, NestedContent(changes=changes))
            if changes:
                return replace(change, notes=(*change.notes, UNKNOWN_INSIDE if nested is None else TOO_LARGE))
            file = nested_stack.unread_file(owners[1])
            unless = f", unless `{file}` has changed, which was not read" if file else ""
            notes = (*change.notes, f"{nested_stack.UNCHANGED_INSIDE}{unless}.")
            return replace(change, certain=not file, notes=notes, members_known=True)
        self._allowance.left -= size
        members = nested_stack.running_members(owners[0], nested, rule)
        is_group = rule is not None and not rule.template
        inside = self._inside(nested, members, is_group=is_group)
        if nested.numbered.grows_meanwhile:
            renews = nested_stack.renewals(inside.plan.changes, owners[0], inside.after)
            nested = nested_stack.nested_stacks(*owners, renews) or nested
            inside = self._inside(nested, members, is_group=is_group)
        change = nested_stack.with_plan(change, inside.plan, nested, tuple(inside.changed_outputs()))
        before, after = (
            NestedStackView(change.name, side, rule, nested.numbered.is_complete)
            for side in (inside.before, inside.after)
        )
        known = nested_stack.keeps_order(change.members, rule)
        changes = bool(change.outputs) or any(member.has_effect for member in change.members)
        self._progress.own(change.name, NestedContent(before, after if known or not changes else None, changes))
        return change

    def _has_changes(self, nested: nested_stack.NestedStacks) -> bool:
        """Return whether the update changes any member."""
        return any(member.has_effect for member in self._inside(nested, {}, is_group=True).plan.changes)

    def _inside(self, nested: nested_stack.NestedStacks, members: Resources, *, is_group: bool) -> _ComparedStacks:
        group = nested.numbered if is_group else None
        return _plan(nested.before, nested.after, self._allowance, members, group=group)


def _is_other_class(old: FoundType, new: FoundType) -> bool:
    if old.origin in TEMPLATES and new.origin in TEMPLATES:
        return False
    if old.type is None or new.type is None:
        return old.target != new.target
    if old.type.support_status.substitute == new.type.name:
        return False
    return old.type.class_name != new.type.class_name
