"""Property groups compared with the recorded results of the real engine."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from heatstudio.catalog.load import Catalog, load_catalog
from heatstudio.catalog.property_groups.load_groups import GroupLibrary
from heatstudio.stack.groups.group_context import GroupContext
from heatstudio.stack.groups.group_fix import after
from heatstudio.stack.groups.property_groups import check_groups
from tests.stack.group_cases import (
    NEWEST,
    NOT_OF_PROPERTIES,
    grouped_types,
    groups_of,
    judge,
    library,
    property_values,
    read_cases,
)
from tests.stack.properties_group_schema import schema_fault


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog()


@pytest.fixture(scope="module")
def groups() -> GroupLibrary:
    return library()


@pytest.fixture(scope="module")
def cases(engine_answers: Path) -> list[dict[str, object]]:
    return list(read_cases(engine_answers / "group_cases.jsonl"))


def given(case: dict[str, object]) -> dict[str, object]:
    properties = case["properties"]
    assert isinstance(properties, dict)
    return properties


def test_verdicts_match_the_engine(cases: list[dict[str, object]], catalog: Catalog, groups: GroupLibrary) -> None:
    missed: Counter[str] = Counter()
    for case in cases:
        type_name = str(case["type"])
        found = judge(catalog, groups, type_name, given(case))
        assert not (case["valid"] and found), (type_name, given(case), found)
        if not case["valid"] and not found:
            missed[type_name] += 1
    assert set(missed) <= set(NOT_OF_PROPERTIES), missed
    assert sum(missed.values()) <= 13


def test_first_message_matches_the_engine(
    cases: list[dict[str, object]], catalog: Catalog, groups: GroupLibrary
) -> None:
    for case in cases:
        found = judge(catalog, groups, str(case["type"]), given(case))
        if found:
            assert found[0].message == case["message"]


def test_every_fix_ends_the_violation(cases: list[dict[str, object]], catalog: Catalog, groups: GroupLibrary) -> None:
    context = GroupContext(resource="res", client_versions=NEWEST)
    for case in cases[::7]:
        type_name = str(case["type"])
        rules = groups_of(catalog, groups, type_name)
        values = property_values(catalog, type_name, given(case))
        before = list(check_groups(rules, values, context))
        for violation in before:
            same = [other for other in before if other.group is violation.group]
            for fix in violation.fixes:
                left = [v for v in check_groups(rules, after(values, fix), context) if v.group is violation.group]
                assert len(left) < len(same), (type_name, violation.group.name, fix)


def test_schema_of_heats_own_groups_is_validated_as_in_heat(engine_answers: Path) -> None:
    with (engine_answers / "group_cases.jsonl").open(encoding="utf-8") as lines:
        shapes = [case for case in map(json.loads, lines) if case["kind"] == "properties_group_schema"]
    assert shapes
    for case in shapes:
        fault = schema_fault(case["schema"])
        assert (fault is None) == case["valid"]
        assert (fault or "") == case.get("message", "")


def test_all_groups_fit_the_catalog(catalog: Catalog, groups: GroupLibrary) -> None:
    assert sum(bool(groups_of(catalog, groups, name)) for name in grouped_types()) > 60
