"""A value that breaks a constraint."""

from collections.abc import Iterator

from msgspec.structs import replace

from heatstudio.analysis.scope import Finding, ResourceScope, resource_check
from heatstudio.analysis.scope.missing_name import with_allowed
from heatstudio.catalog.schema import AllowedValues
from heatstudio.stack.inputs.parameter_schema import ParameterType
from heatstudio.stack.unknown import Shape, Unknown
from heatstudio.stack.values.property_problem import PropertyFault
from heatstudio.template import DataFix, SetValue


@resource_check(when_created=True)
def check(scope: ResourceScope) -> Iterator[Finding]:
    """Yield every value that breaks a constraint of its property."""
    for problem in scope.problems_of(PropertyFault.CONSTRAINT):
        finding, constraint = scope.finding_of(problem), problem.constraint
        if isinstance(constraint, AllowedValues) and scope.data_at(finding.place.path) == problem.value:
            finding = with_allowed(finding, problem.value, constraint.values)
        if isinstance(problem.value, Unknown) and problem.value.shape is Shape.CHARACTER:
            finding = _of_character(scope, finding, problem.value)
        yield finding


def _of_character(scope: ResourceScope, finding: Finding, character: Unknown) -> Finding:
    """Return the finding in words about the parameter: an index of a string reads one character."""
    name = next(iter(character.origins), "").removeprefix("parameter:")
    schema = scope.view.schema(name)
    if len(character.origins) != 1 or schema is None or schema.type is not ParameterType.STRING:
        return finding
    kind = dict(zip(ParameterType, scope.words.parameter_types, strict=True))[ParameterType.LIST]
    change = SetValue((scope.words.parameters, name, scope.words.type), kind)
    fix = DataFix.likely(f"Declare `{name}` as {kind}", change)
    return replace(finding, message=f"This is one character of `{name}`, which is a string, not a list.", fixes=(fix,))
