"""# A parameter that is not declared

`get_param` of a name that is neither declared in `parameters` nor one of Heat's own. Heat fails when it computes the value;
in outputs and metadata only after the stack was created, so there it is a warning.

## Example

    get_param: flavour     # declared is `flavor`
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from heatstudio.analysis.calls import calls
from heatstudio.analysis.finding import Finding, Place
from heatstudio.analysis.nearest import nearest
from heatstudio.analysis.scope import TemplateScope
from heatstudio.template import AddEntry, Remedy, SetValue
from heatstudio.text import Applicability, Severity

CODE = "unknown-parameter"


def check(scope: TemplateScope) -> Iterator[Finding]:
    """Every use of a parameter that is not there."""
    words, stack = scope.words, scope.stack
    known = {*stack.parameters.names, *stack.parameters.pseudo_names}
    for section in (words.conditions, words.resources, words.outputs):
        content = scope.template.data.get(section)
        for name, entry in content.items() if isinstance(content, Mapping) else ():
            for function, arguments, path in calls(entry, (section, str(name))):
                used = arguments[0] if isinstance(arguments, list) and arguments else arguments
                if function not in ("get_param", "Ref") or not isinstance(used, str) or used in known:
                    continue
                if function not in stack.language.functions or (function == "Ref" and stack.names_resource(used)):
                    continue
                place = (*path, 0) if isinstance(arguments, list) else path
                in_properties = section == words.resources and path[2:3] == (words.properties,)
                severity = (
                    Severity.ERROR if scope.strict and in_properties and not _in_branch(path) else Severity.WARNING
                )
                owner = str(name) if section == words.resources else None
                yield _finding(scope, used, Place(place), severity, owner, known)


def _in_branch(path: tuple[str | int, ...]) -> bool:
    return "if" in path or "Fn::If" in path


def _finding(
    scope: TemplateScope, name: str, place: Place, severity: Severity, resource: str | None, known: set[str]
) -> Finding:
    names = nearest(name, known)
    message = f"The Parameter ({name}) was not provided." + (f" Did you mean `{names[0]}`?" if names else "")
    remedies = [
        Remedy(f"Use `{other}`", (SetValue(place.path, other),), Applicability.UNSAFE, preferred=other == names[0])
        for other in names
    ]
    words = scope.words
    declaration = {words.type: "string" if scope.stack.language.is_hot else "String"}
    create = AddEntry((words.parameters,), name, declaration)
    remedies.append(Remedy(f"Declare the parameter `{name}`", (create,), Applicability.UNSAFE, preferred=not names))
    return Finding(CODE, severity, message, place, resource, remedies=tuple(remedies))
