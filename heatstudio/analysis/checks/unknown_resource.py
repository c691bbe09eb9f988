"""An unknown resource."""

from collections.abc import Iterator

from msgspec.structs import replace

from heatstudio.analysis.example_values import set_example
from heatstudio.analysis.scope import Finding, Place, ResourceScope, Scope, TemplateScope
from heatstudio.analysis.scope.calls import GET_PARAM, GET_RESOURCE, IF, REF
from heatstudio.analysis.scope.check import resource_check, template_check
from heatstudio.analysis.scope.missing_name import of_other_kind, with_names
from heatstudio.analysis.scope.nearest import nearest_element
from heatstudio.catalog.schema import ResourceType
from heatstudio.stack.functions.conditions import described
from heatstudio.stack.functions.examine import Reference, dependencies, validate
from heatstudio.stack.groups.group_truth import at
from heatstudio.stack.path import BranchIndex
from heatstudio.stack.problem import ProblemKind, StackProblem
from heatstudio.template import AddEntry, DataFix, Dialect, TreePath
from heatstudio.text import Applicability, Severity

TITLE = "Replace with `{}`"
_ANY = "OS::Heat::None"
"""The type of a new resource if no other type fits."""
_MOST_TYPES = 2
_NAMING = (GET_RESOURCE, REF)
_REFUSED = "Heat rejects the template."
_NO_VALUE = "Heat accepts the template, but the output has no value."


@template_check(with_conditions=True)
def check(scope: TemplateScope) -> Iterator[Finding]:
    """Yield each unresolved reference in outputs."""
    for output in scope.live_outputs:
        yield from _of_output(scope, output.name, output.value)


@resource_check()
def check_resource(scope: ResourceScope) -> Iterator[Finding]:
    """Yield each unresolved reference in a resource."""
    reported: set[TreePath] = set()
    known = {problem.path[:-1] for problem in scope.function_problems}
    metadata = (scope.words.metadata,)
    for reference in scope.references:
        if reference.message is None or reference.uncertain or (scope.is_external and not _is_read(scope, reference)):
            continue
        if not reference.is_broken:
            reported.add(reference.path)
            yield _finding(scope, reference.resource, reference.message, reference.path)
        elif reference.path not in known and (scope.properties is None or reference.path[2:3] == metadata):
            yield scope.finding(reference.message, reference.path)
    for problem in scope.function_problems:
        if problem.missing_resource is not None and problem.path[:-1] not in reported:
            yield _finding(scope, problem.missing_resource, problem.message, problem.path[:-1])
    for fault in scope.definition_problems:
        if isinstance(fault, StackProblem) and fault.kind is ProblemKind.REFERENCE:
            yield _of_dependency(scope, fault)


def _is_read(scope: ResourceScope, reference: Reference) -> bool:
    """Return whether Heat evaluates a reference of an external resource.

    Its plug-in reads the property, or the reference stands in place of a map: heat/engine/rsrc_defn.py,
    required_resource_names, looks up these before it leaves out the dependencies.
    """
    missed = any(origin[:-1] == reference.path for origin in scope.missed)
    return missed or all(isinstance(step, BranchIndex) or step in IF for step in reference.path[len(scope.path) + 1 :])


def _of_output(scope: TemplateScope, output: str, value: object) -> Iterator[Finding]:
    problems = list(validate(value, scope.stack))
    faults = [fault for fault in problems if fault.missing_resource is not None]
    reported = {fault.path[:-1] for fault in problems}
    for reference in dependencies(value, scope.stack):
        if reference.message is None or reference.path in reported or reference.uncertain:
            continue
        if _names_a_resource(scope, reference):
            yield _in_output(scope, output, reference, _NO_VALUE, Severity.WARNING)
        elif reference.is_broken and scope.stack.enabled_resource_names:
            yield Finding(reference.message, Place(reference.path))
    for fault in faults:
        reference = Reference(fault.missing_resource or "", fault.path[:-1], fault.message)
        yield _in_output(scope, output, reference, _REFUSED, Severity.ERROR)


def _names_a_resource(scope: TemplateScope, reference: Reference) -> bool:
    """Return whether a reference certainly names a resource; an unknown name in `Ref` may also be a parameter."""
    written = at(scope.stack.data, reference.path)
    named = not reference.is_broken and not (isinstance(written, dict) and REF in written)
    return named or scope.stack.names_resource(reference.resource)


