"""A template that does not match the resource type that it implements."""

from collections.abc import Iterator

from heatstudio.analysis.scope import Finding, ResourceScope, resource_check
from heatstudio.catalog.schema import PropertyType, ResourceType
from heatstudio.stack.definition.types import Origin

_OF_PARAMETERS = {PropertyType.INTEGER: PropertyType.NUMBER}
"""The property types that parameters lack, with the equivalent parameter types."""


@resource_check()
def check(scope: ResourceScope) -> Iterator[Finding]:
    """Yield the mismatches of a template and the type it implements (heat/engine/resources/template_resource.py)."""
    found = scope.found
    if found is None or found.type is None or found.origin is not Origin.TEMPLATE or not scope.is_validated:
        return
    facade = scope.knowledge.catalog.get(found.name)
    if facade is None:
        return
    for message in _mismatches(facade, found.type):
        yield scope.finding(f"{found.target}: {message}", scope.type_path)


def _mismatches(facade: ResourceType, provider: ResourceType) -> Iterator[str]:
    name = facade.name
    for schema in facade.properties.values():
        given = provider.properties.get(schema.name)
        wanted = _OF_PARAMETERS.get(schema.type, schema.type)
        if given is None and schema.required:
            yield f"Required property {schema.name} for facade {name} missing in provider"
        elif given is not None and given.type is not wanted:
            kinds = f"facade {name} ({schema.type.value}) and provider ({given.type.value})"
            yield f"Property {schema.name} type mismatch between {kinds}"
    for schema in provider.properties.values():
        if schema.required and schema.name not in facade.properties:
            yield f"Provider requires property {schema.name} unknown in facade {name}"
    for attribute in facade.attributes:
        if attribute not in provider.attributes:
            yield f"Attribute {attribute} for facade {name} missing in provider"
