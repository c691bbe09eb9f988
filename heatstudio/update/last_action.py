"""The effect of the last action on an update: resources that failed or were never created are replaced."""

from msgspec.structs import replace

from heatstudio.catalog import Family, ResourceType
from heatstudio.catalog.rules.update_rule import UpdateBehavior
from heatstudio.stack.resource_proxy import NodeData
from heatstudio.update.update_decision import Decision
from heatstudio.update.update_plan import Action

LOOKS_ITSELF = "needs_replace_failed"
_NOTHING_THERE = (("INIT", "COMPLETE"), ("DELETE", "COMPLETE"))


def stands_well(data: NodeData) -> bool:
    """Whether the last action leaves it to the definitions what an update does."""
    return data.status != "FAILED" and (data.action, data.status) not in _NOTHING_THERE


def after_last_action(decision: Decision, data: NodeData, kind: ResourceType, behavior: UpdateBehavior) -> Decision:
    """The decision of a resource that exists, with what its state adds.

    heat/engine/resource.py, _needs_update; stack_resource.py leaves it to the members.
    """
    if stands_well(data) or {Family.STACK, Family.TEMPLATE, Family.NO_OP} & kind.families:
        return decision
    state = f"{data.action}_{data.status}"
    if (data.action, data.status) in _NOTHING_THERE:
        return Decision(Action.REPLACED, notes=(f"Its state is {state}: Heat always replaces it.",))
    failed_check = data.action == "CHECK" and not behavior.survives_failed_check
    if failed_check or LOOKS_ITSELF not in kind.overrides:
        return Decision(Action.REPLACED, notes=(f"Its last action failed ({state}): Heat replaces it.",))
    if decision.action in (Action.REPLACED, Action.NOT_SUPPORTED):
        return decision
    note = f"Its last action failed ({state}): Heat checks the physical resource."
    doubts = (*decision.doubts, "whether the physical resource is healthy")
    return replace(decision, action=Action.REPLACED, certain=False, notes=(*decision.notes, note), doubts=doubts)
