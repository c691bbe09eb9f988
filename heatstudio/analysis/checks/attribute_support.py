"""# An attribute that is on its way out

Attributes live from SUPPORTED over DEPRECATED to HIDDEN, as properties do.

## Example

    get_attr: [server, first_address]      # HIDDEN since 5.0.0
    get_attr: [server, addresses, private, 0, addr]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from heatstudio.analysis.calls import attribute_calls
from heatstudio.analysis.finding import Finding, Place
from heatstudio.analysis.life_cycle import SEVERITIES, support_message
from heatstudio.analysis.scope import TemplateScope
from heatstudio.catalog import ResourceType

CODE = "attribute-support"


def check(scope: TemplateScope) -> Iterator[Finding]:
    """Every attribute that is read and deprecated, hidden or unsupported."""
    words = scope.words
    for section in (words.resources, words.outputs):
        content = scope.template.data.get(section)
        for name, entry in content.items() if isinstance(content, Mapping) else ():
            for resource, attribute, path in attribute_calls(entry, (section, str(name))):
                found = _type_of(scope, resource)
                schema = found.attributes.get(attribute) if found is not None else None
                severity = SEVERITIES.get(schema.support_status.status) if schema is not None else None
                if schema is not None and severity is not None:
                    message = support_message(f"Attribute `{attribute}`", schema.support_status)
                    owner = str(name) if section == words.resources else None
                    yield Finding(CODE, severity, message, Place(path), owner)


def _type_of(scope: TemplateScope, resource: str) -> ResourceType | None:
    if not scope.stack.names_resource(resource):
        return None
    return scope.types.find(scope.stack.resource_definition(resource).type, resource).type
