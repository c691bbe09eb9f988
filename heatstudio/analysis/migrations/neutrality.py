"""The proof that a migration is safe: an update from the old to the new text changes no value."""

from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.update.plan_update import plan_update
from heatstudio.update.update_plan import Action, ResourceChange

_WITHOUT_EFFECT = (("properties",), ("type",))
"""The paths of causes that change only the notation of values."""


def is_neutral(before: Source, after: Source, knowledge: Knowledge) -> bool:
    """Return whether a stack update from one source to the other changes no value of any resource."""
    return not disturbances(before, after, knowledge)


def disturbances(before: Source, after: Source, knowledge: Knowledge) -> tuple[ResourceChange, ...]:
    """Return the changes of a stack update that change values because of the differences between two sources."""
    disturbed = [change for change in plan_update(before, after, knowledge).changes if not _is_neutral(change)]
    if not disturbed:
        return ()
    # Some types are replaced by every update: ignore the changes of an update without differences.
    anyway = {change.name: change.action for change in plan_update(before, before, knowledge).changes}
    return tuple(change for change in disturbed if change.causes or anyway.get(change.name) is not change.action)


def _is_neutral(change: ResourceChange) -> bool:
    if change.action is Action.UNCHANGED:
        return True
    return change.action is Action.UPDATED and all(cause.path in _WITHOUT_EFFECT for cause in change.causes)
