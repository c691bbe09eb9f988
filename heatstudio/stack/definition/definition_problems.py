"""Problems in the definition of a stack, apart from its function calls and property values."""

from collections.abc import Iterable, Iterator, Mapping

from heatstudio.stack.definition.client_files import ClientFiles, registry_faults
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.definition.reads import StackReader
from heatstudio.stack.definition.source import Source, nested_templates
from heatstudio.stack.definition.stack_definition import ALL, StackDefinition
from heatstudio.stack.definition.types import parse_once
from heatstudio.stack.functions.conditions import decide
from heatstudio.stack.functions.examine import FunctionProblem, attribute_reads, dependencies, validate
from heatstudio.stack.functions.function import Function, FunctionError, MissingKind, resolve
from heatstudio.stack.inputs.environment import PARAMETER_DEFAULTS, RESOURCE_REGISTRY, EnvironmentFile
from heatstudio.stack.inputs.parameters import group_problems
from heatstudio.stack.problem import ProblemKind, StackProblem
from heatstudio.stack.resource_definition import ResourceDefinition, resolved_external_id
from heatstudio.stack.resource_proxy import SHOW
from heatstudio.stack.unknown import Unknown
from heatstudio.template import TreePath


def resource_problems(
    stack: StackReader, name: str, *, is_enabled: bool = True
) -> Iterator[StackProblem | FunctionProblem]:
    """Yield the problems of a resource apart from its properties. Raise KeyError for an unknown name.

    Heat only reads the definition of a disabled resource.
    """
    words = stack.language.dialect
    definition = stack.resource_definition(name)
    yield from definition.problems
    yield from _condition_problems(stack, definition.condition, (*definition.place.path, words.condition))
    yield from _deletion_policy_problems(stack, definition)
    if is_enabled:
        yield from _enabled_problems(stack, definition)


def _enabled_problems(stack: StackReader, definition: ResourceDefinition) -> Iterator[StackProblem]:
    words, name, top = stack.language.dialect, definition.name, definition.place.path
    if "/" in name:
        yield StackProblem(ProblemKind.STRUCTURE, top, 'Resource name may not contain "/"')
    yield from _external_id_problems(stack, definition)
    external_id = resolved_external_id(definition, stack)
    if external_id and definition.depends_on:
        shown = "" if isinstance(external_id, Unknown) else f": {external_id}"
        message = f"Invalid dependency with external {definition.type} resource{shown}"
        yield StackProblem(ProblemKind.STRUCTURE, (*top, words.depends_on), message)
        return
    for other in definition.depends_on:
        if not stack.names_resource(other):
            message = f'The specified reference "{other}" (in {name}) is incorrect.'
            yield StackProblem(ProblemKind.REFERENCE, (*top, words.depends_on), message)


def output_problems(stack: StackDefinition, name: str) -> Iterator[StackProblem | FunctionProblem]:
    """Yield the problems of an output apart from its value. Raise KeyError for an unknown name."""
    words = stack.language.dialect
    output = stack.output_definition(name)
    yield from output.problems
    yield from _condition_problems(stack, output.condition, (words.outputs, name, words.condition))


def environment_problems(stack: StackDefinition) -> Iterator[StackProblem]:
    """Yield the problems of the environments apart from values of parameters."""
    yield from stack.environment.problems
    yield from registry_problems(stack.environment.files, stack.client_files)


def parameter_problems(stack: StackDefinition) -> Iterator[StackProblem]:
    """Yield the problems of parameters and parameter groups, including missing values."""
    yield from stack.parameters.problems()
    if stack.language.is_hot:
        yield from group_problems(stack.data.get(stack.language.dialect.parameter_groups), stack.parameters)


def registry_problems(environments: Iterable[EnvironmentFile], files: ClientFiles) -> Iterator[StackProblem]:
    """Yield the entries of resource registries that python-heatclient fails to read."""
    for file in environments:
        registry = file.data.get(RESOURCE_REGISTRY) if isinstance(file.data, Mapping) else None
        for path, message in registry_faults(registry, files):
            yield StackProblem(ProblemKind.ENVIRONMENT, (RESOURCE_REGISTRY, *path), message, file.name)


