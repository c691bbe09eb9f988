"""The effect of the last actions on an update: Heat replaces failed resources, and may not have reached others."""

from msgspec.structs import replace

from heatstudio.catalog import Family, ResourceType
from heatstudio.catalog.rules.update_rule import UpdateBehavior
from heatstudio.stack.resource_proxy import NodeData
from heatstudio.update.decision.update_decision import Decision
from heatstudio.update.plan.update_plan import ORDER, Action, ResourceChange
from heatstudio.update.running_stack import RunningResource

CHECKS_FAILED = "needs_replace_failed"
NEVER_MADE = "It was never created: its state is {}."
STILL_RUNS = "It still runs, although the stack's template does not contain it."
MAY_BE_OLDER = "The stack's last operation did not complete, so this resource may still have an earlier definition."


def is_intact(data: NodeData) -> bool:
    """Return whether the existing resource has not failed; then only the definitions decide on the update."""
    return data.status != "FAILED"


def after_last_action(decision: Decision, data: NodeData, kind: ResourceType, behavior: UpdateBehavior) -> Decision:
    """Return the decision with the effect of the state of the existing resource.

    heat/engine/resource.py, _needs_update; stack_resource.py leaves the decision to the members of the nested stack.
    """
    if is_intact(data) or {Family.STACK, Family.TEMPLATE, Family.NO_OP} & kind.families:
        return decision
    state = f"{data.action}_{data.status}"
    failed_check = data.action == "CHECK" and not behavior.survives_failed_check
    if failed_check or CHECKS_FAILED not in kind.overrides:
        return Decision(Action.REPLACED, notes=(f"Its last action failed ({state}): Heat replaces the resource.",))
    if decision.action in (Action.REPLACED, Action.NOT_SUPPORTED):
        return decision
    note = f"Its last action failed ({state}): Heat checks the physical resource."
    doubts = (*decision.doubts, "whether the physical resource is healthy")
    return replace(decision, action=Action.REPLACED, certain=False, notes=(*decision.notes, note), doubts=doubts)


def of_older_definition(
    change: ResourceChange, running: RunningResource, kind: ResourceType | None, behavior: UpdateBehavior
) -> ResourceChange:
    """Return the change of a running resource whose present definition is unknown: its worst outcome is possible."""
    is_same_type = running.type in ("", change.type)
    if is_same_type and kind is not None and Family.NO_OP in kind.families:
        return change
    stays = is_same_type and kind is not None and all(one.update_allowed for one in kind.properties.values())
    inputs = (
        behavior.replaced_by_inputs,
        behavior.replaced_by_keys,
        *(rule for rule in behavior.rules if rule.replaces),
    )
    worst = Action.UPDATED if stays and not any(inputs) else Action.REPLACED
    action = min(change.action, worst, key=ORDER.index)
    return replace(change, action=action, certain=False, notes=(MAY_BE_OLDER, *change.notes))
