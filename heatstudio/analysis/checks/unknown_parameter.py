"""# A parameter that is not declared

`get_param` names something that is neither declared in `parameters` nor one of Heat's own parameters.

## Why

Heat fails when it computes the value. In outputs and metadata it does so only after the stack was created: there it
is a warning.

## Example

    parameters:
      flavor: {type: string}
    # ...
    get_param: flavour     # declared is `flavor`

## The way out

Correct the name, or declare the parameter.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from msgspec.structs import replace

from heatstudio.analysis.calls import Call
from heatstudio.analysis.finding import Finding, Place
from heatstudio.analysis.nearest import nearest
from heatstudio.analysis.scope import ResourceScope, TemplateScope
from heatstudio.stack.definition import StackDefinition
from heatstudio.stack.path import Path
from heatstudio.template import AddEntry, Remedy, SetValue
from heatstudio.text import Applicability, Severity

CODE = "unknown-parameter"
GET_PARAM = "get_param"
REF = "Ref"
FUNCTIONS = (GET_PARAM, REF)


def check(scope: TemplateScope) -> Iterator[Finding]:
    """Every use of a parameter that is not there, in conditions and outputs."""
    words, stack = scope.words, scope.stack
    known = stack.names(words.parameters)
    for used, place in _uses((*scope.condition_calls, *scope.output_calls), stack):
        if used not in known:
            yield _finding(stack, used, Place(place), known)


def check_resource(scope: ResourceScope) -> Iterator[Finding]:
    """Every use of a parameter that is not there, in a resource."""
    words, stack = scope.words, scope.whole.stack
    for used, path in _uses(scope.calls, stack):
        try:
            scope.view.parameter(used)
        except KeyError:
            finding = _finding(stack, used, Place(path), scope.names(words.parameters))
            severity = Severity.ERROR if _is_needed(scope, path) else Severity.WARNING
            yield replace(finding, resource=scope.name, severity=severity)


def _uses(found: Iterable[Call], stack: StackDefinition) -> Iterator[tuple[str, Path]]:
    """Every parameter that is named in a call, and the path of its name."""
    for function, arguments, path in found:
        if function not in FUNCTIONS or function not in stack.language.functions:
            continue
        used = arguments[0] if isinstance(arguments, list) and arguments else arguments
        if isinstance(used, str) and (function == GET_PARAM or not stack.names_resource(used)):
            yield used, (*path, 0) if isinstance(arguments, list) else path


def _is_needed(scope: ResourceScope, path: Path) -> bool:
    """Whether Heat computes the value when it validates: in properties, but not in branches that are not chosen."""
    in_branch = "if" in path or "Fn::If" in path
    if path[2:3] == (scope.words.external_id,):
        return scope.whole.strict and not scope.is_disabled and not in_branch
    call = path if isinstance(path[-1], str) else path[:-1]
    if not scope.whole.strict or scope.is_ignored:
        return call in scope.missed
    return (path[2:3] == (scope.words.properties,) and not in_branch) or call in scope.missed


def _finding(stack: StackDefinition, name: str, place: Place, known: Collection[str]) -> Finding:
    names = nearest(name, known)
    is_reference = place.path[-1] == REF
    heat = (
        f'The specified reference "{name}" is incorrect.'
        if is_reference
        else f"The Parameter ({name}) was not provided."
    )
    message = heat + (f" Did you mean `{names[0]}`?" if names else "")
    remedies = [
        Remedy(f"Use `{other}`", (SetValue(place.path, other),), Applicability.UNSAFE, preferred=other == names[0])
        for other in names
    ]
    words = stack.language.dialect
    declaration = {words.type: "string" if stack.language.is_hot else "String"}
    create = AddEntry((words.parameters,), name, declaration)
    remedies.append(Remedy(f"Declare the parameter `{name}`", (create,), Applicability.UNSAFE, preferred=not names))
    return Finding(CODE, Severity.WARNING, message, place, remedies=tuple(remedies))
