"""One use of an old property, the rules of its type for it, and the move of its value to a new property."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from heatstudio.catalog.release import Status
from heatstudio.catalog.rules.translation_rule import TranslationKind, TranslationRule
from heatstudio.catalog.schema import PropertySchema, PropertyType, ResourceType
from heatstudio.stack.values.written_properties import GivenProperty
from heatstudio.template import AddEntry, AddItem, Change, DeleteEntry, Existing, RenameKey, SetValue, TreePath

OLD = (Status.DEPRECATED, Status.HIDDEN)


class Missing(Struct, frozen=True):
    """The value of a path that does not exist."""


MISSING = Missing()


def value_at(data: object, path: TreePath) -> object:
    """Return the value at a path of plain data, or MISSING."""
    for name in path:
        if isinstance(data, list) and isinstance(name, int):
            data = data[name] if name < len(data) else MISSING
        else:
            data = data.get(name, MISSING) if isinstance(data, Mapping) else MISSING
    return data


def names_of(path: TreePath) -> tuple[str, ...]:
    """Return a path without list positions, as in translation rules."""
    return tuple(part for part in path if isinstance(part, str))


class Move(Struct, frozen=True):
    """The move of a value from `source` to `target`, which are paths below `properties`."""

    source: TreePath
    target: TreePath

    def changes(self, data: object) -> Iterator[Change]:
        """Yield the changes, given the current properties; the target must not exist."""
        source, target = self.source, self.target
        if source[:-1] == target[:-1]:
            yield RenameKey(source, str(target[-1]))
            return
        yield _added(data, target, Existing(source), self.neighbor(data))
        yield DeleteEntry(source)

    def neighbor(self, data: object) -> str | None:
        """Return the key after which to insert the new key, so that the value keeps its position, or None."""
        container, depth = self.target[:-1], len(self.target) - 1
        if self.source[:depth] != container:
            return None
        siblings = value_at(data, container)
        before: str | None = None
        for name in siblings if isinstance(siblings, Mapping) else ():
            if name == self.source[depth]:
                return before
            before = str(name)
        return None

    def keep_old(self) -> tuple[Change, ...]:
        """Return the changes that replace the existing value of the target with the old value."""
        return SetValue(self.target, Existing(self.source)), DeleteEntry(self.source)


def _added(data: object, path: TreePath, value: object, after: str | None = None) -> Change:
    """Return the change that adds a value at a path; a missing list above it gets one item."""
    for length, part in enumerate(path):
        if isinstance(part, int) and value_at(data, path[:length]) in (MISSING, None, []):
            for name in reversed(path[length + 1 :]):
                value = {name: value}
            return AddItem(path[:length], value)
    return AddEntry(path[:-1], str(path[-1]), value, after)


def places(
    schemas: Mapping[str, PropertySchema], data: object, names: tuple[str, ...], beside: TreePath
) -> list[TreePath]:
    """Return the paths of a property: in the same list items as the path `beside`, else in every existing item.

    A missing list counts as a list with one item.
    """
    found: list[TreePath] = [()]
    below: Mapping[str, PropertySchema] = schemas
    for depth, name in enumerate(names):
        schema = below.get(name)
        found = [(*path, name) for path in found]
        if schema is None:
            continue
        below = schema.element.children if schema.element is not None else schema.children
        if schema.type is PropertyType.LIST and depth < len(names) - 1:
            found = [item for path in found for item in _items(data, path, beside)]
    return found


def _items(data: object, path: TreePath, beside: TreePath) -> list[TreePath]:
    if beside[: len(path)] == path and len(beside) > len(path) and isinstance(beside[len(path)], int):
        return [beside[: len(path) + 1]]
    items = value_at(data, path)
    return [(*path, index) for index in range(len(items) if isinstance(items, list) and items else 1)]


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
