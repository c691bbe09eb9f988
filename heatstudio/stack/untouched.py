"""Resources that an update cannot concern, found without evaluating them: what most are while a template is edited."""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping
from functools import cached_property

from heatstudio.catalog import Family
from heatstudio.catalog.update_rule import PLAIN, UpdateBehavior
from heatstudio.stack.difference import compare
from heatstudio.stack.resource_definition import ResourceDefinition
from heatstudio.stack.types import FoundType, Origin
from heatstudio.stack.update_side import StackSide

_RESUBMITTED = frozenset({Family.STACK, Family.TEMPLATE, Family.NO_OP})


class Untouched:
    """Knows of resources that nothing they are made of has changed; of all others it knows nothing."""

    def __init__(
        self,
        before: StackSide,
        after: StackSide,
        behaviors: Mapping[str, UpdateBehavior],
        renewed: Container[str],
    ) -> None:
        self._before = before
        self._after = after
        self._behaviors = behaviors
        self._renewed = renewed

    def is_sure(self, definitions: tuple[ResourceDefinition, ResourceDefinition], needs: Collection[str]) -> bool:
        """Whether a resource is certainly unchanged; `needs` are the resources that it depends on."""
        old, new = definitions
        return (
            self._same_surroundings
            and (old.data is new.data or old.data == new.data)
            and new.external_id is None
            and not any(name in self._renewed for name in needs)
            and (not self._some_are_gone or self._before.definition.required_resource_names(old.name) == tuple(needs))
            and self._same_type(self._before.types.find(old.type, old.name), self._after.types.find(new.type, new.name))
        )

    def _same_type(self, old: FoundType, new: FoundType) -> bool:
        """Whether both sides have one plain type, which an update leaves alone when nothing changed."""
        if new.type is None or old.target != new.target or old.origin is not Origin.CATALOG:
            return False
        behavior = self._behaviors.get(new.target, PLAIN)
        acts = behavior.always_replaced or behavior.always_updated
        may_act = behavior.always_replaced_when or behavior.always_updated_when
        return new.origin is Origin.CATALOG and not acts and not may_act and not _RESUBMITTED & new.type.families

    @cached_property
    def _same_surroundings(self) -> bool:
        """Whether all that functions can look at, apart from resources, is as it was."""
        old, new = self._before.definition, self._after.definition
        words = new.language.dialect
        return (
            old.language is new.language
            and self._before.blueprint.files == self._after.blueprint.files
            and old.parent_resource is new.parent_resource
            and all(old.data.get(name) == new.data.get(name) for name in (words.conditions, words.mappings))
            and old.parameters.names == new.parameters.names
            and all(self._same_parameter(name) for name in (*new.parameters.names, *new.parameters.pseudo_names))
        )

    def _same_parameter(self, name: str) -> bool:
        return compare(self._before.parameter(name), self._after.parameter(name)) is True

    @cached_property
    def _some_are_gone(self) -> bool:
        """Whether references can have lost what they refer to."""
        names = set(self._after.definition.enabled_resource_names())
        return any(name not in names for name in self._before.definition.enabled_resource_names())
