"""A function that fails."""

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from heatstudio.analysis.scope import Finding, Place, ResourceScope, resource_check
from heatstudio.stack.functions.function import FunctionError, parse, resolve
from heatstudio.stack.unknown import Shape, Unknown
from heatstudio.stack.values.property_problem import PropertyFault
from heatstudio.template import DataFix, Part, SetValue


@resource_check(when_created=True)
def check(scope: ResourceScope) -> Iterator[Finding]:
    """Yield every property with a function that fails for a reason other than a missing reference."""
    for problem in scope.problems_of(PropertyFault.FUNCTION):
        if problem.missing is not None:
            continue
        finding = scope.finding_of(problem)
        path = (*problem.origin, *problem.argument)
        if scope.data_at(problem.origin) is None:
            yield finding  # the call is in another template
        else:
            part = Part.VALUE if isinstance(path[-1], int) else Part.KEY
            yield _with_brackets(scope, replace(finding, place=Place(path, part)))


def _with_brackets(scope: ResourceScope, finding: Finding) -> Finding:
    """Return the finding with the fix that makes a single string a list, if the function needs a list."""
    item = scope.data_at(finding.place.path)
    if not finding.message.endswith("must operate on a list") or not isinstance(item, (str, Mapping)):
        return finding
    try:
        value = resolve(parse(item, scope.view.language, finding.place.path), scope.view)
    except FunctionError:
        return finding
    if not isinstance(value, str) and not (isinstance(value, Unknown) and value.shape in (Shape.TEXT, Shape.CHARACTER)):
        return finding
    message = f"`{finding.place.path[-2]}` needs a list, not a single item; put it in brackets."
    change = SetValue(finding.place.path, [item])
    fix = DataFix.likely("Put the item in brackets", change)
    return finding.reworded(message, fix)
