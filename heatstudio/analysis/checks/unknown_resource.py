"""# A reference to a resource that does not exist

A function or `depends_on` names a resource that is not in the template, or that a condition switches off.

## Why

Heat refuses the template: the order in which it creates resources rests on these references.

## Example

    get_resource: sever     # there is no such resource
    get_resource: server    # right

## The way out

Correct the name. Where a condition switches the resource off, ask the same condition with `if` before you refer to
it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from heatstudio.analysis.finding import Finding
from heatstudio.analysis.nearest import nearest
from heatstudio.analysis.scope import ResourceScope
from heatstudio.stack.path import Path
from heatstudio.stack.problem import ProblemKind, StackProblem
from heatstudio.template import Remedy, SetValue
from heatstudio.text import Applicability, Severity

CODE = "unknown-resource"


def check(scope: ResourceScope) -> Iterator[Finding]:
    """Every reference that leads nowhere."""
    told: set[Path] = set()
    for reference in scope.whole.stack.references(scope.name) if not scope.is_external else ():
        if reference.message is not None and reference.resource:
            told.add(reference.path)
            severity = Severity.WARNING if reference.uncertain else Severity.ERROR
            yield _finding(scope, reference.resource, reference.message, reference.path, severity)
    for problem in scope.function_problems:
        if problem.missing_resource is not None and problem.path[:-1] not in told:
            severity = Severity.WARNING if problem.hidden_branch else Severity.ERROR
            yield _finding(scope, problem.missing_resource, problem.message, problem.path[:-1], severity)
    for fault in scope.definition_problems:
        if isinstance(fault, StackProblem) and fault.kind is ProblemKind.REFERENCE:
            yield scope.finding(CODE, fault.message, fault.path)


def _finding(scope: ResourceScope, name: str, message: str, path: Path, severity: Severity) -> Finding:
    finding = scope.finding(CODE, message, path, severity=severity)
    place, data = path, _value(scope, path)
    for inner in ("get_resource", "Ref"):
        if isinstance(data, dict) and data.get(inner) == name:
            place = (*path, inner)
    if isinstance(data, dict):
        ((function, arguments),) = data.items() if len(data) == 1 else (("", None),)
        if isinstance(arguments, list) and arguments and arguments[0] == name:
            place = (*path, function, 0)
    if place == path:
        return finding
    names = nearest(name, scope.names(scope.words.resources))
    remedies = tuple(
        Remedy(f"Refer to `{other}`", (SetValue(place, other),), Applicability.UNSAFE, preferred=other == names[0])
        for other in names
    )
    hint = f" Did you mean `{names[0]}`?" if names else ""
    return replace(finding, message=message + hint, place=replace(finding.place, path=place), remedies=remedies)


def _value(scope: ResourceScope, path: Path) -> object:
    value: object = scope.definition.data
    for part in path[2:]:
        if isinstance(value, dict):
            value = value.get(part)
        elif isinstance(value, list) and isinstance(part, int) and part < len(value):
            value = value[part]
        else:
            return None
    return value
