"""A fast check for unchanged resources that evaluates no properties: an edit leaves most resources unchanged."""

from collections.abc import Collection, Container
from functools import cached_property

from msgspec import Struct

from heatstudio.catalog.facts import maps_in
from heatstudio.catalog.schema import Family
from heatstudio.stack.definition.client_files import GET_FILE
from heatstudio.stack.definition.types import FoundType, Origin
from heatstudio.stack.resource_definition import ResourceDefinition
from heatstudio.update.difference import compare
from heatstudio.update.sides.update_side import StackSide

_RESUBMITTED = frozenset({Family.STACK, Family.TEMPLATE})


class UnchangedInputs(Struct, frozen=True, dict=True):
    """A conservative check for resources without changed inputs; a negative result decides nothing."""

    before: StackSide
    after: StackSide
    renewed: Container[str]
    """The resources whose reference IDs or attributes may change."""

    def is_sure(self, definitions: tuple[ResourceDefinition, ResourceDefinition], needs: Collection[str]) -> bool:
        """Return whether a resource is certainly unchanged; `needs` are the resources that it depends on."""
        old, new = definitions
        found = self.after.found(new.name)
        return (
            self._same_surroundings
            and (old.data is new.data or old.data == new.data)
            and (self._same_files or not any(GET_FILE in one for one in maps_in(new.data)))
            and new.external_id is None
            and not any(name in self.renewed for name in needs)
            and (not self._has_removals or self.before.definition.required_resource_names(old.name) == tuple(needs))
            and self._same_type(self.before.found(old.name), found)
            and not self._updates_unchanged(new)
        )

    def _same_type(self, old: FoundType, new: FoundType) -> bool:
        """Return whether both sides have the same catalog type, and Heat updates this type only on changes."""
        known = old.origin is Origin.CATALOG and new.origin is Origin.CATALOG
        return known and old.target == new.target and new.type is not None and not _RESUBMITTED & new.type.families

    def _updates_unchanged(self, definition: ResourceDefinition) -> bool:
        """Return whether an update may replace or update the resource even without changes."""
        behavior = self.after.behavior(definition.name)
        names = (*behavior.always_replaced_when, *behavior.always_updated_when)
        if behavior.always_replaced or behavior.always_updated or not names:
            return bool(behavior.always_replaced or behavior.always_updated)
        properties = definition.properties
        return not isinstance(properties, dict) or any(name in properties for name in names)

    @cached_property
    def _same_files(self) -> bool:
        return self.before.blueprint.files == self.after.blueprint.files

    @cached_property
    def _same_surroundings(self) -> bool:
        """Whether all inputs of functions, apart from resources and files, are unchanged."""
        old, new = self.before.definition, self.after.definition
        words, names = new.language.dialect, (*new.parameters.names, *new.parameters.pseudo_names)
        return (
            old.language is new.language
            and old.parent_resource is new.parent_resource
            and all(old.data.get(name) == new.data.get(name) for name in (words.conditions, words.mappings))
            and old.parameters.names == new.parameters.names
            and all(compare(self.before.parameter(name), self.after.parameter(name)) is True for name in names)
        )

    @cached_property
    def _has_removals(self) -> bool:
        """Whether a resource was removed, so that references to it may be lost."""
        names = set(self.after.definition.enabled_resource_names)
        return any(name not in names for name in self.before.definition.enabled_resource_names)
