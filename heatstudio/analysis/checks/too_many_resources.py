"""# More resources than a stack may have

Heat's default limit is 1,000 resources a stack (`max_resources_per_stack`).
"""

from __future__ import annotations

from collections.abc import Iterator

from heatstudio.analysis.finding import Finding, Place
from heatstudio.analysis.scope import TemplateScope
from heatstudio.template import Part
from heatstudio.text import Severity

CODE = "too-many-resources"
LIMIT = 1000


def check(scope: TemplateScope) -> Iterator[Finding]:
    """The number of resources, if Heat's default configuration refuses it."""
    count = len(scope.stack.all_resource_names)
    if count > LIMIT:
        message = f"{count} resources are more than the {LIMIT} that Heat allows by default: split the template up."
        yield Finding(CODE, Severity.ERROR, message, Place((scope.words.resources,), Part.KEY))
