"""An unknown property."""

from collections.abc import Collection, Iterator, Mapping
from functools import partial

from heatstudio.analysis.scope import Finding, ResourceScope, meaning, nearest, resource_check
from heatstudio.stack.groups.group_truth import at
from heatstudio.stack.values.property_problem import PropertyFault
from heatstudio.template import DataFix, DeleteEntry, Part, RenameKey, TreePath
from heatstudio.text import Applicability

REPEAT = "repeat"


@resource_check()
def check(scope: ResourceScope) -> Iterator[Finding]:
    """Yield every unknown property at any depth."""
    for problem in scope.problems_of(PropertyFault.UNKNOWN):
        if scope.later_property(problem.path) is not None:
            continue
        path = (*scope.properties_path, *problem.path)
        repeated = _replaced_key(scope, path, problem.alternatives)
        if repeated is not None:
            yield repeated
            continue
        name = str(problem.path[-1])
        given = at(scope.raw_properties, problem.path[:-1])
        others = [one for one in problem.alternatives if not (isinstance(given, Mapping) and one in given)]
        names = nearest(name, others)
        delete = DataFix(f"Delete `{name}`", (DeleteEntry(path),), Applicability.UNSAFE)
        empties = len(problem.path) > 1 and isinstance(given, Mapping) and len(given) == 1
        finding = scope.finding_of(problem, Part.KEY, fixes=() if empties else (delete,))
        yield meaning(finding, names, "Rename to `{}`", partial(RenameKey, path))


def _replaced_key(scope: ResourceScope, path: TreePath, known: Collection[str]) -> Finding | None:
    """Return the finding for a known key of a `repeat` that contains a placeholder, which Heat replaces in keys too."""
    for depth in range(len(scope.properties_path), len(path)):
        call = scope.data_at(path[:depth])
        arguments = call.get(REPEAT) if isinstance(call, Mapping) else None
        template, names = at(arguments, ("template",)), at(arguments, ("for_each",))
        for key in template if isinstance(template, Mapping) else ():
            for name in names if isinstance(names, Mapping) else ():
                if key in known and str(name) in str(key):
                    message = f"`{name}` of `for_each` also replaces a part of `{key}`; use a name such as `%{name}%`."
                    return scope.finding(message, (*path[:depth], REPEAT, "template", str(key)), Part.KEY)
    return None
