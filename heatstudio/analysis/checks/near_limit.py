"""A template near a limit of Heat."""

from collections.abc import Iterator

from heatstudio.analysis.scope.check import template_check
from heatstudio.analysis.scope.finding import Finding, Place
from heatstudio.analysis.scope.scope import TemplateScope
from heatstudio.stack.definition.tree_size import MOST_IN_STACK
from heatstudio.template import Part
from heatstudio.template.template import SIZE_LIMIT
from heatstudio.text import CheckFamily, Severity

CODE = "near-limit"
_NEAR = 0.8


@template_check(family=CheckFamily.ADVICE)
def check(scope: TemplateScope) -> Iterator[Finding]:
    """Yield the limits of which the template needs more than four fifths."""
    words = scope.words
    count, size = len(scope.stack.all_resource_names), len(scope.template.text)
    limits = (
        (words.resources, count, MOST_IN_STACK, f"{count} resources: Heat allows {MOST_IN_STACK}"),
        (words.version_key, size, SIZE_LIMIT, f"{size // 1024} KiB of text: Heat allows {SIZE_LIMIT // 1024} KiB"),
    )
    for key, number, limit, message in limits:
        if _NEAR * limit < number <= limit:
            place = Place((key,), Part.KEY)
            yield Finding(CODE, Severity.INFORMATION, f"{message} by default.", place)
