"""An unknown parameter."""

from collections.abc import Collection, Iterable, Iterator
from functools import partial

from msgspec.structs import replace

from heatstudio.analysis.scope.calls import Call
from heatstudio.analysis.scope.finding import Finding, Place
from heatstudio.analysis.scope.missing_name import meaning
from heatstudio.analysis.scope.nearest import nearest
from heatstudio.analysis.scope.scope import ResourceScope, TemplateScope
from heatstudio.stack.definition.reads import StackReader
from heatstudio.stack.path import Path
from heatstudio.template import AddEntry, DataFix, Dialect, SetValue
from heatstudio.text import Applicability, Severity

CODE = "unknown-parameter"
GET_PARAM = "get_param"
REF = "Ref"
FUNCTIONS = (GET_PARAM, REF)
_UNREAD = "Fn::GetAZs"
"""A function whose argument Heat ignores (heat/engine/cfn/functions.py)."""


def check(scope: TemplateScope) -> Iterator[Finding]:
    """Yield every use of an unknown parameter in conditions and outputs."""
    known = scope.view.names(scope.words.parameters)
    for used, place in _uses((*scope.condition_calls, *scope.calls), scope.view):
        if used not in known:
            yield _finding(scope.words, used, Place(place), known)


def check_resource(scope: ResourceScope) -> Iterator[Finding]:
    """Yield every use of an unknown parameter in a resource."""
    for used, path in _uses(scope.calls, scope.view):
        try:
            scope.view.parameter(used)
        except KeyError:
            finding = _finding(scope.words, used, Place(path), scope.view.names(scope.words.parameters))
            severity = Severity.ERROR if _is_needed(scope, path) else Severity.WARNING
            yield replace(finding, severity=severity)


def _uses(found: Iterable[Call], stack: StackReader) -> Iterator[tuple[str, Path]]:
    """Yield every parameter name in the calls, and its path."""
    for function, arguments, path in found:
        if function not in FUNCTIONS or stack.language.state(function) != "function" or _UNREAD in path:
            continue
        used = arguments[0] if isinstance(arguments, list) and arguments else arguments
        if isinstance(used, str) and (function == GET_PARAM or not stack.names_resource(used)):
            yield used, (*path, 0) if isinstance(arguments, list) else path


def _is_needed(scope: ResourceScope, path: Path) -> bool:
    """Return whether Heat evaluates the call during validation."""
    if scope.definition.external_id is not None and path[2:3] == (scope.words.external_id,):
        return scope.strict and not scope.is_disabled
    call = path if isinstance(path[-1], str) else path[:-1]
    if not scope.strict or scope.is_ignored:
        return call in scope.missed
    return path[2:3] == (scope.words.properties,) or call in scope.missed


def _finding(words: Dialect, name: str, place: Place, known: Collection[str]) -> Finding:
    names = nearest(name, known)
    is_reference = place.path[-1] == REF
    heat = (
        f'The specified reference "{name}" is incorrect.'
        if is_reference
        else f"The Parameter ({name}) was not provided."
    )
    what = "resource or parameter" if is_reference else "parameter"
    declaration = {words.type: "string" if words.is_hot else "String"}
    create = AddEntry((words.parameters,), name, declaration)
    declare = DataFix(f"Declare parameter `{name}`", (create,), Applicability.UNSAFE, preferred=not names)
    finding = Finding(CODE, Severity.WARNING, f"Unknown {what} `{name}`.", place, fixes=(declare,), heat=heat)
    return meaning(finding, names, "Use `{}`", partial(SetValue, place.path))
