"""A function that fails."""

from collections.abc import Iterator

from heatstudio.analysis.scope.finding import Finding
from heatstudio.analysis.scope.scope import ResourceScope
from heatstudio.stack.values.property_problem import PropertyFault

CODE = "unresolvable-value"


def check(scope: ResourceScope) -> Iterator[Finding]:
    """Yield every property with a function that fails for a reason other than a missing reference."""
    for problem in scope.problems_of(PropertyFault.FUNCTION):
        if problem.missing is not None:
            continue
        yield scope.finding_of(CODE, problem)
