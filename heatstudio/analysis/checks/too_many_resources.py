"""Too many resources."""

from collections.abc import Iterator

from heatstudio.analysis.scope.finding import Finding, Place
from heatstudio.analysis.scope.scope import TemplateScope
from heatstudio.template import Part
from heatstudio.text import Severity

CODE = "too-many-resources"
LIMIT = 1000


def check(scope: TemplateScope) -> Iterator[Finding]:
    """Yield a finding if the number of resources exceeds Heat's default limit."""
    count = len(scope.stack.all_resource_names)
    if count > LIMIT:
        message = f"{count} resources exceed Heat's default limit of {LIMIT}; create several stacks."
        yield Finding(CODE, Severity.ERROR, message, Place((scope.words.resources,), Part.KEY))
