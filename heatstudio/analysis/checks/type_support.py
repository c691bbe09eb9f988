"""# A resource type that is on its way out

Types live from SUPPORTED over DEPRECATED to HIDDEN. A HIDDEN type is in no list and no documentation any more.
UNSUPPORTED types may be used at your own risk. Where you chose a target release, the state at that release counts.

## Why

Stacks that have it go on working, but a cloud may not offer the service behind it any more.

## Example

    type: OS::Neutron::LBaaS::Pool     # HIDDEN: Octavia took its place
    type: OS::Octavia::Pool            # right

## The way out

Use the type that took its place. Where Heat puts one in the place of the other by itself, the fix changes nothing for
a stack; everywhere else the resource is replaced.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from heatstudio.analysis.finding import Finding
from heatstudio.analysis.life_cycle import SEVERITIES, support_message
from heatstudio.analysis.scope import ResourceScope
from heatstudio.analysis.successors import type_remedies
from heatstudio.catalog import status_at

CODE = "type-support"


def check(scope: ResourceScope) -> Iterator[Finding]:
    """The type, if it is deprecated, hidden or unsupported."""
    if scope.type is None:
        return
    status = status_at(scope.type.support_status, scope.whole.settings.release)
    severity = SEVERITIES.get(status.status) if status is not None else None
    if status is not None and severity is not None:
        message = support_message(scope.type.name, status)
        finding = scope.finding(CODE, message, (*scope.path, scope.words.type), severity=severity)
        data = scope.definition.data if isinstance(scope.definition.data, Mapping) else {}
        remedies = type_remedies(scope.type, scope.whole.knowledge.catalog, data, scope.path, scope.words)
        yield replace(finding, property=None, remedies=remedies)
