"""# A parameter that is not declared

`get_param` of a name that is neither declared in `parameters` nor one of Heat's own. Heat fails when it computes the value;
in outputs and metadata only after the stack was created, so there it is a warning.

## Example

    get_param: flavour     # declared is `flavor`
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from heatstudio.analysis.calls import calls
from heatstudio.analysis.finding import Finding, Place
from heatstudio.analysis.nearest import nearest
from heatstudio.analysis.scope import ResourceScope, TemplateScope
from heatstudio.stack.definition import StackDefinition
from heatstudio.stack.path import Path
from heatstudio.template import AddEntry, Remedy, SetValue
from heatstudio.text import Applicability, Severity

CODE = "unknown-parameter"
GET_PARAM = "get_param"
FUNCTIONS = (GET_PARAM, "Ref")


def check(scope: TemplateScope) -> Iterator[Finding]:
    """Every use of a parameter that is not there, in conditions and outputs."""
    words, stack = scope.words, scope.stack
    known = stack.names(words.parameters)
    for section in (words.conditions, words.outputs):
        content = stack.data.get(section)
        for name, entry in content.items() if isinstance(content, Mapping) else ():
            for used, place in _uses(entry, (section, str(name)), stack):
                if used not in known:
                    yield _finding(stack, used, Place(place), known)


def check_resource(scope: ResourceScope) -> Iterator[Finding]:
    """Every use of a parameter that is not there, in a resource."""
    words, stack = scope.words, scope.whole.stack
    for used, path in _uses(scope.definition.data, scope.path, stack):
        try:
            scope.view.parameter(used)
        except KeyError:
            certain = scope.whole.strict and path[2:3] == (words.properties,) and not _in_branch(path)
            finding = _finding(stack, used, Place(path), scope.names(words.parameters))
            severity = Severity.ERROR if certain and not scope.is_ignored else Severity.WARNING
            yield replace(finding, resource=scope.name, severity=severity)


def _uses(data: object, above: Path, stack: StackDefinition) -> Iterator[tuple[str, Path]]:
    """Every parameter that is named in a call, and the path of its name."""
    for function, arguments, path in calls(data, above):
        if function not in FUNCTIONS or function not in stack.language.functions:
            continue
        used = arguments[0] if isinstance(arguments, list) and arguments else arguments
        if isinstance(used, str) and (function == GET_PARAM or not stack.names_resource(used)):
            yield used, (*path, 0) if isinstance(arguments, list) else path


def _in_branch(path: Path) -> bool:
    return "if" in path or "Fn::If" in path


def _finding(stack: StackDefinition, name: str, place: Place, known: Collection[str]) -> Finding:
    names = nearest(name, known)
    message = f"The Parameter ({name}) was not provided." + (f" Did you mean `{names[0]}`?" if names else "")
    remedies = [
        Remedy(f"Use `{other}`", (SetValue(place.path, other),), Applicability.UNSAFE, preferred=other == names[0])
        for other in names
    ]
    words = stack.language.dialect
    declaration = {words.type: "string" if stack.language.is_hot else "String"}
    create = AddEntry((words.parameters,), name, declaration)
    remedies.append(Remedy(f"Declare the parameter `{name}`", (create,), Applicability.UNSAFE, preferred=not names))
    return Finding(CODE, Severity.WARNING, message, place, remedies=tuple(remedies))
