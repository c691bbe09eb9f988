"""An invalid condition."""

from collections.abc import Iterator, Mapping

from heatstudio.analysis.scope import Finding, Place, ResourceScope, Scope, TemplateScope
from heatstudio.analysis.scope.calls import IF, calls, parameters_read
from heatstudio.analysis.scope.check import resource_check, template_check
from heatstudio.analysis.scope.missing_name import is_in_definition, of_missing_condition
from heatstudio.stack.definition.definition_problems import output_problems, parameter_problems
from heatstudio.stack.functions.examine import FunctionProblem, validate
from heatstudio.stack.problem import ProblemKind, StackProblem
from heatstudio.template import Part, TreePath

DEFINED = 2
"""The length of the path of a definition."""


@template_check()
def check(scope: TemplateScope) -> Iterator[Finding]:
    """Yield every invalid condition in the conditions section and in outputs."""
    stack = scope.stack
    for problem in stack.conditions.problems(stack):
        yield _finding(scope, problem)
    if scope.stack.parent_resource is not None:
        yield from _not_provided(scope)
    for name in stack.output_names:
        for problem in output_problems(stack, name):
            if isinstance(problem, FunctionProblem) or problem.kind is ProblemKind.CONDITION:
                yield _finding(scope, problem)
    for output in scope.live_outputs:
        yield from (_finding(scope, one) for one in validate(output.value, stack) if is_in_definition(scope, one))


def _not_provided(scope: TemplateScope) -> Iterator[Finding]:
    """Yield the parameters without a value that the conditions of a nested template read before its creation."""
    missing = {p.path[-1]: p.message for p in parameter_problems(scope.stack) if p.kind is ProblemKind.MISSING}
    read = (call for data, path in _evaluated(scope) for call in calls(data, path)) if missing else ()
    for name, place in parameters_read(read, scope.view):
        if name in missing:
            yield Finding(missing[name], Place(place))


def _evaluated(scope: TemplateScope) -> Iterator[tuple[object, TreePath]]:
    """Yield the conditions that Heat evaluates: those of resources, outputs and `if`, and those that these name."""
    words, pending, names = scope.words, list[tuple[object, TreePath]](), set[str]()
    for section in (words.resources, words.outputs):
        data = scope.data_at((section,))
        for name, entry in data.items() if isinstance(data, Mapping) else ():
            if isinstance(entry, Mapping):
                pending.append((entry.get(words.condition), (section, str(name), words.condition)))
        found = calls(data, (section,))
        pending += [
            (given[0], (*at, 0)) for name, given, at in found if name in IF and isinstance(given, list) and given
        ]
    yield from pending
    while pending:
        written, _ = pending.pop()
        below = written.values() if isinstance(written, Mapping) else written if isinstance(written, list) else ()
        pending += [(item, ()) for item in below]
        definition = scope.stack.conditions.written(written)
        if isinstance(written, str) and definition is not None and written not in names:
            names.add(written)
            pending.append((definition, ()))
            yield definition, (words.conditions, written)


@resource_check(when_disabled=True)
def check_resource(scope: ResourceScope) -> Iterator[Finding]:
    """Yield the invalid condition of a resource."""
    for problem in scope.definition_problems:
        if isinstance(problem, FunctionProblem) or problem.kind is ProblemKind.CONDITION:
            yield _finding(scope, problem)
    yield from (_finding(scope, one) for one in scope.function_problems if is_in_definition(scope, one))


def _finding(scope: Scope, problem: StackProblem | FunctionProblem) -> Finding:
    path = problem.path
    is_call = len(path) > DEFINED if is_in_definition(scope, problem) else isinstance(problem, FunctionProblem)
    part = Part.KEY if is_call else Part.VALUE
    name = scope.name if isinstance(scope, ResourceScope) else None
    finding = Finding(problem.message, Place(path, part), resource=name)
    return of_missing_condition(finding, scope) or finding
