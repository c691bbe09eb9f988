"""Detection of all faults in the declaration of a parameter; Heat stops at the first fault."""

from collections.abc import Mapping

from heatstudio.stack.functions.language import Language
from heatstudio.stack.inputs.parameter_schema import ParameterSchema, SchemaError, parse_parameter_schema
from heatstudio.template import TreePath

MOST = 50
"""Maximum number of faults reported per declaration."""


def declaration_faults(
    name: str, data: object, language: Language
) -> tuple[tuple[SchemaError, ...], ParameterSchema | None]:
    """Return the faults, and the schema without the faulty parts or None if the type is wrong or faults remain."""
    words = language.dialect
    typed, reported = True, dict[tuple[str, TreePath], SchemaError]()
    order = _positions(data, words.constraints)
    for _ in range(MOST):
        try:
            schema = parse_parameter_schema(name, data, language)
        except SchemaError as error:
            fault = SchemaError(str(error), _as_written(error.path, order))
            reported[str(fault), fault.path[:1]] = fault
            if not isinstance(data, Mapping):
                break
            if error.path in ((), (words.type,)):
                typed, data = False, {**data, words.type: words.parameter_types[0]}
            else:
                data = _without(data, error.path, order)
        else:
            return tuple(reported.values()), schema if typed else None
    return tuple(reported.values()), None


def _positions(data: object, section: str) -> list[int]:
    """Return the positions of all constraints."""
    constraints = data.get(section) if isinstance(data, Mapping) else None
    return list(range(len(constraints))) if isinstance(constraints, list) else []


def _as_written(path: TreePath, order: list[int]) -> TreePath:
    return (path[0], order[path[1]], *path[2:]) if len(path) > 1 and isinstance(path[1], int) else path


def _without(data: Mapping[str, object], path: TreePath, order: list[int]) -> dict[str, object]:
    """Return the declaration without the faulty key, or without the faulty constraint."""
    key = path[0]
    value = data.get(str(key))
    if len(path) > 1 and isinstance(path[1], int) and isinstance(value, list):
        order.pop(path[1])
        return {**data, str(key): [*value[: path[1]], *value[path[1] + 1 :]]}
    return {other: item for other, item in data.items() if str(other) != key}
