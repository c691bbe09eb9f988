"""A template near a limit of Heat."""

from collections.abc import Iterator

from heatstudio.analysis.scope import Finding, Place, TemplateScope, template_check
from heatstudio.catalog.rules.advice import advice_facts
from heatstudio.stack.definition.source import MOST_IN_STACK
from heatstudio.stack.definition.types import DEEPEST_NESTING
from heatstudio.template import Part
from heatstudio.template.template import SIZE_LIMIT
from heatstudio.text import CheckFamily


@template_check(family=CheckFamily.ADVICE)
def check(scope: TemplateScope) -> Iterator[Finding]:
    """Yield the limits of which the template needs more than four fifths."""
    words, most = scope.words, advice_facts().limits
    count = max(len(scope.stack.all_resource_names), scope.size.least)
    depth, size = scope.types.depth + scope.size.depth, len(scope.template.text)
    name = max(scope.stack.all_resource_names, key=len, default="")
    limits = (
        (words.resources, count, MOST_IN_STACK, f"{count} resources: Heat allows {MOST_IN_STACK}"),
        (words.resources, depth, DEEPEST_NESTING, f"{depth} levels of nested stacks: Heat allows {DEEPEST_NESTING}"),
        (words.version_key, size, SIZE_LIMIT, f"{size // 1024} KiB of text: Heat allows {SIZE_LIMIT // 1024} KiB"),
    )
    for key, number, limit, message in limits:
        if most.near * limit < number <= limit:
            yield Finding(f"{message} by default.", Place((key,), Part.KEY))
    if len(name) > most.near * most.name:
        message = f"The name has {len(name)} characters: Heat stores at most {most.name}."
        yield Finding(message, Place((words.resources, name), Part.KEY), resource=name)
