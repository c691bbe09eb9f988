"""Too many resources."""

from collections.abc import Iterator

from heatstudio.analysis.scope import Finding, Place, ResourceScope, TemplateScope, resource_check, template_check
from heatstudio.stack.definition.source import MOST_IN_STACK
from heatstudio.stack.values.member_count import member_count
from heatstudio.template import Part
from heatstudio.text import Severity


@template_check(with_conditions=True)
def check(scope: TemplateScope) -> Iterator[Finding]:
    """Yield a finding if the number of resources exceeds Heat's default limit."""
    count, place = len(scope.stack.all_resource_names), Place((scope.words.resources,), Part.KEY)
    if count > MOST_IN_STACK:
        message = f"{count} resources exceed Heat's default limit of {MOST_IN_STACK}; create several stacks."
        yield Finding(message, place)
    elif scope.types.depth == 0 and (count := scope.size.least) > MOST_IN_STACK:
        late = f"Above {MOST_IN_STACK}, Heat may fail to create or update the stack."
        yield Finding(f"{count} resources with nested stacks. {late}", place, Severity.WARNING)


@resource_check(refuses=False)
def check_resource(scope: ResourceScope) -> Iterator[Finding]:
    """Yield a finding if a group has more members than Heat's default limit."""
    rule = scope.member_rule
    count = member_count(scope.properties, rule) if rule is not None and scope.properties is not None else None
    if count is not None and count > MOST_IN_STACK:
        message = f"{count} members exceed Heat's default limit of {MOST_IN_STACK} resources; create several groups."
        yield scope.finding(message, scope.path, Part.KEY).late()
