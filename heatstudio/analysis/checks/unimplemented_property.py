"""A property that Heat does not implement."""

from collections.abc import Iterator

from msgspec.structs import replace

from heatstudio.analysis.scope import Finding, ResourceScope, resource_check
from heatstudio.stack.values.property_problem import PropertyFault
from heatstudio.template import DataFix, DeleteEntry, Part, TreePath
from heatstudio.text import Applicability


@resource_check()
def check(scope: ResourceScope) -> Iterator[Finding]:
    """Yield every written property that Heat does not implement; a list only once."""
    reported = set[TreePath]()
    for problem in scope.problems_of(PropertyFault.NOT_IMPLEMENTED):
        is_item = isinstance(problem.path[-1], int)
        whole = problem.path[:-1] if is_item else problem.path
        if whole in reported:
            continue
        reported.add(whole)
        path, name = (*scope.properties_path, *whole), whole[-1]
        delete = DataFix(f"Delete `{name}`", (DeleteEntry(path),), Applicability.UNSAFE)
        message = f"Heat does not implement the items of `{name}` of {scope.type_words}." if is_item else ""
        yield scope.finding_of(replace(problem, path=whole), Part.KEY, message=message, fixes=(delete,))
