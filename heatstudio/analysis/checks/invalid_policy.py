"""An unsupported policy."""

from collections.abc import Iterator, Mapping

from heatstudio.analysis.scope import Finding, ResourceScope, resource_check
from heatstudio.stack.functions.function import FunctionError, resolve
from heatstudio.stack.values.properties import Properties
from heatstudio.template import Part

SNAPSHOT = "Snapshot"


@resource_check()
def check(scope: ResourceScope) -> Iterator[Finding]:
    """Yield update and deletion policies that the type does not support."""
    if scope.type is None or not scope.is_validated:
        return
    path = (*scope.path, scope.words.update_policy)
    policy = scope.definition.update_policy
    if isinstance(policy, Mapping) and scope.found is not None:
        properties = Properties(scope.type.update_policy, policy, resolve=lambda value: resolve(value, scope.view))
        for problem in properties.problems():
            yield scope.finding(f"Property error: {problem.message}", (*path, *problem.path), Part.KEY)
    try:
        deletion = resolve(scope.definition.deletion_policy, scope.view)
    except FunctionError:
        return
    if isinstance(deletion, str) and deletion.title() == SNAPSHOT and not scope.type.snapshot_allowed:
        message = f'"{SNAPSHOT}" deletion policy not supported'
        yield scope.finding(message, (*scope.path, scope.words.deletion_policy))
