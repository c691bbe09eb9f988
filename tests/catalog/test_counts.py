"""The totals of the catalog, compared with counts taken independently from Heat's classes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import pytest

from heatstudio.catalog.load import Catalog
from heatstudio.catalog.release import Status
from heatstudio.catalog.rules.translation_rule import TranslationKind
from heatstudio.catalog.schema import (
    ANY_ELEMENT,
    AttributeSchema,
    Constraint,
    CustomConstraint,
    Family,
    PropertySchema,
    PropertyType,
    ResourceType,
)


@pytest.fixture(scope="module")
def types(catalog: Catalog) -> list[ResourceType]:
    return [made for name in catalog.names() if (made := catalog.get(name)) is not None]


@pytest.fixture(scope="module")
def top(types: list[ResourceType]) -> list[PropertySchema]:
    return [schema for made in types for schema in made.properties.values()]


@pytest.fixture(scope="module")
def below(top: list[PropertySchema]) -> list[PropertySchema]:
    return list(descendants(top))


@pytest.fixture(scope="module")
def nested(below: list[PropertySchema]) -> list[PropertySchema]:
    return [schema for schema in below if schema.name != ANY_ELEMENT]


@pytest.fixture(scope="module")
def elements(below: list[PropertySchema]) -> list[PropertySchema]:
    return [schema for schema in below if schema.name == ANY_ELEMENT]


@pytest.fixture(scope="module")
def attributes(types: list[ResourceType]) -> list[AttributeSchema]:
    return [schema for made in types for name, schema in made.attributes.items() if name != "show"]


@pytest.fixture(scope="module")
def constraints(top: list[PropertySchema], below: list[PropertySchema]) -> list[Constraint]:
    return [constraint for schema in (*top, *below) for constraint in schema.constraints]


def descendants(schemas: Iterable[PropertySchema]) -> Iterator[PropertySchema]:
    for schema in schemas:
        yield from schema.children.values()
        yield from descendants(schema.children.values())


def depth(schema: PropertySchema) -> int:
    return max((1 + depth(child) for child in schema.children.values()), default=0)


def statuses(things: Iterable[ResourceType | PropertySchema | AttributeSchema]) -> dict[Status, int]:
    return dict(Counter(thing.support_status.status for thing in things))


def flags(schemas: Iterable[PropertySchema]) -> tuple[int, int, int, int]:
    """Return how many schemas are required, have a default, are update_allowed and are immutable."""
    schemas = list(schemas)
    return (
        sum(schema.required for schema in schemas),
        sum(schema.default is not None for schema in schemas),
        sum(schema.update_allowed for schema in schemas),
        sum(schema.immutable for schema in schemas),
    )


def test_types_and_classes(types: list[ResourceType]) -> None:
    assert (len(types), len({made.class_name for made in types})) == (201, 201)


def test_types_by_status(catalog: Catalog, types: list[ResourceType]) -> None:
    assert statuses(types) == {Status.SUPPORTED: 157, Status.HIDDEN: 38, Status.UNSUPPORTED: 5, Status.DEPRECATED: 1}
    assert [made.name for made in types if made.support_status.status is Status.DEPRECATED] == ["OS::Aodh::Alarm"]
    assert len(catalog.visible_names) == 201 - 38


def test_families(types: list[ResourceType]) -> None:
    no_op = [made for made in types if Family.NO_OP in made.families]
    assert sum(made.support_status.status is Status.HIDDEN for made in no_op) == 32
    assert len(no_op) == 33
    assert sum(Family.NEUTRON in made.families for made in types) == 43
    assert sum(Family.STACK in made.families for made in types) == 11


def test_top_level_properties(top: list[PropertySchema]) -> None:
    assert dict(Counter(schema.type for schema in top)) == {
        PropertyType.STRING: 611,
        PropertyType.LIST: 183,
        PropertyType.INTEGER: 121,
        PropertyType.BOOLEAN: 99,
        PropertyType.MAP: 80,
        PropertyType.NUMBER: 18,
        PropertyType.ANY: 1,
    }
    assert statuses(top) == {Status.SUPPORTED: 1088, Status.HIDDEN: 16, Status.DEPRECATED: 7, Status.UNSUPPORTED: 2}
    assert flags(top) == (218, 280, 615, 8)


def test_nested_properties(
    top: list[PropertySchema], nested: list[PropertySchema], elements: list[PropertySchema]
) -> None:
    assert len(nested) == 365
    assert dict(Counter(schema.type for schema in elements)) == {PropertyType.MAP: 71, PropertyType.STRING: 50}
    assert max(map(depth, top)) == 5
    assert statuses(nested) == {Status.SUPPORTED: 360, Status.HIDDEN: 5}
    assert flags(nested) == (117, 52, 25, 0)


def test_implemented_and_conversion(
    top: list[PropertySchema], nested: list[PropertySchema], elements: list[PropertySchema]
) -> None:
    missing = tuple(sum(not schema.implemented for schema in schemas) for schemas in (top, nested, elements))
    assert missing == (20, 12, 5)
    assert not any(schema.allow_conversion for schema in (*top, *nested, *elements))


def test_types_by_number_of_updatable_properties(types: list[ResourceType]) -> None:
    updatable = [[schema.update_allowed for schema in made.properties.values()] for made in types]
    assert sum(bool(allowed) and all(allowed) for allowed in updatable) == 30
    assert sum(bool(allowed) and not any(allowed) for allowed in updatable) == 42
    assert sum(not allowed for allowed in updatable) == 36


def test_attributes(types: list[ResourceType], attributes: list[AttributeSchema]) -> None:
    assert statuses(attributes) == {
        Status.SUPPORTED: 363,
        Status.DEPRECATED: 3,
        Status.HIDDEN: 2,
        Status.UNSUPPORTED: 1,
    }
    assert sum(not schema.cached for schema in attributes) == 26
    assert all("show" in made.attributes for made in types)


def test_constraints(catalog: Catalog, constraints: list[Constraint]) -> None:
    assert dict(Counter(type(constraint).__name__ for constraint in constraints)) == {
        "CustomConstraint": 288,
        "AllowedValues": 155,
        "Range": 115,
        "Length": 26,
        "AllowedPattern": 10,
    }
    used = {constraint.name for constraint in constraints if isinstance(constraint, CustomConstraint)}
    assert len(used) == 62
    assert len(catalog.custom_constraints) == 70
    assert sum(not needs_cloud for needs_cloud in catalog.custom_constraints.values()) == 14


def test_translation_rules(types: list[ResourceType]) -> None:
    rules = [rule for made in types for rule in made.translation_rules]
    assert dict(Counter(rule.kind for rule in rules)) == {
        TranslationKind.RESOLVE: 89,
        TranslationKind.REPLACE: 21,
        TranslationKind.DELETE: 3,
        TranslationKind.ADD: 2,
    }
    assert Counter(rule.kind for rule in rules if rule.when_set) == {TranslationKind.DELETE: 2, TranslationKind.ADD: 2}


def test_policies_and_hooks(types: list[ResourceType]) -> None:
    def overriding(hook: str) -> int:
        return sum(hook in made.overrides for made in types)

    assert sum(bool(made.update_policy) for made in types) == 7
    assert [made.name for made in types if made.snapshot_allowed] == [
        "AWS::EC2::Volume",
        "OS::Cinder::Volume",
        "OS::Heat::DeployedServer",
        "OS::Nova::Server",
    ]
    assert overriding("add_dependencies") == 10
    assert overriding("validate") == 133
    assert overriding("needs_replace") == 1
    assert overriding("needs_replace_with_prop_diff") == 4
    assert overriding("needs_replace_with_tmpl_diff") == 1
    assert overriding("_needs_update") == 47
    assert overriding("needs_replace_failed") == 47
    assert [
        made.name
        for made in types
        if any(schema.update_allowed for schema in made.properties.values()) and "handle_update" not in made.overrides
    ] == ["OS::Heat::Delay"]


def test_aliases(catalog: Catalog) -> None:
    assert len(catalog.aliases) == 9
    assert catalog.aliases["OS::Quantum*"] == "OS::Neutron*"
    assert sum(target.endswith(".yaml") for target in catalog.aliases.values()) == 2
    assert not catalog.aliases.keys() & set(catalog.names())
