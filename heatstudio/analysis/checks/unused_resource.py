"""A resource that is of no use alone, and that nothing uses."""

from collections.abc import Iterator, Mapping

from heatstudio.analysis.scope import Finding, Place, TemplateScope, template_check
from heatstudio.catalog.rules.advice import advice_facts
from heatstudio.stack.groups.group_truth import at
from heatstudio.template import Part
from heatstudio.text import CheckFamily


@template_check(family=CheckFamily.ADVICE)
def check(scope: TemplateScope) -> Iterator[Finding]:
    """Yield every unused resource of a type that has no effect by itself, such as a software config."""
    stack, types, kinds = scope.stack, advice_facts().useless_alone, dict[str, str]()
    for name in stack.all_resource_names:
        if (kind := stack.resource_type(name)) in types:
            properties = at(stack.data, (scope.words.resources, name, scope.words.properties))
            if not isinstance(properties, Mapping) or properties.keys().isdisjoint(types[kind]):
                kinds[name] = kind
    unused = scope.unused(kinds)
    for name in (name for name in kinds if name in unused):
        message = f"Nothing uses `{name}`, and a resource of type {kinds[name]} has no effect by itself."
        place = Place((scope.words.resources, name), Part.KEY)
        yield Finding(message, place, resource=name)
