"""A property that is set under both its old and its new name."""

from collections.abc import Iterator
from itertools import takewhile

from heatstudio.analysis.scope import Finding, ResourceScope, resource_check
from heatstudio.stack.values.property_problem import PropertyFault
from heatstudio.template import Part


@resource_check()
def check(scope: ResourceScope) -> Iterator[Finding]:
    """Yield every property that is set under both its old and its new name."""
    for problem in scope.problems_of(PropertyFault.CONFLICT):
        yield scope.finding_of(problem, Part.KEY)
    reported = set()
    for problem in scope.problems_of(PropertyFault.UNADDABLE):
        if isinstance(problem.value, tuple) and problem.value not in reported:
            reported.add(problem.value)
            new, old = problem.value
            path = tuple(takewhile(lambda step: isinstance(step, str), problem.path))
            message = f"`{new}` and `{old}` cannot both be set."
            yield scope.finding(message, (*scope.properties_path, *path), Part.KEY, heat=problem.message)
