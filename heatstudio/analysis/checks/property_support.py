"""# A deprecated property

A property is SUPPORTED, then DEPRECATED, then HIDDEN; some are UNSUPPORTED. With a target release, the status at that
release counts.

## Why

The property still works; a later version of Heat may reject it. Most have a replacement, to which Heat moves their
value.

## Example

    network_id: private     # HIDDEN since 5.0.0
    network: private        # the replacement

## How to fix it

The fix writes what Heat does anyway, so an update of the stack changes nothing. Without a fix, do what the message
says.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from heatstudio.analysis.life_cycle import SEVERITIES, support_message
from heatstudio.analysis.migrations import property_remedies
from heatstudio.analysis.scope.finding import Finding
from heatstudio.analysis.scope.scope import ResourceScope
from heatstudio.catalog import status_at
from heatstudio.template import Part

CODE = "property-support"


def check(scope: ResourceScope) -> Iterator[Finding]:
    """Every written property that is deprecated, hidden or unsupported."""
    for written in scope.written:
        status = status_at(written.schema.support_status, scope.settings.release)
        severity = SEVERITIES.get(status.status) if status is not None else None
        if status is None or severity is None or scope.type is None:
            continue
        message = support_message(f"Property `{written.schema.name}`", status)
        finding = scope.finding(CODE, message, (*scope.properties_path, *written.path), Part.KEY, severity)
        remedies = property_remedies(scope.type, written, scope.raw_properties, scope.properties_path, scope.value_now)
        yield replace(finding, remedies=remedies)