def _condition_problems(
    stack: StackReader, condition: object, path: TreePath
) -> Iterator[StackProblem | FunctionProblem]:
    found = [problem for problem in validate(condition, stack) if problem.stage == "parse"]
    yield from found
    decided = decide(condition, stack)
    if isinstance(decided, FunctionError) and not found:
        is_definition = decided.path[:1] == (stack.language.dialect.conditions,)
        yield StackProblem(ProblemKind.CONDITION, decided.path if is_definition else path, decided.message)


def _deletion_policy_problems(stack: StackReader, definition: ResourceDefinition) -> Iterator[StackProblem]:
    if not isinstance(definition.deletion_policy, Function):
        return
    words = stack.language.dialect
    path: TreePath = (*definition.place.path, words.deletion_policy)
    try:
        policy = resolve(definition.deletion_policy, stack)
    except FunctionError as error:
        yield StackProblem(ProblemKind.STRUCTURE, path, error.message)
        return
    if policy is None or isinstance(policy, Unknown):
        if any(not reference.uncertain for reference in dependencies(definition.deletion_policy, stack)):
            message = "A deletion policy cannot depend on another resource."
            yield StackProblem(ProblemKind.STRUCTURE, path, message)
    elif policy not in words.deletion_policies:
        yield StackProblem(ProblemKind.STRUCTURE, path, f'Invalid deletion policy "{policy}"')


def _external_id_problems(stack: StackReader, definition: ResourceDefinition) -> Iterator[StackProblem]:
    """Yield the problem of an external ID that Heat fails to compute."""
    if not isinstance(definition.external_id, Function):
        return
    try:
        resolve(definition.external_id, stack)
    except FunctionError as error:
        if error.missing in (None, MissingKind.RESOURCE):  # missing parameters and files have their own problems
            words = stack.language.dialect
            path: TreePath = (*definition.place.path, words.external_id)
            yield StackProblem(ProblemKind.STRUCTURE, path, error.message)


def unloaded_attributes(stack: StackReader, definition: ResourceDefinition) -> Iterator[FunctionProblem]:
    """Yield the reads of attributes that Heat does not load (heat/engine/rsrc_defn.py, dep_attrs)."""
    for part in (definition.update_policy, definition.external_id):
        for call, resource, attribute in attribute_reads(part, stack):
            name = attribute[0] if isinstance(attribute, tuple) else attribute
            loaded = stack.loaded_attributes(resource)
            if isinstance(name, str) and name not in loaded and (ALL not in loaded or name == SHOW):
                message = f"Heat does not load attribute `{name}` of `{resource}` here; also read it in an output."
                yield FunctionProblem(call.name_path, message, "validate")


def unused_defaults(source: Source, stack: StackDefinition, knowledge: Knowledge) -> Iterator[StackProblem]:
    """Yield the environment defaults of parameters that neither the template nor a nested template declares.

    Yield none if a nested template cannot be read. Heat's own templates count as nested templates.
    """
    undeclared = stack.environment.parameter_defaults.keys() - set(stack.parameters.names)
    if not undeclared:
        return
    nested = list(nested_templates(source.template, source.environments, source.files))
    if None in nested:
        return
    declaring = (*nested, *map(parse_once, knowledge.stock_templates.values()))
    for template in declaring:
        undeclared -= set(map(str, template.section(template.dialect.parameters) if template is not None else ()))
    for name in stack.environment.parameter_defaults:
        origin = stack.environment.origin(PARAMETER_DEFAULTS, name)
        if name in undeclared and origin is not None:
            message = f"`{name}` is not a parameter of any template of the stack."
            yield StackProblem(ProblemKind.UNUSED, origin.path, message, origin.file)
