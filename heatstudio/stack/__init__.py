"""What does it mean? Stacks as Heat defines them: functions, parameters, conditions, environments, resources."""

from heatstudio.stack.definition.reading import Read, ReadKind
from heatstudio.stack.definition.stack_definition import StackDefinition, Types
from heatstudio.stack.functions.examine import (
    FunctionProblem,
    Reference,
    dep_attrs,
    dependencies,
    validate,
)
from heatstudio.stack.functions.function import ALL_ATTRIBUTES, OMITTED, Function, FunctionError, parse, resolve
from heatstudio.stack.functions.language import Language, make_language
from heatstudio.stack.inputs.environment import NO_ENVIRONMENT, Environment, EnvironmentFile, Origin
from heatstudio.stack.inputs.parameter_schema import ParameterSchema, ParameterType
from heatstudio.stack.path import Path, dotted
from heatstudio.stack.problem import ProblemKind, StackProblem
from heatstudio.stack.resource_definition import OutputDefinition, ResourceDefinition
from heatstudio.stack.resource_proxy import NodeData, ParentResourceProxy, ResourceProxy
from heatstudio.stack.unknown import Unknown, has_unknown, same

__all__ = [
    "ALL_ATTRIBUTES",
    "NO_ENVIRONMENT",
    "OMITTED",
    "Environment",
    "EnvironmentFile",
    "Function",
    "FunctionError",
    "FunctionProblem",
    "Language",
    "NodeData",
    "Origin",
    "OutputDefinition",
    "ParameterSchema",
    "ParameterType",
    "ParentResourceProxy",
    "Path",
    "ProblemKind",
    "Read",
    "ReadKind",
    "Reference",
    "ResourceDefinition",
    "ResourceProxy",
    "StackDefinition",
    "StackProblem",
    "Types",
    "Unknown",
    "dep_attrs",
    "dependencies",
    "dotted",
    "has_unknown",
    "make_language",
    "parse",
    "resolve",
    "same",
    "validate",
]
