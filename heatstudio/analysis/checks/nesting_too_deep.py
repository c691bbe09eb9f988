"""# Templates within templates within templates

Heat allows five levels of nested stacks below a stack (`max_nested_stack_depth` of heat.conf). Deeper nesting, and so a
template that contains itself, is refused.
"""

from __future__ import annotations

from collections.abc import Iterator

from heatstudio.analysis.finding import Finding
from heatstudio.analysis.scope import ResourceScope
from heatstudio.catalog import Family
from heatstudio.stack.types import DEEPEST_NESTING

CODE = "nesting-too-deep"
OWNERS = frozenset({Family.STACK, Family.TEMPLATE})


def check(scope: ResourceScope) -> Iterator[Finding]:
    """A resource that owns a stack, where Heat allows no further one."""
    if (
        scope.whole.source.depth >= DEEPEST_NESTING
        and scope.is_validated
        and scope.type
        and OWNERS & scope.type.families
    ):
        message = f"Recursion depth exceeds {DEEPEST_NESTING}: stacks cannot be nested deeper."
        yield scope.finding(CODE, message, (*scope.path, scope.words.type))
