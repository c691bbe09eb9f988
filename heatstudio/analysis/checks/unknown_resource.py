"""# A reference to a resource that does not exist

A function or `depends_on` names a resource that is not in the template, or that a condition switches off.

## Why

Heat refuses the template: the order in which it creates resources rests on these references.

## Example

    get_resource: sever     # there is no such resource
    get_resource: server    # right

## The way out

Correct the name, or create the resource. Where a condition switches the resource off, ask the same condition with `if`
before you refer to it.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from heatstudio.analysis.finding import Finding
from heatstudio.analysis.nearest import nearest
from heatstudio.analysis.placeholder import filled_placeholder
from heatstudio.analysis.scope import ResourceScope
from heatstudio.catalog import CustomConstraint, ResourceType
from heatstudio.stack.path import Path
from heatstudio.stack.problem import ProblemKind, StackProblem
from heatstudio.template import AddEntry, Remedy, SetValue
from heatstudio.text import Applicability, Severity

CODE = "unknown-resource"
_ANY = "OS::Heat::None"
"""The type that takes whatever is said, until somebody chooses another one."""
_MOST_TYPES = 2


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
            yield _of_dependency(scope, fault)


def _of_dependency(scope: ResourceScope, fault: StackProblem) -> Finding:
    """A name in the list of what a resource depends on, or the only one."""
    written = _value(scope, fault.path)
    names = list(enumerate(written)) if isinstance(written, list) else [(None, written)]
    for index, name in names:
        if isinstance(name, str) and f'"{name}"' in fault.message:
            place = fault.path if index is None else (*fault.path, index)
            return _with_ways_out(scope, name, scope.finding(CODE, fault.message, place), ())
    return scope.finding(CODE, fault.message, fault.path)


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
    return _with_ways_out(scope, name, replace(finding, place=replace(finding.place, path=place)), path)


def _with_ways_out(scope: ResourceScope, name: str, finding: Finding, path: Path) -> Finding:
    """The finding with the names that were probably meant, and with a resource of this name to be made."""
    names = nearest(name, scope.names(scope.words.resources))
    place = finding.place.path
    remedies = [
        Remedy(f"Refer to `{other}`", (SetValue(place, other),), Applicability.UNSAFE, preferred=other == names[0])
        for other in names
    ]
    if not scope.whole.stack.names_resource(name):
        anything = scope.whole.knowledge.catalog.get(_ANY) if not path and not names else None
        kinds = [*_fitting_types(scope, path), *([anything] if anything is not None else [])]
        remedies += [_creation(scope, name, kind, preferred=not names and kind is kinds[0]) for kind in kinds]
    hint = f" Did you mean `{names[0]}`?" if names else ""
    return replace(finding, message=finding.message + hint, remedies=tuple(remedies))


def _creation(scope: ResourceScope, name: str, kind: ResourceType, *, preferred: bool) -> Remedy:
    words = scope.words
    required = [one for one in kind.properties.values() if one.required]
    entry: dict[str, object] = {words.type: kind.name}
    if required:
        entry[words.properties] = {one.name: filled_placeholder(one) for one in required}
    change = AddEntry((words.resources,), name, entry)
    return Remedy(f"Create the resource `{name}` ({kind.name})", (change,), Applicability.UNSAFE, preferred=preferred)


def _fitting_types(scope: ResourceScope, path: Path) -> list[ResourceType]:
    """The types that make what the property at a path names, such as a network."""
    inner = path[len(scope.properties_path) :]
    wanted = frozenset(
        constraint.name.rstrip("s")
        for one in scope.written
        if one.path == inner
        for constraint in one.schema.constraints
        if isinstance(constraint, CustomConstraint)
    )
    catalog = scope.whole.knowledge.catalog
    found = (catalog.get(name) for name in catalog.visible_names()) if wanted else ()
    made = [one for one in found if one is not None and one.entity and _entity(one) in wanted]
    return [one for one in made if one.name.startswith("OS::")][:_MOST_TYPES]


def _entity(kind: ResourceType) -> str:
    return f"{kind.client_plugin}.{kind.entity}".rstrip("s")


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
