"""An unknown property."""

from collections.abc import Iterator, Mapping
from functools import partial

from msgspec.structs import replace

from heatstudio.analysis.scope.check import resource_check
from heatstudio.analysis.scope.finding import Finding
from heatstudio.analysis.scope.later import later_property
from heatstudio.analysis.scope.missing_name import meaning
from heatstudio.analysis.scope.nearest import nearest
from heatstudio.analysis.scope.scope import ResourceScope
from heatstudio.stack.groups.group_places import at
from heatstudio.stack.values.property_problem import PropertyFault
from heatstudio.template import DataFix, DeleteEntry, Part, RenameKey
from heatstudio.text import Applicability

CODE = "unknown-property"


@resource_check()
def check(scope: ResourceScope) -> Iterator[Finding]:
    """Yield every unknown property at any depth."""
    for problem in scope.problems_of(PropertyFault.UNKNOWN):
        if later_property(scope, problem.path) is not None:
            continue
        path = (*scope.properties_path, *problem.path)
        name = str(problem.path[-1])
        given = at(scope.raw_properties, problem.path[:-1])
        others = [one for one in problem.alternatives if not (isinstance(given, Mapping) and one in given)]
        names = nearest(name, others)
        delete = DataFix(f"Delete `{name}`", (DeleteEntry(path),), Applicability.UNSAFE)
        finding = scope.finding_of(CODE, problem, Part.KEY)
        yield meaning(replace(finding, fixes=(delete,)), names, "Rename to `{}`", partial(RenameKey, path))
