"""Stacks nested too deep."""

from collections.abc import Iterator

from heatstudio.analysis.scope import Finding, ResourceScope, resource_check
from heatstudio.analysis.scope.scope import OWNERS
from heatstudio.stack.definition.types import DEEPEST_NESTING


@resource_check()
def check(scope: ResourceScope) -> Iterator[Finding]:
    """Yield a finding for a resource that owns a nested stack below the maximum depth."""
    if scope.depth >= DEEPEST_NESTING and scope.is_validated and scope.type and OWNERS & scope.type.families:
        message = f"Nested stacks exceed Heat's default limit of {DEEPEST_NESTING} levels."
        yield scope.finding(message, scope.type_path)
