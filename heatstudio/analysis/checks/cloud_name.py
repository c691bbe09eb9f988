"""# A name that Heat looks up in your cloud

The property accepts the name or the id of an object in the cloud. Heat looks up the name whenever it creates or
updates the stack. The connected cloud has exactly one object of this name.

## Why

This is a hint; the name is valid. An id is faster and stays valid if the name is given to another object, but it ties
the template to this cloud.

## Example

    network: private                                  # resolved every time
    network: 5f0b6d5c-64b5-4b4e-9a57-1f3d1c9a2b11     # this network, in this cloud only

## How to fix it

Keep the name, or let the fix insert the id.
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
