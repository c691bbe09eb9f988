"""The rules about quotas in resources/quota.json name only properties, keys and kinds that exist."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from heatstudio.catalog.cloud.quota_rule import TakeRule, quota_facts
from heatstudio.catalog.load import Catalog, catalogs, load_catalog
from heatstudio.catalog.schema import PropertySchema

RULES = [(name, take) for name, rule in quota_facts().types.items() for take in rule.takes]


@pytest.fixture(scope="module")
def every_catalog() -> list[Catalog]:
    return list(catalogs(load_catalog()))


def paths_of(take: TakeRule) -> Iterator[str]:
    """Yield the paths of a rule from the top of the properties."""
    inner = filter(None, (take.amount, take.freed_with, *take.when, *take.unless))
    yield from (f"{take.each}.{path}" for path in inner) if take.each else inner
    if take.each:
        yield take.each


def has(schemas: Mapping[str, PropertySchema], steps: list[str]) -> bool:
    """Return whether the schemas have a path, through the items of lists."""
    schema = schemas.get(steps[0])
    if schema is None or len(steps) == 1:
        return schema is not None
    return has((schema.element or schema).children, steps[1:])


@pytest.mark.parametrize(("name", "take"), RULES, ids=str)
def test_rule_names_properties_of_the_type(every_catalog: list[Catalog], name: str, take: TakeRule) -> None:
    types = [found for found in (catalog.get(name) for catalog in every_catalog) if found is not None]
    assert types
    missing = [path for path in paths_of(take) if not any(has(one.properties, path.split(".")) for one in types)]
    assert missing == []


def test_every_kind_is_taken_by_a_type() -> None:
    assert {take.kind for _, take in RULES} == set(quota_facts().kinds)


def test_every_reported_kind_has_a_service_a_quota_and_a_use() -> None:
    for kind in quota_facts().kinds.values():
        if kind.service:
            assert kind.service in quota_facts().services
            assert kind.limit
            assert bool(kind.used) is (kind.count is None)
