"""A value of the wrong type."""

from collections.abc import Iterator

from heatstudio.analysis.scope import Finding, ResourceScope, resource_check
from heatstudio.catalog.schema import PropertyType
from heatstudio.stack.groups.group_truth import at
from heatstudio.stack.values.property_problem import PropertyFault, PropertyProblem
from heatstudio.template import DataFix, SetValue

_MEANT = {
    **dict.fromkeys(("yes", "y", "on", "t", "1", "enabled"), True),
    **dict.fromkeys(("no", "n", "off", "f", "0", "disabled"), False),
}


@resource_check(when_created=True)
def check(scope: ResourceScope) -> Iterator[Finding]:
    """Yield each value that cannot be converted to its type, except misspelled functions.

    In a nested stack, misspelled functions are included, because no other check reports them.
    """
    problems = list(scope.problems_of(PropertyFault.TYPE))
    stray = {call.path[:-1] for call in scope.stray_calls} if scope.strict and problems else set()
    for problem in problems:
        if (*scope.properties_path, *problem.path) in stray:
            continue
        yield scope.finding_of(problem, fixes=tuple(_fixes(scope, problem)))


def _fixes(scope: ResourceScope, problem: PropertyProblem) -> Iterator[DataFix]:
    """Yield the fix that writes a boolean for a word such as `yes`."""
    is_boolean = problem.schema is not None and problem.schema.type is PropertyType.BOOLEAN
    if is_boolean and at(scope.raw_properties, problem.path) == problem.value:
        meant = _MEANT.get(str(problem.value).lower())
        if meant is not None:
            word = "true" if meant else "false"
            change = SetValue((*scope.properties_path, *problem.path), meant)
            yield DataFix.likely(f"Write `{word}`", change)
