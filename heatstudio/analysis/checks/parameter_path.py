"""A path into a parameter that has no value there."""

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from heatstudio.analysis.scope import Finding, Place, Scope, call_check, with_names
from heatstudio.analysis.scope.calls import GET_PARAM
from heatstudio.stack.functions.hot_functions import select
from heatstudio.stack.path import dotted
from heatstudio.template import TreePath
from heatstudio.text import CheckFamily, counted


@call_check(family=CheckFamily.SUSPICIOUS)
def check(scope: Scope) -> Iterator[Finding]:
    """Yield the steps for which Heat returns an empty string, or one character, with the current values."""
    for name, arguments, path in scope.calls:
        if name == GET_PARAM and isinstance(arguments, list) and len(arguments) > 1:
            parameter = arguments[0]
            is_declared = isinstance(parameter, str) and scope.view.schema(parameter) is not None
            finding = _wrong_step(scope.view.parameter(parameter), arguments, path) if is_declared else None
            if finding is not None:
                yield finding


def _wrong_step(value: object, arguments: list[object], path: TreePath) -> Finding | None:
    """Return the finding about the first step that has no value."""
    for position, step in enumerate(arguments[1:], 1):
        if (
            not isinstance(step, (str, int))
            or not isinstance(value, (str, int, float, list, Mapping))
            or value in ({}, [])
        ):
            return None  # an empty default says nothing about the values that an environment gives
        above = dotted(tuple(one for one in arguments[:position] if isinstance(one, (str, int))))
        finding = Finding("", Place((*path, position)))
        if isinstance(value, str) and isinstance(step, int) and 0 <= step < len(value):
            return replace(finding, message=f"`{above}` is a string; `{step}` returns one character of it.")
        try:
            value = select(value, [step], text_indices=True)
        except (LookupError, TypeError, ValueError):
            message = f"`{above}` {_what(value, step)}; the value is an empty string."
            keys = list(value) if isinstance(value, Mapping) else []
            return with_names(replace(finding, message=message), (*path, position), str(step), keys)
    return None


def _what(value: object, step: str | int) -> str:
    """Return what a value is, or lacks, as a part of a sentence."""
    if isinstance(value, Mapping):
        return f"has no key `{step}`"
    if isinstance(value, list):
        is_index = isinstance(step, int) or step.lstrip("-").isdigit()
        return f"has {counted(len(value), 'item')}, and none at {step}" if is_index else "is a list and needs an index"
    return "is a string" if isinstance(value, str) else "is a boolean" if isinstance(value, bool) else "is a number"
