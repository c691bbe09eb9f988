"""Translation rules from old to new properties (specification: support status guide)."""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import force_setattr

PropertyPath = tuple[str, ...]
"""Property names from the top down, without list indexes."""


class TranslationKind(StrEnum):
    """The kinds of rules, in the order in which Heat applies them to one path (heat/engine/translation.py)."""

    ADD = "Add"
    REPLACE = "Replace"
    RESOLVE = "Resolve"
    DELETE = "Delete"


class ValueOf(Struct, frozen=True):
    """A reference to the value of another property inside a constant value."""

    property: str


class TranslationRule(Struct, frozen=True, forbid_unknown_fields=True):
    """One rule. At most one of `value`, `value_name` and `value_path` is set."""

    kind: TranslationKind
    path: PropertyPath
    value: object = None
    """A constant that may contain `ValueOf`."""
    value_name: str | None = None
    value_path: PropertyPath | None = None
    custom_value_path: PropertyPath = ()
    client_plugin: str | None = None
    finder: str | None = None
    entity: str | None = None
    entity_by: tuple[str, Mapping[str, str]] | None = None
    """The property whose value selects the entity, and the entity for each value."""
    when_set: str | None = None
    """The property that must have a value for the rule to apply."""

    def __post_init__(self) -> None:
        force_setattr(self, "value", _constant(self.value))

    @property
    def source(self) -> PropertyPath | None:
        """The absolute path from which a REPLACE rule reads."""
        if self.value_name is not None:
            return (*self.path[:-1], self.value_name, *self.custom_value_path)
        return (*self.value_path, *self.custom_value_path) if self.value_path is not None else None


def _constant(value: object) -> object:
    """Return a constant in which each map with the only key `$value_of` becomes a `ValueOf`."""
    match value:
        case {"$value_of": name}:
            return ValueOf(str(name))
        case dict():
            return {key: _constant(item) for key, item in value.items()}
        case list():
            return [_constant(item) for item in value]
        case _:
            return value
