"""A resource and a parameter with the same name."""

from collections.abc import Iterator

from heatstudio.analysis.scope import Finding, Place, TemplateScope, template_check
from heatstudio.template import Part
from heatstudio.text import Severity


@template_check(with_conditions=True)
def check(scope: TemplateScope) -> Iterator[Finding]:
    """Yield every name that a parameter and a resource share."""
    words, stack = scope.words, scope.stack
    enabled = set(stack.enabled_resource_names)
    declared = set(stack.parameters.names)
    for name in (*stack.parameters.names, *stack.parameters.pseudo_names):
        if name in enabled:
            which = "a parameter" if name in declared else "the pseudo parameter"
            message = f"Duplicate name `{name}`: {which} and a resource have the same name."
            place = Place((words.resources, name), Part.KEY)
            also = (Place((words.parameters, name), Part.KEY),) if name in declared else ()
            related = tuple(("the parameter", parameter) for parameter in also)
            severity = Severity.ERROR if stack.is_enabled(name) is True else Severity.WARNING
            yield Finding(message, place, severity, resource=name, also=also, related=related)
