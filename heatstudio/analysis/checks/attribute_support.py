"""# An attribute that is on its way out

Attributes live from SUPPORTED over DEPRECATED to HIDDEN, as properties do.

## Example

    get_attr: [server, first_address]      # HIDDEN since 5.0.0
    get_attr: [server, addresses, private, 0, addr]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from heatstudio.analysis.calls import attribute_calls
from heatstudio.analysis.finding import Finding, Place
from heatstudio.analysis.life_cycle import SEVERITIES, support_message
from heatstudio.analysis.scope import ResourceScope, TemplateScope
from heatstudio.analysis.successors import attribute_remedies
from heatstudio.catalog import status_at
from heatstudio.stack.path import Path
from heatstudio.stack.stack_view import StackView

CODE = "attribute-support"


def check(scope: TemplateScope) -> Iterator[Finding]:
    """Every attribute that is read in an output and deprecated, hidden or unsupported."""
    section = scope.words.outputs
    content = scope.stack.data.get(section)
    for name, entry in content.items() if isinstance(content, Mapping) else ():
        yield from _findings(scope, entry, (section, str(name)), scope.stack)


def check_resource(scope: ResourceScope) -> Iterator[Finding]:
    """Every attribute that is read in a resource and deprecated, hidden or unsupported."""
    for finding in _findings(scope.whole, scope.definition.data, scope.path, scope.view):
        yield replace(finding, resource=scope.name)


def _findings(scope: TemplateScope, data: object, above: Path, view: StackView) -> Iterator[Finding]:
    for resource, attribute, path in attribute_calls(data, above):
        if not view.names_resource(resource):
            continue
        found = scope.types.find(scope.stack.resource_definition(resource).type, resource).type
        schema = found.attributes.get(attribute) if found is not None else None
        status = status_at(schema.support_status, scope.settings.release) if schema is not None else None
        severity = SEVERITIES.get(status.status) if status is not None else None
        if found is not None and status is not None and severity is not None:
            message = support_message(f"Attribute `{attribute}`", status)
            remedies = attribute_remedies(found, attribute, path)
            yield Finding(CODE, severity, message, Place(path), remedies=remedies)
