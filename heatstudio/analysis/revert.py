"""Takes back what an update would do: a resource, or one part of it, is written again as it was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from heatstudio.analysis.change_place import path_of_part
from heatstudio.stack.groups.group_places import at
from heatstudio.stack.path import Path
from heatstudio.stack.update.update_plan import Cause, ResourceChange
from heatstudio.template import AddEntry, Change, DeleteEntry, Remedy, SetValue, Template, render_fix
from heatstudio.text import Applicability, Fix

Changes = tuple[Change, ...]
_PARAMETER_FUNCTIONS = ("get_param", "Ref")


def revert_change(old: Template, new: Template, change: ResourceChange, cause: Cause | None) -> Fix | None:
    """The edit of the new text; None where the old text says no more than the new one."""
    found = _whole(old, new, change.name) if cause is None else _part(old, new, change.name, cause)
    if found is None:
        return None
    what = f"`{change.name}`" if cause is None else f"`{cause.property}` of `{change.name}`"
    return render_fix(new, Remedy(f"Revert {what}", found, Applicability.UNSAFE))


def _whole(old: Template, new: Template, name: str) -> Changes | None:
    before, after = _resources(old), _resources(new)
    section = new.dialect.resources
    if name not in before:
        return (DeleteEntry((section, name)),) if name in after else None
    if name not in after:
        return (AddEntry((section,), name, before[name]),)
    return _again(old, new, (section, name), before[name], after[name])


def _part(old: Template, new: Template, name: str, cause: Cause) -> Changes | None:
    if name not in _resources(old) or name not in _resources(new):
        return None
    if not cause.path:
        return None
    old_path, new_path = (path_of_part(side.dialect, name, cause.path) for side in (old, new))
    before, after = _mapping(old, old_path[:-1]), _mapping(new, new_path[:-1])
    key = str(new_path[-1])
    was, is_now = old_path[-1] in before, key in after
    if was and is_now:
        return _again(old, new, new_path, before[old_path[-1]], after[key])
    gone = [(other, value) for other, value in before.items() if other not in after and _gives(value, cause.before)]
    come = [other for other, value in after.items() if other not in before and _gives(value, cause.after)]
    if was:
        come, gone = [other for other in come if cause.after is not None], [(old_path[-1], before[old_path[-1]])]
    elif is_now:
        come, gone = [key], [pair for pair in gone if cause.before is not None]
    above = new_path[:-1]
    if not gone and not come:
        # It goes by another name on both sides.
        pairs = [(other, value, after[other]) for other, value in before.items() if other in after]
        other_names = [(other, was) for other, was, now in pairs if was != now and _gives(was, cause.before)]
        return tuple(SetValue((*above, str(other)), was) for other, was in other_names) or None
    added = (AddEntry(above, str(other), value) for other, value in gone)
    return (*added, *(DeleteEntry((*above, str(other)), prune=not gone and len(above) > 2) for other in come))


def _gives(written: object, value: object) -> bool:
    """Whether a property that is written so may have a value: by another name, or by a function."""
    return written == value or isinstance(written, Mapping)


def _again(old: Template, new: Template, path: Path, before: object, after: object) -> Changes | None:
    """The value as it was written; where it is written alike, the parameters that it takes its value from."""
    if before != after:
        return (SetValue(path, before),)
    section = new.dialect.parameters
    declared, was = _mapping(new, (section,)), _mapping(old, (old.dialect.parameters,))
    names = dict.fromkeys(name for name in _parameters_in(after) if name in was and name in declared)
    changed = [name for name in names if was[name] != declared[name]]
    return tuple(SetValue((section, name), was[name]) for name in changed) or None


def _parameters_in(value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, argument in value.items():
            first = argument[0] if isinstance(argument, list) and argument else argument
            if key in _PARAMETER_FUNCTIONS and isinstance(first, str):
                yield first
            yield from _parameters_in(argument)
    elif isinstance(value, list):
        for item in value:
            yield from _parameters_in(item)


def _resources(template: Template) -> Mapping[object, object]:
    return _mapping(template, (template.dialect.resources,))


def _mapping(template: Template, path: Path) -> Mapping[object, object]:
    found = at(template.data, path)
    return found if isinstance(found, Mapping) else {}
