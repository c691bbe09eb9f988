"""The data of a template after the changes of a plan; unchanged parts stay the same objects."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from heatstudio.template.editing.rendering_plan import Existing, Plan, data_at
from heatstudio.template.syntax.nodes import TreePath

_Part = TypeVar("_Part")


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
