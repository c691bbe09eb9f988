"""Changes seen from further up: remedies are thought of below `properties` and made in a template."""

from __future__ import annotations

from msgspec.structs import replace

from heatstudio.stack.path import Path
from heatstudio.template import AddEntry, AddItem, CannotEditError, Change, DeleteEntry, Existing, RenameKey, SetValue
from heatstudio.template.changed_data import changed_data
from heatstudio.template.rendering_plan import plan_changes


def rebased(change: Change, above: Path) -> Change:
    """The change of the same place, seen from above."""
    path = (*above, *change.path)
    match change:
        case RenameKey() | DeleteEntry():
            return replace(change, path=path)
        case SetValue() | AddEntry() | AddItem():
            return replace(change, path=path, value=_rebased_value(change.value, above))


def _rebased_value(value: object, above: Path) -> object:
    if isinstance(value, Existing):
        return Existing((*above, *value.path))
    if isinstance(value, dict):
        return {key: _rebased_value(below, above) for key, below in value.items()}
    if isinstance(value, list | tuple):
        return [_rebased_value(item, above) for item in value]
    return value


def data_after(data: object, changes: tuple[Change, ...]) -> object | None:
    """Plain data after changes of it; None if they do not fit to it."""
    try:
        # Below one more key, so that even everything may go.
        whole = {"": data}
        changed = changed_data(whole, plan_changes(whole, [rebased(change, ("",)) for change in changes]))
    except CannotEditError:
        return None
    return changed[""] if isinstance(changed, dict) else None
