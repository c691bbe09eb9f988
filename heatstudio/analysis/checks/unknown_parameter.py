"""An unknown parameter."""

from collections.abc import Collection, Iterator
from functools import partial

from msgspec.structs import replace

from heatstudio.analysis.scope import Finding, Place, ResourceScope, Scope, TemplateScope
from heatstudio.analysis.scope.calls import GET_PARAM, GET_RESOURCE, REF, parameters_read
from heatstudio.analysis.scope.check import resource_check, template_check
from heatstudio.analysis.scope.missing_name import meaning, of_other_kind
from heatstudio.analysis.scope.nearest import nearest_element
from heatstudio.template import AddEntry, DataFix, SetValue, TreePath
from heatstudio.text import Applicability, Severity


@template_check(with_conditions=True)
def check(scope: TemplateScope) -> Iterator[Finding]:
    """Yield every use of an unknown parameter in conditions and outputs."""
    known = scope.view.names(scope.words.parameters)
    for used, place in parameters_read((*scope.condition_calls, *scope.calls), scope.view):
        if used not in known:
            yield _finding(scope, used, place, known)


@resource_check()
def check_resource(scope: ResourceScope) -> Iterator[Finding]:
    """Yield every use of an unknown parameter in a resource."""
    for used, path in parameters_read(scope.calls, scope.view):
        try:
            scope.view.parameter(used)
        except KeyError:
            finding = _finding(scope, used, path, scope.view.names(scope.words.parameters))
            if _is_needed(scope, path, strict=scope.strict):
                yield replace(finding, severity=Severity.ERROR)
            else:
                yield finding.late() if _is_needed(scope, path, strict=True) else finding


def _is_needed(scope: ResourceScope, path: TreePath, *, strict: bool) -> bool:
    """Return whether Heat evaluates the call during validation."""
    if scope.definition.external_id is not None and path[2:3] == (scope.words.external_id,):
        return strict and not scope.is_disabled
    call = path if isinstance(path[-1], str) else path[:-1]
    if not strict or scope.is_ignored:
        return call in scope.missed
    return path[2:3] == (scope.words.properties,) or call in scope.missed


def _finding(scope: Scope, name: str, path: TreePath, known: Collection[str]) -> Finding:
    words, names = scope.words, nearest_element(name, known)
    is_reference = path[-1] == REF
    heat = (
        f'The specified reference "{name}" is incorrect.'
        if is_reference
        else f"The Parameter ({name}) was not provided."
    )
    what = "resource or parameter" if is_reference else "parameter"
    declaration = {words.type: "string" if words.is_hot else "String"}
    create = AddEntry((words.parameters,), name, declaration)
    declare = DataFix(f"Declare parameter `{name}`", (create,), Applicability.UNSAFE, preferred=not names)
    finding = Finding(f"Unknown {what} `{name}`.", Place(path), Severity.WARNING, fixes=(declare,), heat=heat)
    is_resource = path[-1] == GET_PARAM and path[0] != words.conditions and scope.view.names_resource(name)
    if is_resource and name != path[1]:
        return of_other_kind(finding, "resource", GET_RESOURCE)
    return meaning(finding, names, "Use `{}`", partial(SetValue, path))
