"""Catalogs of older Heat releases, stored as differences from the next newer one."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest

from heatstudio.assets import resource_path
from heatstudio.catalog.load import Catalog, catalog_at, catalogs, release_changes
from heatstudio.catalog.release import find_release, load_releases
from heatstudio.stack.definition.knowledge import Knowledge, load_knowledge
from tests.catalog.harvest.__main__ import rendered
from tests.catalog.harvest.changes import catalog_changes
from tests.catalog.harvest.older import older_facts, whole_facts
from tests.catalog.harvest.protocols import Facts
from tests.catalog.property_groups.verify import verify_groups

MOST_BYTES = 600_000
RELEASES = load_releases()
OLDER: Facts = {"heat": "1.0.0", "types": {"A": {}, "B": {"class": "b"}}, "aliases": {}, "custom_constraints": {}}
NEWER: Facts = {
    "heat": "2.0.0",
    "types": {"A": {}, "B": {"class": "c"}, "C": {}},
    "aliases": {"x": "A"},
    "custom_constraints": {},
}


@pytest.fixture(scope="module")
def every(catalog: Catalog) -> list[Catalog]:
    return list(catalogs(catalog))


def at(catalog: Catalog, release: str) -> Catalog:
    found = find_release(RELEASES, release)
    assert found is not None
    return catalog_at(catalog, found)


def test_every_release_since_yoga_has_a_catalog(every: list[Catalog]) -> None:
    newest = int(RELEASES[-1].heat.partition(".")[0])
    assert [one.series for one in every] == list(range(newest, 17, -1))


def test_every_type_of_every_release_can_be_read(every: list[Catalog]) -> None:
    for catalog in every:
        assert all(catalog.get(name) is not None for name in catalog.names())


def test_catalog_files_are_small() -> None:
    files = [*resource_path("catalog").rglob("*.json"), *resource_path("registry").rglob("*.json")]
    assert sum(file.stat().st_size for file in files) < MOST_BYTES


def test_changes_of_releases_are_up_to_date(every: list[Catalog]) -> None:
    written = resource_path("catalog", "changes.json").read_text("utf-8")
    assert written == rendered(catalog_changes(every))
    changes = release_changes()
    assert changes["OS::Octavia::Listener"] == {
        "22.0.0 (2024.1 Caracal)": ("loadbalancer: required (previously: optional)",)
    }
    assert changes["OS::Nova::Server"]["26.0.0 (2026.1 Gazpacho)"] == (
        "block_device_mapping_v2.volume_type: property added",
    )
    assert "OS::Heat::None" not in changes


def test_newer_catalogs_keep_all_types(every: list[Catalog]) -> None:
    for newer, older in pairwise(every):
        assert set(older.names()) <= set(newer.names())


def test_release_before_the_oldest_catalog_uses_the_oldest(catalog: Catalog) -> None:
    assert at(catalog, "icehouse").heat_version == at(catalog, "yoga").heat_version == "18.0.1"
    assert at(catalog, RELEASES[-1].name) is catalog


def test_catalog_of_a_release_has_its_properties_and_types(catalog: Catalog) -> None:
    bobcat, caracal = (at(catalog, name).get("OS::Octavia::Listener") for name in ("bobcat", "caracal"))
    assert bobcat is not None
    assert caracal is not None
    assert (bobcat.properties["loadbalancer"].required, caracal.properties["loadbalancer"].required) == (False, True)
    assert at(catalog, "antelope").get("OS::Aodh::PrometheusAlarm") is None


def test_property_groups_fit_the_types_of_every_release() -> None:
    knowledge = load_knowledge()
    for release in RELEASES:
        then = knowledge.at(release)
        types = list(filter(None, map(then.catalog.get, then.catalog.names())))
        for kind in types:
            verify_groups(kind.name, then.groups(kind), kind.properties)
        assert any(map(then.groups, types))


def test_knowledge_of_a_release_is_cached() -> None:
    knowledge: Knowledge = load_knowledge()
    yoga = find_release(RELEASES, "yoga")
    assert knowledge.at(None) is knowledge.at(RELEASES[-1]) is knowledge
    assert knowledge.at(yoga) is knowledge.at(yoga) is knowledge.at(yoga).at(yoga)
    assert knowledge.at(yoga).client_versions["nova"] == "2.90"


def test_difference_restores_the_older_facts() -> None:
    difference = older_facts(OLDER, NEWER)
    assert difference == {"heat": "1.0.0", "types": {"B": {"class": "b"}}, "later": ["C"], "aliases": {}}
    assert json.dumps(whole_facts(difference, NEWER)) == json.dumps(OLDER)