def _in_output(scope: TemplateScope, output: str, reference: Reference, ending: str, severity: Severity) -> Finding:
    stack, words, name = scope.stack, scope.words, reference.resource
    place = _place(at(stack.data, reference.path), name, reference.path)
    what = _switched_off(scope, name) if stack.names_resource(name) else f"Unknown resource `{name}`."
    heat = f'The specified reference "{name}" (in unknown) is incorrect.'
    finding = Finding(f"{what} {ending}", Place(place), severity, heat=heat)
    if stack.names_resource(name):
        condition = at(stack.data, (words.resources, name, words.condition))
        ask = AddEntry((words.outputs, output), words.condition, condition)
        fix = DataFix.likely("Add the same condition to the output", ask)
        asks_already = at(stack.data, (words.outputs, output, words.condition)) is not None
        return finding if asks_already else replace(finding, fixes=(fix,))
    if place == reference.path:
        return finding
    if place[-1] == GET_RESOURCE and name in stack.names(words.parameters):
        return of_other_kind(replace(finding, message=what), "parameter", GET_PARAM)
    known = stack.names(words.resources)
    anything = scope.knowledge.catalog.get(_ANY) if not nearest_element(name, known) else None
    fixes = (_creation(words, name, anything, preferred=True),) if anything is not None else ()
    return with_names(replace(finding, fixes=fixes), place, name, known, TITLE)


def _switched_off(scope: Scope, name: str) -> str:
    words, supposition = described(scope.view.resource_condition(name), truth=False), scope.view.supposition
    reason = f": {words}" if supposition is None or words not in supposition.words else ""
    return f"Resource `{name}` is disabled{reason}."


def _of_dependency(scope: ResourceScope, fault: StackProblem) -> Finding:
    """Return the finding for an unknown name in `depends_on`."""
    written = scope.data_at(fault.path)
    names = list(enumerate(written)) if isinstance(written, list) else [(None, written)]
    for index, name in names:
        if isinstance(name, str) and f'"{name}"' in fault.message:
            place = fault.path if index is None else (*fault.path, index)
            return _with_fixes(scope, name, scope.finding(fault.message, place), ())
    return scope.finding(fault.message, fault.path)


def _finding(scope: ResourceScope, name: str, message: str, path: TreePath) -> Finding:
    finding = scope.finding(message, path)
    if scope.view.names_resource(name) and scope.view.is_enabled(name) is not True:
        finding = finding.reworded(_switched_off(scope, name))
    place = _place(scope.data_at(path), name, path)
    return finding if place == path else _with_fixes(scope, name, replace(finding, place=Place(place)), path)


def _place(call: object, name: str, path: TreePath) -> TreePath:
    """Return the path of the resource name in a call, or the path of the call if the name is computed."""
    for function in _NAMING:
        if isinstance(call, dict) and call.get(function) == name:
            return (*path, function)
    ((function, arguments),) = call.items() if isinstance(call, dict) and len(call) == 1 else (("", None),)
    named = isinstance(arguments, list) and arguments and arguments[0] == name
    return (*path, function, 0) if named else path


def _with_fixes(scope: ResourceScope, name: str, finding: Finding, path: TreePath) -> Finding:
    """Return the finding with fixes that use a similar name or create the resource."""
    if scope.view.names_resource(name):  # the resource is disabled, not misspelled
        return finding
    if finding.place.path[-1] == GET_RESOURCE and name in scope.view.names(scope.words.parameters):
        unknown = finding.reworded(f"Unknown resource `{name}`.")
        return of_other_kind(unknown, "parameter", GET_PARAM)
    known = scope.view.names(scope.words.resources)
    kinds: list[ResourceType] = []
    names = nearest_element(name, known)
    if name:
        kinds = _fitting_types(scope, path)
        anything = scope.knowledge.catalog.get(_ANY) if not kinds and not names else None
        kinds += [anything] if anything is not None else []
    creations = (_creation(scope.words, name, kind, preferred=not names and kind is kinds[0]) for kind in kinds)
    return with_names(replace(finding, fixes=tuple(creations)), finding.place.path, name, known, TITLE)


def _creation(words: Dialect, name: str, kind: ResourceType, *, preferred: bool) -> DataFix:
    required = [one for one in kind.properties.values() if one.required]
    entry: dict[str, object] = {words.type: kind.name}
    if required:
        entry[words.properties] = {one.name: set_example(one) for one in required}
    change = AddEntry((words.resources,), name, entry)
    return DataFix(f"Create resource `{name}` ({kind.name})", (change,), Applicability.UNSAFE, preferred=preferred)


def _fitting_types(scope: ResourceScope, path: TreePath) -> list[ResourceType]:
    """Return the types that create the kind of object that a property refers to, such as a network."""
    inner = path[len(scope.properties_path) :]
    wanted = [one.schema for one in scope.written if one.path == inner and (one.schema.entities or one.schema.refers)]
    catalog = scope.knowledge.catalog
    found = (catalog.get(name) for name in catalog.visible_names) if wanted else ()
    made = [one for one in found if one is not None and any(map(one.fits, wanted))]
    return [one for one in made if one.name.startswith("OS::")][:_MOST_TYPES]
