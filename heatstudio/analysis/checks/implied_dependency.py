"""A dependency that a reference implies."""

from collections.abc import Iterator

from heatstudio.analysis.scope import Finding, ResourceScope, resource_check
from heatstudio.stack.path import BranchIndex
from heatstudio.template import DataFix, DeleteEntry
from heatstudio.text import CheckFamily


@resource_check(in_members=False, family=CheckFamily.ADVICE)
def check(scope: ResourceScope) -> Iterator[Finding]:
    """Yield every name in `depends_on` to which the properties refer anyway, whatever the conditions are."""
    if not scope.definition.depends_on:
        return
    path = (*scope.path, scope.words.depends_on)
    written = scope.data_at(path)
    certain = (one for one in scope.references if one.message is None and not one.uncertain)
    referred = {one.resource for one in certain if not any(isinstance(step, BranchIndex) for step in one.path)}
    names = written if isinstance(written, list) else [written]
    for index, name in enumerate(names):
        if isinstance(name, str) and name in referred:
            place = (*path, index) if isinstance(written, list) else path
            message = f"A reference already makes this resource wait for `{name}`."
            change = DeleteEntry(place if len(names) > 1 else path)
            fix = DataFix.likely(f"Remove `{name}` from `{path[-1]}`", change)
            yield scope.finding(message, place, fixes=(fix,))
