"""# Too many resources

The template has more resources than Heat allows in a stack.

## Why

Heat rejects stacks of more than 1,000 resources, including those of nested stacks (`max_resources_per_stack` in
heat.conf).

## Example

    resources:
      server_1: {type: OS::Nova::Server}
      # ... up to server_1001

## How to fix it

Create several stacks. Members of groups and resources of nested stacks count, too.
"""

from __future__ import annotations

from collections.abc import Iterator

from heatstudio.analysis.scope.finding import Finding, Place
from heatstudio.analysis.scope.scope import TemplateScope
from heatstudio.template import Part
from heatstudio.text import Severity

CODE = "too-many-resources"
LIMIT = 1000


def check(scope: TemplateScope) -> Iterator[Finding]:
    """The number of resources, if Heat's default configuration refuses it."""
    count = len(scope.stack.all_resource_names)
    if count > LIMIT:
        message = f"{count} resources exceed Heat's default limit of {LIMIT} per stack; split the template."
        yield Finding(CODE, Severity.ERROR, message, Place((scope.words.resources,), Part.KEY))
