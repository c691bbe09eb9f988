"""An unknown function."""

from collections.abc import Iterator
from functools import partial

from msgspec.structs import replace

from heatstudio.analysis.migrations import function_fixes
from heatstudio.analysis.scope.calls import maps
from heatstudio.analysis.scope.check import resource_check, template_check
from heatstudio.analysis.scope.finding import Finding, Place
from heatstudio.analysis.scope.missing_name import name_fixes
from heatstudio.analysis.scope.scope import ResourceScope, Scope, TemplateScope
from heatstudio.analysis.scope.stray_call import StrayCall, stray_calls, without_brackets
from heatstudio.stack.values.property_problem import PropertyFault
from heatstudio.template import DataFix, Part, RenameKey, SetValue
from heatstudio.text import Applicability, Severity

CODE = "misspelled-function"


@template_check(with_conditions=True)
def check(scope: TemplateScope) -> Iterator[Finding]:
    """Yield every map in outputs that looks like a misspelled call."""
    section = (scope.words.outputs,)
    found = without_brackets(maps(scope.data_at(section), section, scope.untaken), scope.view.language)
    for call in (*stray_calls(scope.calls, scope.view.language, scope.knowledge), *found):
        yield _finding(scope, call)


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
            heat = refused.get(call.path[:-1], "")
            severity = Severity.ERROR if heat else Severity.WARNING
            yield replace(_finding(scope, call), severity=severity, heat=heat)


def _finding(scope: Scope, call: StrayCall) -> Finding:
    message = f"Unknown function `{call.name}`; Heat treats it as data."
    if call.arguments:
        message = f"Heat treats `{call.name}` beside other keys as data; put its arguments in brackets."
        change = SetValue(call.path[:-1], {call.name: list(call.arguments)})
        fix = DataFix("Put the arguments in brackets", (change,), Applicability.UNSAFE, preferred=True)
        return Finding(CODE, Severity.WARNING, message, Place(call.path, Part.KEY), fixes=(fix,))
    if call.since:
        message = f"`{call.name}` is not in version {scope.words.version}; use `{call.since}`."
        arguments, known = scope.data_at(call.path), scope.is_version_known
        fixes = function_fixes(scope.view, scope.knowledge, call.path, arguments) if known else ()
    else:
        fixes = name_fixes(call.meant, "Use `{}`", partial(RenameKey, call.path))
    meant = "" if call.since else call.meant[0]
    return Finding(CODE, Severity.WARNING, message, Place(call.path, Part.KEY), meant=meant, fixes=fixes)
