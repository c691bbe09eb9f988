"""Requested changes, and the plan that groups them for rendering."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar, cast

from msgspec import Struct, field

from heatstudio.template.syntax.nodes import TreePath

_Part = TypeVar("_Part")


class CannotEditError(ValueError):
    """An error for changes that cannot be applied to a text; `reason` is a message for the user."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Existing(Struct, frozen=True):
    """The existing value at a path, as written there."""

    path: TreePath


class RenameKey(Struct, frozen=True):
    """A change of the key of the pair at a path."""

    path: TreePath
    name: str


class SetValue(Struct, frozen=True):
    """The replacement of the value of a pair or list item with plain data, which may contain `Existing`."""

    path: TreePath
    value: object


class AddEntry(Struct, frozen=True):
    """The addition of a pair to the map at a path, after the key `after` or at the end; creates missing maps."""

    path: TreePath
    key: str
    value: object
    after: str | None = None


class AddItem(Struct, frozen=True):
    """The addition of an item to the list at a path, before the item `index` or at the end; creates a missing list."""

    path: TreePath
    value: object
    index: int | None = None


class DeleteEntry(Struct, frozen=True):
    """The deletion of the pair or list item at a path; with `prune`, also of maps and lists that become empty."""

    path: TreePath
    prune: bool = False
    keep_comments: bool = False
    """Whether the comments after and within the deleted text are kept on separate lines."""


Change = RenameKey | SetValue | AddEntry | AddItem | DeleteEntry


class Plan(Struct):
    """The changes by container: all changes of one map or list together."""

    renamed: dict[TreePath, str] = field(default_factory=dict)
    values: dict[TreePath, object] = field(default_factory=dict)
    entries: dict[TreePath, dict[str, tuple[object, str | None]]] = field(default_factory=dict)
    items: dict[TreePath, list[tuple[int | None, object]]] = field(default_factory=dict)
    deleted: dict[TreePath, set[str | int]] = field(default_factory=dict)
    commented: set[TreePath] = field(default_factory=set)
    """The paths of deletions that keep comments."""


def moved_paths(plan: Plan) -> Iterator[TreePath]:
    """Yield the paths of existing values that become pairs of a map."""
    for entries in plan.entries.values():
        for value, _after in entries.values():
            if isinstance(value, Existing):
                yield value.path


def data_at(data: object, path: TreePath) -> object:
    """Return the value at a path; raise CannotEditError if there is none."""
    for name in path:
        in_list = isinstance(data, list) and isinstance(name, int) and 0 <= name < len(data)
        if not in_list and not (isinstance(data, Mapping) and name in data):
            raise CannotEditError(f"{_path_words(path)} no longer exists.")
        data = cast("dict[object, object]", data)[name]
    return data


def plan_changes(data: object, changes: Sequence[Change]) -> Plan:
    """Group changes into a plan; raise CannotEditError if they do not fit the data or conflict with each other."""
    deletions = [change for change in changes if isinstance(change, DeleteEntry)]
    plan = Plan(commented={change.path for change in deletions if change.keep_comments})
    pruned = {change.path[:-1] for change in deletions if change.prune}
    for change in changes:
        if isinstance(change, AddEntry):
            _plan_entry(plan, data, change)
            continue
        if isinstance(change, AddItem):
            _plan_item(plan, data, change)
            continue
        data_at(data, change.path)
        if not change.path:
            raise CannotEditError("The whole template cannot be changed at once.")
        if isinstance(change, RenameKey):
            _plan_name(plan, data, change)
        elif isinstance(change, SetValue):
            plan.values[change.path] = change.value
        else:
            plan.deleted.setdefault(change.path[:-1], set()).add(change.path[-1])
    for path in sorted(plan.deleted, key=len, reverse=True):
        if path in plan.deleted:
            _plan_emptied(plan, data, path, pruned)
    return plan


def _plan_name(plan: Plan, data: object, change: RenameKey) -> None:
    siblings = data_at(data, change.path[:-1])
    if not isinstance(siblings, Mapping):
        raise CannotEditError("A list item has no key.")
    if change.name in siblings and change.name != change.path[-1]:
        raise CannotEditError(f"The map already has a key `{change.name}`.")
    plan.renamed[change.path] = change.name


def _plan_entry(plan: Plan, data: object, change: AddEntry) -> None:
    path, key, value = change.path, change.key, change.value
    while path and not _exists(data, path):
        name = path[-1]
        if not isinstance(name, str):
            raise CannotEditError(f"{_path_words(path)} does not exist.")
        path, key, value = path[:-1], name, {key: value}
    target = data_at(data, path)
    if target is None or target == {}:
        if path:
            plan.values[path] = _merged(plan.values.get(path, {}), {key: value})
            return
        target = {}
    if not isinstance(target, Mapping):
        raise CannotEditError(f"{_path_words(path)} is not a map.")
    if key in target:
        raise CannotEditError(f"The map already has a key `{key}`.")
    entries = plan.entries.setdefault(path, {})
    before = entries.get(key)
    value = value if before is None else _merged(before[0], value)
    entries[key] = (value, change.after if path == change.path else None)


