"""An unknown function."""

from collections.abc import Iterator, Mapping
from functools import partial

from msgspec.structs import replace

from heatstudio.analysis.migrations.function_fixes import function_fixes
from heatstudio.analysis.scope import Finding, Place, ResourceScope, Scope, TemplateScope
from heatstudio.analysis.scope.calls import calls
from heatstudio.analysis.scope.check import resource_check, template_check
from heatstudio.analysis.scope.missing_name import name_fixes
from heatstudio.analysis.scope.stray_call import StrayCall, among_keys, is_clear, stray_calls
from heatstudio.stack.groups.group_truth import at
from heatstudio.stack.values.property_problem import PropertyFault
from heatstudio.template import DataFix, Part, RenameKey, SetValue, TreePath
from heatstudio.text import CheckFamily, Severity


@template_check(with_conditions=True)
def check(scope: TemplateScope) -> Iterator[Finding]:
    """Yield every map in outputs that looks like a misspelled call."""
    found = among_keys(scope.maps, scope.view.language)
    for call in (*stray_calls(scope.calls, scope.view.language, scope.knowledge), *found):
        yield _finding(scope, call)
    declared = scope.data_at((scope.words.parameters,))
    for name, declaration in declared.items() if isinstance(declared, Mapping) else ():
        path = (scope.words.parameters, str(name), scope.words.default)
        for function, _, place in calls(at(declaration, path[2:]), path):
            if function in scope.view.language.functions and is_clear(function):
                message = f"Heat resolves no function in `{scope.words.default}`: `{function}` is data."
                yield _suspicious(place, message)


@resource_check(refuses=False, in_members=False)
def check_resource(scope: ResourceScope) -> Iterator[Finding]:
    """Yield every map in a resource that looks like a misspelled call, unless its key is a property name."""
    if not scope.stray_calls:
        return
    properties = {(*scope.properties_path, *written.path) for written in scope.written}
    problems = scope.problems_of(PropertyFault.TYPE)
    refused = {(*scope.properties_path, *problem.path): problem.message for problem in problems}
    for call in scope.stray_calls:
        if call.path not in properties:
            finding = _finding(scope, call)
            if heat := refused.get(call.path[:-1], ""):
                finding = replace(finding, severity=Severity.ERROR, heat=heat, family=CheckFamily.PROBLEM)
            yield finding


def _finding(scope: Scope, call: StrayCall) -> Finding:
    finding = _suspicious(call.path)
    message = f"Unknown function `{call.name}`; Heat treats it as data."
    if call.arguments:
        message = f"Heat treats `{call.name}` beside other keys as data; put its arguments in brackets."
        change = SetValue(call.path[:-1], {call.name: list(call.arguments)})
        fix = DataFix.likely("Put the arguments in brackets", change)
        return replace(finding, message=message, fixes=(fix,))
    if call.is_key:
        message = f"Heat treats `{call.name}` beside other keys as data, not as a function."
        return replace(finding, message=message)
    if call.since:
        message = f"`{call.name}` is not in version {scope.words.version}; use `{call.since}`."
        arguments, known = scope.data_at(call.path), scope.is_version_known
        fixes = function_fixes(scope.view, scope.knowledge, call.path, arguments) if known else ()
    else:
        fixes = name_fixes(call.meant, "Use `{}`", partial(RenameKey, call.path))
    meant = "" if call.since else call.meant[0]
    return replace(finding, message=message, meant=meant, fixes=fixes)


def _suspicious(path: TreePath, message: str = "") -> Finding:
    place = Place(path, Part.KEY)
    return Finding(message, place, Severity.WARNING, family=CheckFamily.SUSPICIOUS)
