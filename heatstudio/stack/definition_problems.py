"""What is wrong with the definition of a stack, apart from the calls and the values in it."""

from __future__ import annotations

from collections.abc import Iterator

from heatstudio.stack.definition import StackDefinition
from heatstudio.stack.functions.examine import FunctionProblem, dependencies, validate
from heatstudio.stack.functions.function import Function, FunctionError, MissingThing, resolve
from heatstudio.stack.inputs.parameter_groups import group_problems
from heatstudio.stack.path import Path
from heatstudio.stack.problem import ProblemKind, StackProblem
from heatstudio.stack.resource_definition import ResourceDefinition
from heatstudio.stack.unknown import Unknown


def resource_problems(stack: StackDefinition, name: str) -> Iterator[StackProblem | FunctionProblem]:
    """What is wrong with the definition of a resource apart from its properties. Raises KeyError."""
    words = stack.language.dialect
    definition = stack.resource_definition(name)
    yield from definition.problems
    yield from _condition_problems(stack, definition.condition, (words.resources, name, words.condition))
    yield from _deletion_policy_problems(stack, definition)
    yield from _external_id_problems(stack, definition)
    if definition.external_id is not None and definition.depends_on:
        yield _dependent_external(stack, definition)
        return
    for other in definition.depends_on:
        if not stack.names_resource(other):
            message = f'The specified reference "{other}" (in {name}) is incorrect.'
            yield StackProblem(ProblemKind.REFERENCE, (words.resources, name, words.depends_on), message)


def output_problems(stack: StackDefinition, name: str) -> Iterator[StackProblem | FunctionProblem]:
    """What is wrong with the definition of an output apart from its value. Raises KeyError."""
    words = stack.language.dialect
    output = stack.output_definition(name)
    yield from output.problems
    yield from _condition_problems(stack, output.condition, (words.outputs, name, words.condition))


def parameter_problems(stack: StackDefinition) -> Iterator[StackProblem]:
    """What is wrong with environment, parameters and parameter groups, and every value that is missing."""
    yield from stack.environment.problems
    yield from stack.parameters.problems()
    if stack.language.is_hot:
        yield from group_problems(stack.data.get(stack.language.dialect.parameter_groups), stack.parameters)


def condition_problems(stack: StackDefinition) -> Iterator[StackProblem | FunctionProblem]:
    """What is wrong with the section of conditions."""
    return stack.conditions.problems(stack)


def _condition_problems(
    stack: StackDefinition, condition: object, path: Path
) -> Iterator[StackProblem | FunctionProblem]:
    found = list(validate(condition, stack))
    yield from found
    decided = stack.decide(condition)
    if isinstance(decided, FunctionError) and not found:
        yield StackProblem(ProblemKind.CONDITION, path, decided.message)


def _deletion_policy_problems(stack: StackDefinition, definition: ResourceDefinition) -> Iterator[StackProblem]:
    if not isinstance(definition.deletion_policy, Function):
        return
    words = stack.language.dialect
    path: Path = (words.resources, definition.name, words.deletion_policy)
    try:
        policy = resolve(definition.deletion_policy, stack)
    except FunctionError as error:
        yield StackProblem(ProblemKind.STRUCTURE, path, error.message)
        return
    if policy is None or isinstance(policy, Unknown):
        if any(not reference.uncertain for reference in dependencies(definition.deletion_policy, stack)):
            message = "A deletion policy cannot come from another resource: Heat fails in an endless search for it"
            yield StackProblem(ProblemKind.STRUCTURE, path, message)
    elif policy not in words.deletion_policies:
        yield StackProblem(ProblemKind.STRUCTURE, path, f'Invalid deletion policy "{policy}"')


def _external_id_problems(stack: StackDefinition, definition: ResourceDefinition) -> Iterator[StackProblem]:
    """An id that Heat fails to compute: it needs it to make the resource."""
    if not isinstance(definition.external_id, Function) or stack.is_enabled(definition.name) is False:
        return
    try:
        resolve(definition.external_id, stack)
    except FunctionError as error:
        if error.missing in (None, MissingThing.RESOURCE):  # of parameters and files it is told where they are named
            words = stack.language.dialect
            path: Path = (words.resources, definition.name, words.external_id)
            yield StackProblem(ProblemKind.STRUCTURE, path, error.message)


def _dependent_external(stack: StackDefinition, definition: ResourceDefinition) -> StackProblem:
    words = stack.language.dialect
    try:
        shown = resolve(definition.external_id, stack)
    except FunctionError:
        shown = None
    what = "" if shown is None or isinstance(shown, Unknown) else f": {shown}"
    message = f"Invalid dependency with external {definition.type} resource{what}"
    path: Path = (words.resources, definition.name, words.depends_on)
    return StackProblem(ProblemKind.STRUCTURE, path, message)
