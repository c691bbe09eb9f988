"""Proposals for the keys of properties, at any depth."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from heatstudio.analysis.assistance.completion_context import Writing
from heatstudio.analysis.assistance.desk import language_of, value_at
from heatstudio.analysis.assistance.expectation import Expectation
from heatstudio.analysis.assistance.needed_properties import missing_required, needed_by_groups, renamed
from heatstudio.analysis.assistance.proposal import Key, Proposal, Shape
from heatstudio.analysis.assistance.sentences import property_lines, property_title, rich_text
from heatstudio.catalog import PropertySchema, PropertyType, ResourceType, Status
from heatstudio.catalog.property_group import PropertyGroups
from heatstudio.template import Path

REQUIRED, NEEDED, OTHER, DEPRECATED = 0, 1, 2, 8


def property_keys(writing: Writing, expectation: Expectation) -> Iterator[Proposal]:
    """The properties that may be added to a map: the required ones, those that a group needs, the others by name."""
    desk, owner = writing.desk, expectation.owner
    groups: PropertyGroups = ()
    given = writing.present
    needed: list[str] = []
    inner: Path = ()
    if owner is not None:
        inner = writing.path[len(owner.path) :]
        groups = desk.knowledge.groups(owner.type)
        given |= {new for old, new in renamed(owner.type).items() if old in given and not inner}
        written = value_at(desk.template, owner.path)
        needed = needed_by_groups(owner.type, written, inner, desk.knowledge, language_of(desk).functions)
    required = missing_required(expectation.children, given)
    dotted = ".".join(step for step in inner if isinstance(step, str))
    for schema in expectation.children.values():
        status = schema.support_status.status
        if schema.name in writing.present or status is Status.HIDDEN:
            continue
        rank, order = OTHER, 0
        if status is Status.DEPRECATED or not schema.implemented:
            rank = DEPRECATED
        elif schema.name in required:
            rank, order = REQUIRED, required.index(schema.name)
        elif schema.name in needed:
            rank, order = NEEDED, needed.index(schema.name)
        yield Proposal(
            schema.name,
            key_of(schema),
            "property",
            _detail(schema, rank),
            rank,
            order,
            deprecated=status is Status.DEPRECATED,
            document=partial(_document, schema, groups, f"{dotted}.{schema.name}" if dotted else schema.name),
        )


def key_of(schema: PropertySchema) -> Key:
    """A property's key, and how its value begins."""
    if schema.type is PropertyType.MAP and schema.children:
        required = [name for name, child in schema.children.items() if child.required]
        lines = tuple(f"{name}: ${{{number}}}" for number, name in enumerate(required, 1))
        return Key(schema.name, Shape.MAP, lines=lines)
    if schema.type is PropertyType.MAP:
        return Key(schema.name, Shape.MAP)
    return Key(schema.name, Shape.LIST if schema.type is PropertyType.LIST else Shape.VALUE)


def required_lines(resource_type: ResourceType) -> tuple[str, ...]:
    """The required properties as lines with tab stops."""
    required = [
        schema
        for schema in resource_type.properties.values()
        if schema.required and schema.support_status.status is not Status.HIDDEN
    ]
    return tuple(f"{schema.name}: ${{{number}}}" for number, schema in enumerate(required, 1))


def _detail(schema: PropertySchema, rank: int) -> str:
    words = {REQUIRED: "required", NEEDED: "one of a group that is needed", DEPRECATED: "deprecated"}
    return ", ".join(part for part in (str(schema.type), words.get(rank, "")) if part)


def _document(schema: PropertySchema, groups: PropertyGroups, path: str) -> str:
    return rich_text(property_title(schema), property_lines(schema, groups, path))
