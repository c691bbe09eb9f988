"""A condition that never, or always, holds, because of the types and constraints of parameters."""

from collections.abc import Iterator, Mapping
from itertools import islice

from msgspec.structs import replace

from heatstudio.analysis.scope import Finding, Place, Scope, TemplateScope, call_check, with_names
from heatstudio.analysis.scope.calls import EQUALS, GET_PARAM, REF, is_condition
from heatstudio.catalog.schema import AllowedValues, CustomConstraint
from heatstudio.stack.inputs.parameter_schema import ParameterSchema, ParameterType
from heatstudio.stack.unknown import has_unknown
from heatstudio.stack.values.constraints import violation
from heatstudio.template import DataFix, Part, SetValue, TreePath
from heatstudio.template.syntax.nodes import ScalarNode
from heatstudio.text import CheckFamily

_SHOWN = 60
"""Maximum length of a value in a message."""
_MOST_DIGITS = 1_000
"""Maximum length of a text that the fix makes a number; Python converts at most 4,300 digits."""
_KINDS: Mapping[ParameterType, tuple[tuple[type, ...], str]] = {
    ParameterType.STRING: ((str,), "a string"),
    ParameterType.NUMBER: ((int, float), "a number"),
    ParameterType.BOOLEAN: ((int, float), "a boolean"),
    ParameterType.LIST: ((list,), "a list"),
}
"""The types of the values of parameters, without `json`, which may have any; true equals 1."""


@call_check(family=CheckFamily.SUSPICIOUS)
def check(scope: Scope) -> Iterator[Finding]:
    """Yield the comparisons that are never or always true, and the parameters that are no conditions."""
    found = (*scope.condition_calls, *scope.calls) if isinstance(scope, TemplateScope) else scope.calls
    for name, arguments, path in found:
        if name in EQUALS and isinstance(arguments, list) and len(arguments) == 2:
            compared = (_compared(scope, arguments[1 - index], arguments[index], (*path, index)) for index in range(2))
            yield from islice((finding for finding in compared if finding is not None), 1)
        elif name in (GET_PARAM, REF) and isinstance(arguments, str) and is_condition(path[:-1], scope.words):
            schema = scope.view.schema(arguments)
            if schema is None or schema.type is ParameterType.BOOLEAN or schema.default is not None:
                continue
            if has_unknown(scope.view.parameter(arguments)):
                what = _KINDS.get(schema.type, ((), "a map"))[1]
                message = f"`{arguments}` is {what}, not a boolean; Heat rejects the condition."
                yield Finding(message, Place(path))


def _parameter(scope: Scope, written: object) -> ParameterSchema | None:
    """Return the schema of the parameter that a call reads as a whole."""
    name = written.get(GET_PARAM, written.get(REF)) if isinstance(written, Mapping) and len(written) == 1 else None
    return scope.view.schema(name) if isinstance(name, str) else None


def _compared(scope: Scope, written: object, value: object, path: TreePath) -> Finding | None:
    """Return the finding if a parameter never, or always, equals a value, or another parameter, at a path."""
    schema, other = _parameter(scope, written), _parameter(scope, value)
    kinds, words = _KINDS.get(schema.type, ((), "")) if schema is not None else ((), "")
    finding = Finding("", Place(path[:-1], Part.KEY))
    if schema is not None and other is not None and schema.name == other.name:
        return replace(finding, message=f"`{schema.name}` always equals itself.")
    if schema is None or not kinds:
        return None
    if other is not None:
        other_kinds, other_words = _KINDS.get(other.type, (kinds, ""))
        message = f"`{schema.name}` is {words}, which never equals `{other.name}`, {other_words}."
        return replace(finding, message=message) if not set(kinds) & set(other_kinds) else None
    if not isinstance(value, (str, int, float)):
        return None
    located = scope.template.find(path) if isinstance(scope, TemplateScope) else None
    text = str(value).lower() if isinstance(value, bool) else str(value)
    if located is not None and isinstance(located.node, ScalarNode):
        text = located.node.value
    if not isinstance(value, kinds):
        message = f"`{schema.name}` is {words}, which never equals {_written(value, text)}."
        return replace(finding, message=message, fixes=_fixes(value, text, path))
    for constraint in schema.constraints:
        if not isinstance(constraint, CustomConstraint) and violation(constraint, value, schema.type.property_type):
            message = f"`{schema.name}` never equals {_written(value, text)}, which its constraints do not allow."
            found = replace(finding, message=message)
            allowed = constraint.values if isinstance(constraint, AllowedValues) else ()
            names = [one for one in allowed if isinstance(one, str)]
            return with_names(found, path, value, names) if isinstance(value, str) else found
    return None


def _written(value: object, text: str) -> str:
    if value == "":
        return "an empty string"
    kind = "the string" if isinstance(value, str) else "the boolean" if isinstance(value, bool) else "the number"
    return f"{kind} `{text[:_SHOWN]}{'...' * (len(text) > _SHOWN)}`"


def _fixes(value: object, text: str, path: TreePath) -> tuple[DataFix, ...]:
    """Return the fix that quotes a value as written, or that removes the quotes of a boolean or whole number."""
    if not isinstance(value, str):
        changed: object = text
    elif value.lower() in ("true", "false"):
        changed = value.lower() == "true"
    elif value.isascii() and value.isdigit() and len(value) <= _MOST_DIGITS:
        changed = int(value)
    else:
        return ()
    title = "Remove the quotes" if isinstance(value, str) else "Quote the value"
    return (DataFix.likely(title, SetValue(path, changed)),)
