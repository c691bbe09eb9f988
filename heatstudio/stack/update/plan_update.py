"""Compares two definitions of a stack the way a real update does, resource by resource in dependency order.

Sources: heat/engine/update.py and resource.py. References are followed: what is replaced has a new reference id and
new attributes for those that depend on it, which Heat's own preview does not see.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.catalog import Family
from heatstudio.catalog.update_rule import PLAIN, UpdateBehavior
from heatstudio.stack.knowledge import Knowledge
from heatstudio.stack.order import Graph, visiting_order
from heatstudio.stack.resource_definition import ResourceDefinition
from heatstudio.stack.source import Source
from heatstudio.stack.types import FoundType, Origin
from heatstudio.stack.unknown import Unknown
from heatstudio.stack.update.difference import compare
from heatstudio.stack.update.last_action import after_last_action, stands_well
from heatstudio.stack.update.member_changes import effort, with_plan, with_rolling_update
from heatstudio.stack.update.nested_stack import nested_stacks
from heatstudio.stack.update.owner import Owner
from heatstudio.stack.update.progress import Progress, Recorded
from heatstudio.stack.update.running_stack import Resources, resource_data
from heatstudio.stack.update.untouched import Untouched
from heatstudio.stack.update.update_decision import Decision, decide
from heatstudio.stack.update.update_inputs import replacing_inputs
from heatstudio.stack.update.update_notes import addition_notes, aws_notes, deletion_notes, with_renamed
from heatstudio.stack.update.update_plan import Action, Cause, ResourceChange, UpdatePlan
from heatstudio.stack.update.update_reasons import Reasons, changed_parameters, waits_for
from heatstudio.stack.update.update_side import Blueprint, DefinedStack, StackSide, blueprint
from heatstudio.stack.update.update_truth import ANY_PROPERTY, Side
from heatstudio.text import breathe

MOST_NESTED = 1_000
"""Resources of nested stacks that one plan looks at."""
TEMPLATES = (Origin.TEMPLATE, Origin.UNREAD_TEMPLATE, Origin.MISSING_TEMPLATE, Origin.BROKEN_TEMPLATE)


def plan_update(
    old: Source,
    new: Source,
    knowledge: Knowledge,
    existing: Resources | None = None,
    *,
    defined: tuple[DefinedStack | None, DefinedStack | None] = (None, None),
) -> UpdatePlan:
    """What an update from one source to the other does.

    `existing` is what is known of the resources that run; `defined` are both sides as far as they are defined already.
    """
    before, after = blueprint(old, knowledge, defined[0]), blueprint(new, knowledge, defined[1])
    return _plan(before, after, knowledge, _Allowance(MOST_NESTED), existing or {}).plan


class _Allowance(Struct):
    """How many more resources of nested stacks are looked at."""

    left: int


class _Comparison(Struct, frozen=True):
    """A plan with the sides that were compared."""

    plan: UpdatePlan
    before: StackSide
    after: StackSide

    def changed_outputs(self) -> Iterator[str]:
        """The outputs that have, or may have, another value than before."""
        old, new = self.before.definition, self.after.definition
        for name in new.output_names:
            if name in old.output_names:
                values = (side.resolved(side.definition.output_definition(name).value) for side in self._sides)
                if compare(*values) is not True:
                    yield name

    @property
    def _sides(self) -> tuple[StackSide, StackSide]:
        return self.before, self.after


def _plan(
    old: Blueprint, new: Blueprint, knowledge: Knowledge, allowance: _Allowance, existing: Resources
) -> _Comparison:
    now = resource_data(existing, *old.define(None, None)) if existing else {}
    before = StackSide(*old.define(Recorded(now), None), old)
    progress = Progress(now, existing)
    first = new.define(None, None)
    names = first[0].enabled_resource_names()
    needs = {name: first[0].required_resource_names(name) for name in names}
    after = StackSide(*new.define(progress.data, first), new)
    plan = _Planner(before, after, knowledge, progress, allowance).plan(needs)
    return _Comparison(plan, before, after)


class _Planner:
    """One comparison. `progress` collects the data of resources that come out new, for those visited later."""

    def __init__(
        self,
        before: StackSide,
        after: StackSide,
        knowledge: Knowledge,
        progress: Progress,
        allowance: _Allowance,
    ) -> None:
        self._before = before
        self._after = after
        self._knowledge = knowledge
        self._progress = progress
        self._allowance = allowance
        self._changes: dict[str, ResourceChange] = {}
        self._untouched = Untouched(before, after, knowledge.update_behaviors, progress.renewed)
        self._reasons = Reasons(before, after, self._changes, progress.renewed)

    def plan(self, needs: Graph) -> UpdatePlan:
        """`needs` are the enabled resources of the new side, and what each of them depends on."""
        old, new = self._before.definition, self._after.definition
        existing = dict.fromkeys(old.enabled_resource_names())
        for name in visiting_order(needs):
            breathe()
            self._visit(name, needs[name], name in existing)
        deleted = [self._deletion(name) for name in existing if name not in self._changes]
        changes = [self._changes[name] for name in needs] + deleted
        return UpdatePlan(tuple(with_renamed(changes, old, new)), tuple(self._refusals()))

    def _refusals(self) -> Iterator[str]:
        """heat/engine/service.py: immutable parameters are held against the new declarations."""
        parameters = self._after.definition.parameters
        changed = changed_parameters(self._before, self._after)
        immutable = [name for name in changed if (schema := parameters.schema(name)) is not None and schema.immutable]
        if immutable:
            yield f"The following parameters are immutable and may not be updated: {', '.join(immutable)}"

    def _visit(self, name: str, needs: Collection[str], exists: bool) -> None:
        change = self._compare(name, needs) if exists else self._addition(name)
        self._changes[name] = change
        if change.action is Action.UNCHANGED:
            return
        behavior = self._knowledge.update_behaviors.get(change.type, PLAIN)
        touched = {cause.property for cause in change.causes}
        moved = behavior.reference_changes
        if change.action is Action.ADDED:
            self._progress.renew(name)
        elif change.action is Action.REPLACED:
            self._progress.renew(name, same_reference=self._keeps_its_name(name, behavior, touched))
        elif change.action is Action.UPDATED and (ANY_PROPERTY in moved or touched.intersection(moved)):
            self._progress.renew(name)

    def _keeps_its_name(self, name: str, behavior: UpdateBehavior, touched: set[str]) -> bool:
        """Whether a replacement has the reference id of what it replaces, because both bear the same given name."""
        named_by = behavior.reference_named_by
        properties = self._after.definition.resource_definition(name).properties
        given = isinstance(properties, Mapping) and properties.get(named_by) is not None
        return bool(named_by) and given and not touched & {named_by, "type"}

    def _addition(self, name: str) -> ResourceChange:
        definition = self._after.definition.resource_definition(name)
        enabled = self._after.definition.is_enabled(name)
        because = self._reasons.of_enabling(name) if self._before.definition.names_resource(name) else ()
        notes = tuple(addition_notes(definition, enabled))
        certain = not isinstance(enabled, Unknown)
        return ResourceChange(name, definition.type, Action.ADDED, certain, because=because, notes=notes)

    def _deletion(self, name: str) -> ResourceChange:
        definition = self._before.definition.resource_definition(name)
        notes = tuple(deletion_notes(definition, self._before))
        because = self._reasons.of_enabling(name) if self._after.definition.names_resource(name) else ()
        return ResourceChange(name, definition.type, Action.DELETED, because=because, notes=notes)

    def _compare(self, name: str, needs: Collection[str]) -> ResourceChange:
        old = self._before.definition.resource_definition(name)
        new = self._after.definition.resource_definition(name)
        if stands_well(self._progress.existing(name)) and self._untouched.is_sure((old, new), needs):
            return ResourceChange(name, new.type, Action.UNCHANGED)
        old_type, new_type = self._before.types.find(old.type, name), self._after.types.find(new.type, name)
        if _is_other_class(old_type, new_type):
            sentence = "A resource of another type takes its place."
            cause = Cause("type", old.type, new.type, Action.REPLACED, sentence, path=("type",))
            return self._restricted(self._explained(name, new, old, Decision(Action.REPLACED, (cause,))))
        outside = self._external(name, old, new)
        if outside is not None:
            return outside
        kind = new_type.type or old_type.type
        before, after = self._before.side(old, kind), self._after.side(new, kind)
        behavior = self._knowledge.update_behaviors.get(new_type.target, PLAIN)
        decision = self._with_inputs(decide(before, after, behavior), behavior, before, after)
        existing = self._progress.existing(name)
        change = self._explained(name, new, old, after_last_action(decision, existing, after.type, behavior))
        if change.action is Action.UPDATED:
            change = replace(change, notes=(*change.notes, *effort(change, before, after)))
        if change.action in (Action.UPDATED, Action.REPLACED):
            change = replace(change, notes=(*change.notes, *aws_notes(behavior, change.causes)))
        if change.action is Action.UPDATED and (behavior.members or Family.TEMPLATE in after.type.families):
            owners = (
                Owner(self._before, old, old_type, before, lambda _name: (), self._progress.members(name)),
                Owner(self._after, new, new_type, after, lambda other: tuple(self._reasons.of_resource(other))),
            )
            change = self._with_members(change, owners, behavior)
        if change.action is Action.UPDATED and behavior.rolling is not None:
            change = with_rolling_update(change, behavior, after)
        return self._restricted(change)

    def _with_inputs(self, decision: Decision, behavior: UpdateBehavior, before: Side, after: Side) -> Decision:
        rule = behavior.replaced_by_inputs
        if rule is None or decision.action is not Action.UPDATED:
            return decision
        found = list(replacing_inputs(rule, (self._before, before), (self._after, after)))
        if not found:
            return decision
        causes = (*(cause for cause, _ in found), *decision.causes)
        return replace(decision, action=Action.REPLACED, causes=causes, certain=any(sure for _, sure in found))

    def _external(self, name: str, old: ResourceDefinition, new: ResourceDefinition) -> ResourceChange | None:
        """heat/engine/resource.py: an external id must stay, and what has one is left alone."""
        before, after = self._before.resolved(old.external_id), self._after.resolved(new.external_id)
        if before is None and after is None:
            return None
        if compare(before, after) is True:
            note = "It has an external id: Heat does not touch it."
            return ResourceChange(name, new.type, Action.UNCHANGED, notes=(note,))
        sentence = "The external id of a resource cannot be changed."
        word = self._after.definition.language.dialect.external_id
        cause = Cause(word, before, after, Action.NOT_SUPPORTED, sentence, path=(word,))
        certain = compare(before, after) is False
        return self._explained(name, new, old, Decision(Action.NOT_SUPPORTED, (cause,), certain))

    def _restricted(self, change: ResourceChange) -> ResourceChange:
        restricted = self._after.definition.environment.restricted_actions(change.name)
        word = {Action.UPDATED: "update", Action.REPLACED: "replace"}.get(change.action)
        if word is None or word not in restricted:
            return change
        note = f"The environment restricts `{word}` for this resource: the stack update will fail."
        return replace(change, action=Action.NOT_SUPPORTED, notes=(note, *change.notes))

    def _explained(
        self, name: str, new: ResourceDefinition, old: ResourceDefinition, decision: Decision
    ) -> ResourceChange:
        causes = []
        for cause in decision.causes:
            because, secret = self._reasons.of_cause(cause, old, new)
            causes.append(replace(cause, because=because, secret=secret))
        because = tuple(dict.fromkeys(reason for cause in causes for reason in cause.because))
        notes = decision.notes
        if not decision.certain:
            values = tuple(value for cause in causes for value in (cause.before, cause.after))
            notes = (*notes, f"Not certain: it depends on {waits_for(values, decision.doubts)}.")
        return ResourceChange(name, new.type, decision.action, decision.certain, tuple(causes), because, notes)

    def _with_members(
        self, change: ResourceChange, owners: tuple[Owner, Owner], behavior: UpdateBehavior
    ) -> ResourceChange:
        """The change of the owner of a nested stack, with what happens inside."""
        nested = nested_stacks(*owners, behavior.members, self._knowledge)
        if nested is None:
            return change
        size = len(nested.after.define(None, None)[0].all_resource_names)
        if size > self._allowance.left:
            return replace(change, notes=(*change.notes, "What happens inside is not shown: it is too much."))
        self._allowance.left -= size
        members = self._progress.members(change.name)
        inside = _plan(nested.before, nested.after, self._knowledge, self._allowance, members)
        outputs = tuple(inside.changed_outputs())
        if outputs:
            self._progress.renew_attributes(change.name, outputs)
        return with_plan(change, inside.plan, nested, outputs)


def _is_other_class(old: FoundType, new: FoundType) -> bool:
    if old.origin in TEMPLATES and new.origin in TEMPLATES:
        return False
    if old.type is None or new.type is None:
        return old.target != new.target
    if old.type.support_status.substitute == new.type.name:
        return False
    return old.type.class_name != new.type.class_name
