"""A property that is set under both its old and its new name."""

from collections.abc import Iterator
from itertools import takewhile

from msgspec.structs import replace

from heatstudio.analysis.scope.check import resource_check
from heatstudio.analysis.scope.finding import Finding
from heatstudio.analysis.scope.scope import ResourceScope
from heatstudio.stack.values.property_problem import PropertyFault
from heatstudio.template import Part

CODE = "conflicting-properties"


@resource_check()
def check(scope: ResourceScope) -> Iterator[Finding]:
    """Yield every property that is set under both its old and its new name."""
    for problem in scope.problems_of(PropertyFault.CONFLICT):
        yield scope.finding_of(CODE, problem, Part.KEY)
    reported = set()
    for problem in scope.problems_of(PropertyFault.UNADDABLE):
        if isinstance(problem.value, tuple) and problem.value not in reported:
            reported.add(problem.value)
            new, old = problem.value
            path = tuple(takewhile(lambda step: isinstance(step, str), problem.path))
            message = f"`{new}` and `{old}` cannot both be set."
            found = scope.finding(CODE, message, (*scope.properties_path, *path), Part.KEY)
            yield replace(found, heat=problem.message)
