"""The effect of a resource's last action on its update: Heat replaces resources that failed or were never created."""

from msgspec.structs import replace

from heatstudio.catalog import Family, ResourceType
from heatstudio.catalog.rules.update_rule import UpdateBehavior
from heatstudio.stack.resource_proxy import NodeData
from heatstudio.update.update_decision import Decision
from heatstudio.update.update_plan import Action

CHECKS_FAILED = "needs_replace_failed"
_ABSENT = (("INIT", "COMPLETE"), ("DELETE", "COMPLETE"))


def is_intact(data: NodeData) -> bool:
    """Return whether the resource exists and has not failed; then only the definitions decide on the update."""
    return data.status != "FAILED" and (data.action, data.status) not in _ABSENT


def after_last_action(decision: Decision, data: NodeData, kind: ResourceType, behavior: UpdateBehavior) -> Decision:
    """Return the decision with the effect of the state of the existing resource.

    heat/engine/resource.py, _needs_update; stack_resource.py leaves the decision to the members of the nested stack.
    """
    if is_intact(data) or {Family.STACK, Family.TEMPLATE, Family.NO_OP} & kind.families:
        return decision
    state = f"{data.action}_{data.status}"
    if (data.action, data.status) in _ABSENT:
        return Decision(Action.REPLACED, notes=(f"Its state is {state}: Heat always replaces the resource.",))
    failed_check = data.action == "CHECK" and not behavior.survives_failed_check
    if failed_check or CHECKS_FAILED not in kind.overrides:
        return Decision(Action.REPLACED, notes=(f"Its last action failed ({state}): Heat replaces the resource.",))
    if decision.action in (Action.REPLACED, Action.NOT_SUPPORTED):
        return decision
    note = f"Its last action failed ({state}): Heat checks the physical resource."
    doubts = (*decision.doubts, "whether the physical resource is healthy")
    return replace(decision, action=Action.REPLACED, certain=False, notes=(*decision.notes, note), doubts=doubts)
