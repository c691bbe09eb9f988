"""One use of an old property, and the rules of its type for it."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from heatstudio.analysis.migrations.move import MISSING, names_of, places, value_at
from heatstudio.catalog import PropertySchema, ResourceType, Status, TranslationKind, TranslationRule
from heatstudio.stack.values.written_properties import GivenProperty
from heatstudio.template import Change, TreePath

OLD = (Status.DEPRECATED, Status.HIDDEN)


class CandidateFix(Struct, frozen=True):
    """Changes below `properties` that may be a fix."""

    title: str
    changes: tuple[Change, ...]
    only_if_same: bool = False
    """Whether to offer the fix only if it provably has no effect."""
    refused: str = ""
    """The reason why Heat rejects the written value, if known in advance."""
    beside: tuple[TreePath, ...] = ()
    """The paths of new values besides the old value: the author must choose, unless the choice has no effect."""


class PropertyUse(Struct, frozen=True):
    """A written property that is DEPRECATED or HIDDEN."""

    type: ResourceType
    written: GivenProperty
    data: Mapping[str, object]
    """All properties of the resource, as written."""

    @property
    def path(self) -> TreePath:
        """The path of the property below `properties`."""
        return self.written.path

    @property
    def names(self) -> tuple[str, ...]:
        """The path without list positions, as in translation rules."""
        return self.written.names

    @property
    def name(self) -> str:
        """The last name of the path."""
        return self.written.schema.name

    def value_at(self, path: TreePath) -> object:
        """Return the written value at another path, or MISSING."""
        return value_at(self.data, path)

    def places(self, names: tuple[str, ...]) -> list[TreePath]:
        """Return the paths that another property has or would have, in the same list items as this property."""
        return places(self.type.properties, self.data, names, self.path)

    def replacing(self) -> Iterator[TranslationRule]:
        """Yield the rules that move values from one property to another."""
        for rule in self.type.translation_rules:
            if rule.kind is TranslationKind.REPLACE and rule.source is not None:
                yield rule

    def is_deleted(self) -> bool:
        """Return whether Heat deletes the property before reading it."""
        rules = self.type.translation_rules
        return any(rule.kind is TranslationKind.DELETE and rule.path == self.names for rule in rules)

    def in_all_items(self) -> list[TreePath]:
        """Return the paths of this property in all items of its list."""
        found = places(self.type.properties, self.data, self.names, ())
        return [path for path in found if self.value_at(path) is not MISSING]

    def is_old(self, names: tuple[str, ...]) -> bool:
        """Return whether another property is also deprecated or hidden, or does not exist."""
        schemas: Mapping[str, PropertySchema] = self.type.properties
        for name in names:
            schema = schemas.get(name)
            if schema is None or schema.support_status.status in OLD:
                return True
            schemas = schema.element.children if schema.element is not None else schema.children
        return False

    def titles(self, target: TreePath) -> tuple[str, str]:
        """Return the names of this property and a new one for a title: whole paths if their levels differ."""
        if names_of(target)[:-1] == self.names[:-1]:
            return self.name, str(target[-1])
        return ".".join(self.names), ".".join(names_of(target))
