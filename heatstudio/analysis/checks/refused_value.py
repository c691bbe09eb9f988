"""A value that breaks a constraint."""

from collections.abc import Iterator

from msgspec.structs import replace

from heatstudio.analysis.scope.check import resource_check
from heatstudio.analysis.scope.finding import Finding
from heatstudio.analysis.scope.nearest import nearest
from heatstudio.analysis.scope.scope import ResourceScope
from heatstudio.catalog import AllowedValues
from heatstudio.stack.values.property_problem import PropertyFault
from heatstudio.template import DataFix, SetValue
from heatstudio.text import Applicability

CODE = "refused-value"


@resource_check(when_created=True)
def check(scope: ResourceScope) -> Iterator[Finding]:
    """Yield every value that breaks a constraint of its property."""
    for problem in scope.problems_of(PropertyFault.CONSTRAINT):
        path = (*scope.properties_path, *problem.path)
        finding = scope.finding_of(CODE, problem)
        if isinstance(problem.constraint, AllowedValues) and isinstance(problem.value, str):
            names = nearest(problem.value, [str(value) for value in problem.constraint.values])
            fixes = [DataFix(f"Use {name}", (SetValue(path, name),), Applicability.UNSAFE) for name in names]
            finding = replace(finding, fixes=tuple(fixes))
        yield finding
