"""A comparison of values whose types never meet."""

from collections.abc import Iterator, Mapping

from heatstudio.analysis.scope.calls import GET_PARAM, REF
from heatstudio.analysis.scope.check import template_check
from heatstudio.analysis.scope.finding import Finding, Place
from heatstudio.analysis.scope.scope import TemplateScope
from heatstudio.stack.inputs.parameter_schema import ParameterType
from heatstudio.stack.path import Path
from heatstudio.template import DataFix, Part, SetValue
from heatstudio.text import Applicability, CheckFamily, Severity

CODE = "never-equal"
EQUALS = ("equals", "Fn::Equals")
_KINDS: Mapping[ParameterType, tuple[tuple[type, ...], str]] = {
    ParameterType.STRING: ((str,), "a string"),
    ParameterType.NUMBER: ((int, float), "a number"),
    ParameterType.BOOLEAN: ((int, float), "a boolean"),
    ParameterType.LIST: ((list,), "a list"),
}
"""The types of the values of parameters, without `json`, which may have any; true equals 1."""


@template_check(family=CheckFamily.SUSPICIOUS)
def check(scope: TemplateScope) -> Iterator[Finding]:
    """Yield every comparison of a parameter with a written value of another type."""
    for name, arguments, path in scope.condition_calls:
        if name not in EQUALS or not isinstance(arguments, list) or len(arguments) != 2:
            continue
        for index, value in enumerate(arguments):
            other = arguments[1 - index]
            parameter = other.get(GET_PARAM, other.get(REF)) if isinstance(other, Mapping) and len(other) == 1 else None
            schema = scope.view.schema(parameter) if isinstance(parameter, str) else None
            kinds, words = _KINDS.get(schema.type, ((), "")) if schema is not None else ((), "")
            if kinds and isinstance(value, (str, int, float)) and not isinstance(value, kinds):
                message = f"Never true: `{parameter}` is {words}, which never equals {_written(value)}."
                yield Finding(
                    CODE, Severity.WARNING, message, Place(path, Part.KEY), fixes=_fixes(value, (*path, index))
                )


def _written(value: object) -> str:
    if value == "":
        return "an empty string"
    kind = "the string" if isinstance(value, str) else "the boolean" if isinstance(value, bool) else "the number"
    return f"{kind} `{str(value).lower() if isinstance(value, bool) else value}`"


def _fixes(value: object, path: Path) -> tuple[DataFix, ...]:
    """Return the fix that quotes a value, or that removes the quotes of a boolean or whole number."""
    if not isinstance(value, str):
        changed: object = str(value).lower() if isinstance(value, bool) else str(value)
    elif value.lower() in ("true", "false"):
        changed = value.lower() == "true"
    elif value.isascii() and value.isdigit():
        changed = int(value)
    else:
        return ()
    title = "Remove the quotes" if isinstance(value, str) else "Quote the value"
    return (DataFix(title, (SetValue(path, changed),), Applicability.UNSAFE, preferred=True),)
