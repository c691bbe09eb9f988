"""Short messages on wrong values, in the words of the author of a template."""

from __future__ import annotations

from collections.abc import Mapping

from heatstudio.catalog import AllowedPattern, AllowedValues, PropertyType
from heatstudio.catalog.schema import Length, Modulo, Range
from heatstudio.stack.unknown import Unknown
from heatstudio.stack.values.property_problem import PropertyProblem
from heatstudio.text import counted

LONGEST = 80
_LONGEST_VALUE = 24


def type_headline(problem: PropertyProblem) -> str:
    """Return what is wrong with a value of the wrong type."""
    if problem.schema is None or isinstance(problem.value, Unknown):
        return problem.message
    kind = problem.schema.type
    name = next((step for step in reversed(problem.path) if isinstance(step, str)), problem.schema.name)
    wanted = f"{'an' if kind is PropertyType.INTEGER else 'a'} {kind.value.lower()}"
    return f"`{name}` must be {wanted}, not {_shown(problem.value)}."


def constraint_headline(problem: PropertyProblem) -> str:
    """Return what is wrong with a value that breaks a constraint; Heat's message where no shorter one is known."""
    value, shown = problem.value, _shown(problem.value)
    match problem.constraint:
        case _ if isinstance(value, Unknown):
            return problem.message
        case Range(minimum, maximum) if isinstance(value, (int, float)):
            return f"{value} is too {_limit('small', 'large', value, minimum, maximum)}."
        case Length(minimum, maximum) if isinstance(value, (str, list, dict)):
            size = counted(len(value), "character" if isinstance(value, str) else "item")
            return f"{size} is too {_limit('short', 'long', len(value), minimum, maximum)}."
        case Modulo(step, offset):
            return f"{shown} is not a multiple of {step:g}{f' plus {offset:g}' if offset else ''}."
        case AllowedValues(values):
            head = f"{shown} is not an allowed value"
            long = f"{head}; use {', '.join(f'`{one}`' for one in values[:-1])} or `{values[-1]}`."
            return long.replace("use  or", "use") if len(long) <= LONGEST else f"{head}."
        case AllowedPattern(pattern):
            long = f"{shown} does not match `{pattern}`."
            return long if len(long) <= LONGEST else f"{shown} does not match the required pattern."
        case _:
            return problem.message


def _limit(low: str, high: str, size: float, minimum: float | None, maximum: float | None) -> str:
    if minimum is not None and size < minimum:
        return f"{low}; the minimum is {minimum:.12g}"
    return f"{high}; the maximum is {maximum:.12g}"


def _shown(value: object) -> str:
    if isinstance(value, (Mapping, list)):
        return "a map" if isinstance(value, Mapping) else "a list"
    text = "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
    return f"`{text if len(text) <= _LONGEST_VALUE else f'{text[: _LONGEST_VALUE - 1]}…'}`"
