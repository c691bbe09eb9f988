"""What property groups use besides the properties of a resource."""

from collections.abc import Collection

from heatstudio.analysis.scope.scope import ResourceScope, resolved
from heatstudio.stack.groups.group_context import GroupContext
from heatstudio.stack.resource_definition import resolved_external_id


def group_context(scope: ResourceScope) -> GroupContext:
    """Return the data outside of the properties of a resource that property groups use."""
    definition = scope.definition
    return GroupContext(
        resource=scope.name,
        resources_word=scope.words.resources,
        properties_word=scope.words.properties,
        metadata=resolved(definition.metadata, scope.view),
        update_policy=resolved(definition.update_policy, scope.view),
        neighbors=_Neighbors(scope),
        client_versions=scope.client_versions,
    )


class _Neighbors:
    """The other resources of a stack (see GroupContext)."""

    def __init__(self, asking: ResourceScope) -> None:
        self._asking = asking

    def names(self) -> Collection[str]:
        """Return the names of all resources of the stack."""
        return self._asking.view.names(self._asking.words.resources)

    def requires(self, name: str) -> bool:
        """Return whether the resource refers to or depends on the resource `name`."""
        asking = self._asking
        if resolved_external_id(asking.definition, asking.view) or not asking.view.names_resource(name):
            return False
        referred = (reference.resource for reference in asking.references if reference.message is None)
        return name in asking.definition.depends_on or name in referred

    def property_value(self, reference: str, name: str) -> object:
        """Return a property of the resource with a reference ID, which is its name before its creation, or None."""
        if not self._asking.view.names_resource(reference) or reference == self._asking.name:
            return None
        properties = self._asking.neighbor(reference).properties
        return properties.value(name) if properties is not None and name in properties.names else None
