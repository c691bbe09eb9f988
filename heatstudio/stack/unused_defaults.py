"""Detection of `parameter_defaults` without a parameter, which Heat accepts silently (heat/engine/environment.py)."""

from collections.abc import Iterator

from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.definition.source import Source, nested_templates
from heatstudio.stack.definition.stack_definition import StackDefinition
from heatstudio.stack.definition.types import parse_once
from heatstudio.stack.inputs.environment import PARAMETER_DEFAULTS
from heatstudio.stack.problem import ProblemKind, StackProblem


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
