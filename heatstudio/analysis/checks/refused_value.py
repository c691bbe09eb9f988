"""A value that breaks a constraint."""

from collections.abc import Iterator

from heatstudio.analysis.scope.check import resource_check
from heatstudio.analysis.scope.finding import Finding
from heatstudio.analysis.scope.missing_name import with_allowed
from heatstudio.analysis.scope.scope import ResourceScope
from heatstudio.catalog import AllowedValues
from heatstudio.stack.values.property_problem import PropertyFault

CODE = "refused-value"


@resource_check(when_created=True)
def check(scope: ResourceScope) -> Iterator[Finding]:
    """Yield every value that breaks a constraint of its property."""
    for problem in scope.problems_of(PropertyFault.CONSTRAINT):
        finding, constraint = scope.finding_of(CODE, problem), problem.constraint
        if isinstance(constraint, AllowedValues) and scope.data_at(finding.place.path) == problem.value:
            finding = with_allowed(finding, problem.value, constraint.values)
        yield finding
