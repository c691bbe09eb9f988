"""A property that Heat does not implement."""

from collections.abc import Iterator

from msgspec.structs import replace

from heatstudio.analysis.scope.check import resource_check
from heatstudio.analysis.scope.finding import Finding
from heatstudio.analysis.scope.scope import ResourceScope
from heatstudio.stack.values.property_problem import PropertyFault
from heatstudio.template import DataFix, DeleteEntry, Part
from heatstudio.text import Applicability

CODE = "unimplemented-property"


@resource_check()
def check(scope: ResourceScope) -> Iterator[Finding]:
    """Yield every written property that Heat does not implement."""
    for problem in scope.problems_of(PropertyFault.NOT_IMPLEMENTED):
        path = (*scope.properties_path, *problem.path)
        delete = DataFix(f"Delete `{path[-1]}`", (DeleteEntry(path),), Applicability.UNSAFE)
        yield replace(scope.finding_of(CODE, problem, Part.KEY), fixes=(delete,))
