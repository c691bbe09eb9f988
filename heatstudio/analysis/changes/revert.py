"""Revert one change of an update: restore the old text of a resource, or of one part."""

from collections.abc import Iterator, Mapping
from itertools import zip_longest

from heatstudio.analysis.changes.change_place import path_of_part
from heatstudio.analysis.scope.calls import GET_PARAM, REF, calls
from heatstudio.analysis.scope.semantic_model import map_at
from heatstudio.stack.path import dotted
from heatstudio.template import AddEntry, CannotEditError, DeleteEntry, SetValue, Template, TreePath, render, restored
from heatstudio.text import Applicability, Fix
from heatstudio.text.line_diff import line_edits
from heatstudio.update.plan.update_plan import Cause, ResourceChange

Pair = tuple[TreePath, TreePath]
"""The path of a pair in the old template, and the path to restore it at in the new one; either may not exist."""
_UNCHANGED = "The text of this resource is unchanged. Revert the parameter, resource or file that it refers to."


def revert_change(old: Template, new: Template, change: ResourceChange, cause: Cause | None) -> Fix:
    """Return the fix that reverts a change in the new text; raise CannotEditError.

    A cause may be narrowed to one difference; the whole property is reverted if the text does not have that difference.
    """
    whole = next((one for one in change.causes if cause is not None and one.path == cause.path[: len(one.path)]), cause)
    found = _whole(old, new, change.name) if cause is None else _part(old, new, change.name, cause)
    if not found and cause is not None and whole is not None:
        cause, found = whole, _part(old, new, change.name, whole)
    if not found:
        raise CannotEditError(_UNCHANGED)
    part = dotted((whole.property, *cause.path[len(whole.path) :])) if cause is not None and whole is not None else ""
    title, exact = f"Revert {f'`{part}` of ' if part else ''}`{change.name}`", _restored(old, new, found)
    if exact is not None:
        return Fix(title, tuple(line_edits(new.text, exact.text)), Applicability.UNSAFE)
    changes = tuple(change for pair in found for change in _changes(old, new, pair))
    return Fix(title, render(new, changes), Applicability.UNSAFE)


def _restored(old: Template, new: Template, pairs: list[Pair]) -> Template | None:
    """Return the new template with the old text restored at all paths; None if the text cannot be inserted."""
    found: Template | None = new
    for old_path, new_path in pairs:
        if found is not None:
            found = _put_back(old, found, old_path, new_path)
    return found


def _put_back(old: Template, new: Template, old_path: TreePath, new_path: TreePath) -> Template | None:
    """Restore the text of one pair, or of the parent map if the pair is its only one; None if impossible."""
    found = restored(old, new, old_path, new_path)
    before, after = map_at(old, old_path[:-1]), map_at(new, new_path[:-1])
    is_alone = set(before) <= {old_path[-1]} and set(after) <= {new_path[-1]} and not (before and after)
    if found is not None or not is_alone or len(new_path) == 1:
        return found
    return _put_back(old, new, old_path[:-1], new_path[:-1])


def _changes(old: Template, new: Template, pair: Pair) -> Iterator[AddEntry | DeleteEntry | SetValue]:
    """Yield the changes that restore the old data if the old text cannot be inserted."""
    old_path, new_path = pair
    before, after = map_at(old, old_path[:-1]), map_at(new, new_path[:-1])
    was, is_now = old_path[-1] in before, new_path[-1] in after
    if was and is_now and old_path[-1] == new_path[-1]:
        yield SetValue(new_path, before[old_path[-1]])
        return
    if was:
        yield AddEntry(new_path[:-1], str(old_path[-1]), before[old_path[-1]])
    if is_now:
        yield DeleteEntry(new_path, prune=not was and len(new_path) > 3)


def _whole(old: Template, new: Template, name: str) -> list[Pair]:
    before, after = _resources(old), _resources(new)
    pair = ((old.dialect.resources, name), (new.dialect.resources, name))
    if name in before and name in after:
        return _again(old, new, pair, before[name], after[name])
    return [pair] if name in before or name in after else []


def _part(old: Template, new: Template, name: str, cause: Cause) -> list[Pair]:
    if name not in _resources(old) or name not in _resources(new) or not cause.path:
        return []
    old_path, new_path = (path_of_part(side.dialect, name, cause.path) for side in (old, new))
    before, after = map_at(old, old_path[:-1]), map_at(new, new_path[:-1])
    was, is_now = old_path[-1] in before, new_path[-1] in after
    if was and is_now:
        return _again(old, new, (old_path, new_path), before[old_path[-1]], after[new_path[-1]])
    gone = [key for key, value in before.items() if key not in after and _gives(value, cause.before)]
    come = [key for key, value in after.items() if key not in before and _gives(value, cause.after)]
    if was:
        come, gone = [key for key in come if cause.after is not None], [old_path[-1]]
    elif is_now:
        come, gone = [new_path[-1]], [key for key in gone if cause.before is not None]
    if not gone and not come:  # the property has another name on both sides
        both = [key for key, value in before.items() if key in after and value != after[key]]
        gone = come = [key for key in both if _gives(before[key], cause.before)]
    names = zip_longest(gone, come)
    return [((*old_path[:-1], _step(key, other)), (*new_path[:-1], _step(other, key))) for key, other in names]


def _step(key: object, other: object) -> str:
    """Return the name of a pair on one side, or the name on the other side if it has none."""
    return str(other if key is None else key)


def _gives(written: object, value: object) -> bool:
    """Return whether a written property may have a value: written literally, or as the result of a function."""
    return written == value or isinstance(written, Mapping)


def _again(old: Template, new: Template, pair: Pair, before: object, after: object) -> list[Pair]:
    """Return the pair if its text differs, else the changed declarations of the parameters that its value reads."""
    if before != after:
        return [pair]
    section, old_section = new.dialect.parameters, old.dialect.parameters
    declared, was = map_at(new, (section,)), map_at(old, (old_section,))
    read = (one for call, one, _ in calls(after, ()) if call in (GET_PARAM, REF))
    names = dict.fromkeys(str(one[0] if isinstance(one, list) and one else one) for one in read)
    changed = (name for name in names if name in was and name in declared and was[name] != declared[name])
    return [((old_section, name), (section, name)) for name in changed]


def _resources(template: Template) -> Mapping[object, object]:
    return map_at(template, (template.dialect.resources,))