def _plan_item(plan: Plan, data: object, change: AddItem) -> None:
    if not _exists(data, change.path):
        name = change.path[-1]
        _plan_entry(plan, data, AddEntry(change.path[:-1], str(name), [change.value]))
        return
    target = data_at(data, change.path)
    if target is None or target == []:
        before = plan.values.get(change.path, [])
        plan.values[change.path] = [*before, change.value] if isinstance(before, list) else [change.value]
        return
    if not isinstance(target, list):
        raise CannotEditError(f"{_path_words(change.path)} is not a list.")
    index = change.index if change.index is not None and change.index < len(target) else None
    plan.items.setdefault(change.path, []).append((index, change.value))


def _plan_emptied(plan: Plan, data: object, path: TreePath, pruned: set[TreePath]) -> None:
    """Replace the deletion of all children of a map or list, if planned, with one change of the map or list."""
    names = plan.deleted[path]
    target = data_at(data, path)
    if not isinstance(target, dict | list) or len(names) < len(target) or not path:
        return
    added = {key: value for key, (value, _) in plan.entries.pop(path, {}).items()}
    more = [value for _, value in plan.items.pop(path, [])]
    del plan.deleted[path]
    if not added and not more and path in pruned:
        parent = path[:-1]
        plan.deleted.setdefault(parent, set()).add(path[-1])
        pruned.add(parent)
        if parent:
            _plan_emptied(plan, data, parent, pruned)
        return
    plan.values[path] = added if isinstance(target, dict) else more


def _merged(first: object, second: object) -> object:
    """Merge two new values of one path; raise CannotEditError unless both are maps."""
    if not isinstance(first, dict) or not isinstance(second, dict):
        raise CannotEditError("Two changes set the same key to different values.")
    result = dict(first)
    for key, value in second.items():
        result[key] = _merged(result[key], value) if key in result else value
    return result


def _exists(data: object, path: TreePath) -> bool:
    try:
        data_at(data, path)
    except CannotEditError:
        return False
    return True


def _path_words(path: TreePath) -> str:
    return ".".join(str(name) for name in path) or "the template"


def changed_data(data: object, plan: Plan) -> object:
    """Return the data after the changes; raise CannotEditError if the path of an `Existing` does not exist."""
    places = {*plan.renamed, *plan.values, *plan.entries, *plan.items, *plan.deleted}
    touched = {path[:length] for path in places for length in range(len(path) + 1)}
    return _changed(data, (), plan, touched, data)


def resolved(value: object, data: object) -> object:
    """Return a value with each `Existing` replaced by the data at its path."""
    return with_parts(value, Existing, lambda part: data_at(data, part.path))


def with_parts(value: object, kind: type[_Part], new: Callable[[_Part], object]) -> object:
    """Return a value with each part of a type replaced; lists and tuples become lists."""
    if isinstance(value, kind):
        return new(value)
    if isinstance(value, Mapping):
        return {key: with_parts(part, kind, new) for key, part in value.items()}
    return [with_parts(part, kind, new) for part in value] if isinstance(value, list | tuple) else value


def parts_in(value: object, kind: type[_Part]) -> Iterator[_Part]:
    """Yield the parts of a type in a value."""
    if isinstance(value, kind):
        yield value
    parts = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
    for part in parts:
        yield from parts_in(part, kind)


def same_data(first: object, second: object) -> bool:
    """Return whether two values are equal, types included, without traversing identical objects."""
    if first is second:
        return True
    if type(first) is not type(second):
        return False
    if isinstance(first, dict) and isinstance(second, dict):
        if first.keys() != second.keys():
            return False
        return all(same_data(value, second[key]) for key, value in first.items())
    if isinstance(first, list) and isinstance(second, list):
        return len(first) == len(second) and all(map(same_data, first, second))
    return first == second or repr(first) == repr(second) == "nan"


def _changed(value: object, path: TreePath, plan: Plan, touched: set[TreePath], data: object) -> object:
    if path not in touched:
        return value
    if path in plan.values:
        return resolved(plan.values[path], data)
    deleted = plan.deleted.get(path, set())
    if isinstance(value, Mapping):
        result = {
            plan.renamed.get((*path, key), key): _changed(below, (*path, key), plan, touched, data)
            for key, below in value.items()
            if key not in deleted
        }
        return result | {key: resolved(added, data) for key, (added, _) in plan.entries.get(path, {}).items()}
    if isinstance(value, list):
        added = plan.items.get(path, [])
        items: list[object] = []
        for index, item in enumerate(value):
            items += [resolved(new, data) for at, new in added if at == index]
            if index not in deleted:
                items.append(_changed(item, (*path, index), plan, touched, data))
        return items + [resolved(new, data) for at, new in added if at is None]
    return value
