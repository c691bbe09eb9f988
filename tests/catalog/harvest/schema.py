"""Schemas of properties and attributes as facts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tests.catalog.harvest.protocols import AttributeLike, ConstraintLike, Facts, SchemaLike, StatusLike
from tests.catalog.harvest.successor import Path, member_successor, needs_successor, states

TypeName = Callable[[type], str | None]
"""The name under which a class is registered."""

_ELEMENT = "*"
_FLAGS = ("required", "update_allowed", "immutable", "allow_conversion")


def status_facts(status: StatusLike, type_name: TypeName, successor: Callable[[], str | None]) -> Facts | None:
    """The newest state, each with the one before it; None for what is and always was supported."""
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
    """Reads the schemas of one resource type; `moved` are the paths between which its translation rules move values."""

    def __init__(self, type_name: TypeName, moved: Mapping[Path, Path]) -> None:
        self._type_name = type_name
        self._moved = moved

    def properties(self, schemas: Mapping[str, SchemaLike], parent: Path = ()) -> Facts:
        """Facts by name, in the order in which Heat checks them."""
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
        """Facts by name."""
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
    """The name of the constraint as HOT writes it, and what it demands."""
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
