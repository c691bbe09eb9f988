"""# A name that Heat looks up in your cloud

The property takes the name or the id of something in the cloud. Heat looks the name up whenever it creates or updates
the stack. You are connected to a cloud, and it has exactly one thing of this name.

## Why

This is a hint: the name is right. An id is quicker, and stays right when somebody gives the name to another thing;
but it ties the template to this one cloud.

## Example

    network: private                                  # Heat asks for it each time
    network: 5f0b6d5c-64b5-4b4e-9a57-1f3d1c9a2b11     # this very network, in this cloud

## How to fix it

Leave it, or let the fix write the id.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from heatstudio.analysis.migrations import lookup_remedies
from heatstudio.analysis.scope.finding import Finding
from heatstudio.analysis.scope.scope import ResourceScope
from heatstudio.text import Severity

CODE = "cloud-name"


def check(scope: ResourceScope) -> Iterator[Finding]:
    """Every written name that the connected cloud has an id for."""
    cloud = scope.knowledge.cloud
    if cloud is None or scope.type is None:
        return
    for written in scope.written:
        remedies = lookup_remedies(scope.type, written, scope.properties_path, cloud.names)
        if remedies:
            path = (*scope.properties_path, *written.path)
            message = f"Heat resolves this name in `{cloud.name}`; an id is unambiguous."
            yield replace(scope.finding(CODE, message, path, severity=Severity.HINT), remedies=remedies)
