"""Facts about the schemas of properties and attributes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tests.catalog.harvest.protocols import AttributeLike, ConstraintLike, Facts, SchemaLike, StatusLike
from tests.catalog.harvest.successor import Path, member_successor, needs_successor, states

TypeName = Callable[[type], str | None]
"""A function that returns the resource type for which a class is registered."""

_ELEMENT = "*"
_FLAGS = ("required", "update_allowed", "immutable", "allow_conversion")


def status_facts(status: StatusLike, type_name: TypeName, successor: Callable[[], str | None]) -> Facts | None:
    """Return the newest state with its chain of previous states; None if it was always supported."""
    replaced = any(needs_successor(state) for state in states(status))
    instead = successor() if replaced else None
    facts: Facts | None = None
    for state in reversed(list(states(status))):
        facts = _present(
            status=state.status,
            version=(state.version or "").strip() or None,
            successor=instead if needs_successor(state) else None,
            substitute=type_name(state.substitute_class) if state.substitute_class is not None else None,
            previous=facts,
        )
    return None if facts == {"status": "SUPPORTED"} else facts


class SchemaReader:
    """A reader of the schemas of one resource type; `moved` maps the old to the new paths of its translation rules."""

    def __init__(self, type_name: TypeName, moved: Mapping[Path, Path]) -> None:
        self._type_name = type_name
        self._moved = moved

    def properties(self, schemas: Mapping[str, SchemaLike], parent: Path = ()) -> Facts:
        """Return the facts about each property by name, in the order in which Heat checks the properties."""
        return {name: self._property(schema, _below(parent, name), schemas) for name, schema in schemas.items()}

    def _property(self, schema: SchemaLike, path: Path, siblings: Mapping[str, object]) -> Facts:
        return _present(
            type=schema.type,
            default=schema.default,
            **{flag: getattr(schema, flag) or None for flag in _FLAGS},
            implemented=None if schema.implemented else False,
            constraints=[constraint_facts(constraint) for constraint in schema.constraints] or None,
            status=self._status(schema.support_status, path, siblings),
            children=self.properties(schema.schema, path) or None if schema.schema is not None else None,
        )

    def attributes(self, schemas: Mapping[str, AttributeLike]) -> Facts:
        """Return the facts about each attribute by name."""
        return {name: self._attribute(schema, name, schemas) for name, schema in schemas.items()}

    def _attribute(self, schema: AttributeLike, name: str, siblings: Mapping[str, object]) -> Facts:
        return _present(
            type=schema.type,
            cached=False if schema.cache_mode == "cache_none" else None,
            status=self._status(schema.support_status, (name,), siblings),
        )

    def _status(self, status: StatusLike, path: Path, siblings: Mapping[str, object]) -> Facts | None:
        return status_facts(status, self._type_name, lambda: member_successor(path, siblings, status, self._moved))


def _below(parent: Path, name: str) -> Path:
    return parent if name == _ELEMENT else (*parent, name)


def constraint_facts(constraint: ConstraintLike) -> list[object]:
    """Return the HOT name of the constraint and its arguments."""
    name = type(constraint).__name__
    members = vars(constraint)
    if name in {"Range", "Length"}:
        return [name.lower(), members["min"], members["max"]]
    if name == "Modulo":
        return ["modulo", members["step"], members["offset"]]
    if name == "AllowedValues":
        return ["allowed_values", list(members["allowed"])]
    if name == "AllowedPattern":
        return ["allowed_pattern", members["pattern"]]
    return ["custom_constraint", members["name"]]


def _present(**facts: object) -> Facts:
    return {name: fact for name, fact in facts.items() if fact is not None}
