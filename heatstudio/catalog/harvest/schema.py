"""Schemas of properties and attributes as facts, and apart from them as prose."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from heatstudio.catalog.harvest.protocols import AttributeLike, ConstraintLike, Facts, SchemaLike, StatusLike

TypeName = Callable[[type], str | None]
"""The name under which a class is registered."""

_FLAGS = ("required", "update_allowed", "immutable", "allow_conversion")


class _RangeLike(Protocol):
    min: float | None
    max: float | None


def status_facts(status: StatusLike, type_name: TypeName, successor: Callable[[StatusLike], str | None]) -> list[Facts]:
    """The whole chain, newest first; empty for what is and always was supported."""
    chain: list[Facts] = []
    state: StatusLike | None = status
    while state is not None:
        substitute = type_name(state.substitute_class) if state.substitute_class is not None else None
        chain.append(
            _present(
                status=state.status,
                version=(state.version or "").strip() or None,
                successor=None if state.status == "SUPPORTED" else successor(state),
                substitute=substitute,
            )
        )
        state = state.previous_status
    return [] if chain == [{"status": "SUPPORTED"}] else chain


def status_prose(status: StatusLike) -> list[str]:
    """Heat's message of every state of the chain; empty if there is none."""
    messages: list[str] = []
    state: StatusLike | None = status
    while state is not None:
        messages.append(str(state.message or ""))
        state = state.previous_status
    return messages if any(messages) else []


class SchemaReader:
    """Reads schemas of one resource type; `successors` gives the name of what replaces a property path."""

    def __init__(self, type_name: TypeName, successor: Callable[[tuple[str, ...], StatusLike], str | None]) -> None:
        self._type_name = type_name
        self._successor = successor

    def properties(self, schemas: Mapping[str, SchemaLike], path: tuple[str, ...] = ()) -> Facts:
        """Facts by name, in the order in which Heat checks them."""
        return {name: self._property(schema, (*path, name)) for name, schema in schemas.items()}

    def _property(self, schema: SchemaLike, path: tuple[str, ...]) -> Facts:
        return _present(
            type=schema.type,
            default=schema.default,
            **{flag: getattr(schema, flag) or None for flag in _FLAGS},
            implemented=None if schema.implemented else False,
            constraints=[constraint_facts(constraint) for constraint in schema.constraints] or None,
            status=status_facts(schema.support_status, self._type_name, lambda state: self._successor(path, state))
            or None,
            children=self.properties(schema.schema, path) or None if schema.schema is not None else None,
        )

    def attributes(self, schemas: Mapping[str, AttributeLike]) -> Facts:
        """Facts by name."""
        return {name: self._attribute(schema, name) for name, schema in schemas.items()}

    def _attribute(self, schema: AttributeLike, name: str) -> Facts:
        return _present(
            type=schema.type,
            cached=False if schema.cache_mode == "cache_none" else None,
            status=status_facts(schema.support_status, self._type_name, lambda state: self._successor((name,), state))
            or None,
        )


def constraint_facts(constraint: ConstraintLike) -> Facts:
    """One key, the name of the constraint as HOT writes it, and what it demands."""
    name = type(constraint).__name__
    members = vars(constraint)
    if name in {"Range", "Length"}:
        return {name.lower(): [members["min"], members["max"]]}
    if name == "Modulo":
        return {"modulo": [members["step"], members["offset"]]}
    if name == "AllowedValues":
        return {"allowed_values": list(members["allowed"])}
    if name == "AllowedPattern":
        return {"allowed_pattern": members["pattern"]}
    return {"custom_constraint": members["name"]}


def property_prose(schemas: Mapping[str, SchemaLike]) -> Facts:
    """Heat's words on properties, in the shape of the facts."""
    return {
        name: prose
        for name, schema in schemas.items()
        if (
            prose := _present(
                description=schema.description,
                constraints=_descriptions(schema.constraints),
                status=status_prose(schema.support_status) or None,
                children=property_prose(schema.schema) or None if schema.schema is not None else None,
            )
        )
    }


def attribute_prose(schemas: Mapping[str, AttributeLike]) -> Facts:
    """Heat's words on attributes, in the shape of the facts."""
    return {
        name: _present(description=schema.description, status=status_prose(schema.support_status) or None)
        for name, schema in schemas.items()
    }


def _descriptions(constraints: Sequence[ConstraintLike]) -> list[str] | None:
    descriptions = [str(constraint.description or "") for constraint in constraints]
    return descriptions if any(descriptions) else None


def _present(**facts: object) -> Facts:
    return {name: fact for name, fact in facts.items() if fact is not None}
