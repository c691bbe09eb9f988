"""Merging of parameters of several environment files (heat/common/environment_util.py)."""

import json
from collections.abc import Mapping

from heatstudio.stack.inputs.parameter_schema import ParameterType
from heatstudio.stack.path import dotted, step
from heatstudio.template import TreePath

OVERWRITE, MERGE, DEEP_MERGE = "overwrite", "merge", "deep_merge"
STRATEGIES = (OVERWRITE, MERGE, DEEP_MERGE)


class MergeError(Exception):
    """An error for two values that cannot be merged, with Heat's message."""


class ClashError(Exception):
    """An error for a map in one file and another value in an earlier file, which python-heatclient cannot merge."""

    def __init__(self, path: TreePath) -> None:
        super().__init__(
            f"`{dotted(path)}` is a map here but not in an earlier environment; python-heatclient cannot merge the two."
        )
        self.path = path


def sent_together(
    old: Mapping[object, object], new: Mapping[object, object], above: TreePath = ()
) -> Mapping[object, object]:
    """Return two files merged as python-heatclient merges them before sending. Raise ClashError if the client fails.

    heatclient/common/template_utils.py, deep_update.
    """
    merged = dict(old)
    for key, value in new.items():
        before = merged.get(key)
        if isinstance(value, Mapping):
            path = (*above, step(key))
            before = {} if before is None else before
            if value and not isinstance(before, Mapping):
                raise ClashError(path)
            merged[key] = sent_together(before, value, path) if isinstance(before, Mapping) else before
        elif value is not None or not isinstance(before, Mapping):
            merged[key] = value
    return merged


class Strategies:
    """The merge strategies of parameters, on which all files must agree."""

    def __init__(self) -> None:
        self._agreed: dict[str, object] = {}

    def agree(self, name: str, wanted: object, file: str) -> object:
        """Return the strategy of a parameter after one more file. Raise MergeError if the files disagree."""
        if wanted is not None and not isinstance(wanted, Mapping):
            raise MergeError("`parameter_merge_strategies` must be a map of parameters to strategies.")
        strategies = wanted if isinstance(wanted, Mapping) else {}
        usual = strategies.get("default", OVERWRITE)
        strategy = strategies.get(name, self._agreed.get(name, usual))
        strategy = strategy if strategy in STRATEGIES else usual
        if strategy != self._agreed.setdefault(name, strategy):
            raise MergeError(f"Conflicting merge strategy '{strategy}' for parameter '{name}' in file '{file}'.")
        return self._agreed[name]


def merge_value(name: str, kind: ParameterType, old: Mapping[str, object], new: object, *, deep: bool) -> object:
    """Return the value merged into that of earlier files, if they have one. Raise MergeError if it is impossible."""
    if name in old and old[name] is None and kind in (ParameterType.STRING, ParameterType.NUMBER):
        raise MergeError(f"Heat cannot merge `{name}` into the null of an earlier environment.")
    try:
        return _merged(name, kind, old.get(name), _readable(new, kind), deep=deep)
    except (TypeError, ValueError, AttributeError) as error:
        raise MergeError(str(error)) from error


def _readable(value: object, kind: ParameterType) -> object:
    if kind is not ParameterType.MAP:
        if not isinstance(value, (str, list)):
            raise MergeError("Invalid parameter in environment .")
        return value
    try:
        text = value if isinstance(value, str) else json.dumps(value)
        loaded: object = json.loads(text) if text else value
    except (ValueError, TypeError) as error:
        raise MergeError(f"Invalid parameter in environment {error}.") from error
    return loaded


def _merged(name: str, kind: ParameterType, old: object, new: object, *, deep: bool) -> object:
    if kind is ParameterType.MAP:
        return merge_map(old if isinstance(old, Mapping) else {}, new, deep=deep)
    if kind is ParameterType.LIST:
        return _merge_list(old, new)
    if kind is ParameterType.STRING:
        return "".join([_text(old or ""), _text(new)])
    if kind is ParameterType.NUMBER:
        if isinstance(old, str) and isinstance(new, str):
            return old + new  # as in Heat, which concatenates the strings
        if isinstance(old, list) and isinstance(new, list):
            return [*old, *new]
        raise MergeError(f"unsupported operand type(s) for +: '{_type_name(old)}' and '{type(new).__name__}'")
    raise MergeError(f"Invalid merge strategy '{MERGE}' for parameter '{name}'.")


def _type_name(old: object) -> str:
    """Return the name of the type of the earlier value; Heat's initial value is 0."""
    return "int" if old is None else type(old).__name__


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"sequence item 1: expected str instance, {type(value).__name__} found")
    return value


def _merge_list(old: object, new: object) -> object:
    if not old:
        return new
    if isinstance(new, list):
        if not isinstance(old, list):
            raise AttributeError(f"'{type(old).__name__}' object has no attribute 'extend'")
        return [*old, *new]
    return ",".join([_text(old), _text(new)])


def merge_map(old: Mapping[object, object], new: object, *, deep: bool = False) -> object:
    """Return two maps merged; ignore nulls, and merge inner maps, lists and strings only if `deep`.

    Raise TypeError or AttributeError for values that cannot be merged.
    """
    if not old:
        return new
    if not isinstance(new, Mapping):
        raise AttributeError(f"'{type(new).__name__}' object has no attribute 'items'")
    merged = dict(old)
    for key, value in new.items():
        if value is None:
            continue
        before = merged.get(key)
        if deep and isinstance(value, Mapping) and before:
            merged[key] = merge_map(before, value, deep=True) if isinstance(before, Mapping) else value
        elif deep and isinstance(value, list) and before:
            merged[key] = _merge_list(before, value)
        elif deep and isinstance(value, str):
            merged[key] = "".join([_text(merged.get(key, "")), value])
        else:
            merged[key] = value
    return merged
