from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import convert

from heatstudio.catalog.load import load_catalog
from heatstudio.catalog.property_groups.load_groups import GroupData, parse_groups
from heatstudio.catalog.property_groups.property_group import PropertyGroups
from heatstudio.catalog.schema import PropertySchema, PropertyType
from heatstudio.stack.groups.group_context import GroupContext
from heatstudio.stack.groups.property_groups import GroupViolation, check_groups
from heatstudio.stack.unknown import Unknown
from tests.stack.group_cases import grouped_types, groups_of, library

ELEMENT = PropertySchema(
    "*",
    PropertyType.MAP,
    children={"x": PropertySchema("x", PropertyType.STRING), "y": PropertySchema("y", PropertyType.STRING)},
)
PROPERTIES = {
    **{name: PropertySchema(name, PropertyType.ANY) for name in "abcn"},
    "items": PropertySchema("items", PropertyType.LIST, children={"*": ELEMENT}),
}
UNKNOWN = Unknown("u")
CATALOG = load_catalog()
GROUPS = library()


def made(groups: Mapping[str, object]) -> PropertyGroups:
    return parse_groups("T", convert(groups, dict[str, GroupData]))


def check(
    group: Mapping[str, object], context: GroupContext | None = None, /, **values: object
) -> list[GroupViolation]:
    complete = {**dict.fromkeys(PROPERTIES), **values}
    return list(check_groups(made({"g": group}), complete, context or GroupContext()))


@pytest.mark.parametrize(
    ("operator", "allowed"), [("AND", {2}), ("OR", {1, 2}), ("XOR", {1}), ("NONE", {0}), ("AT_MOST_ONE", {0, 1})]
)
def test_operators_count_given_members(operator: str, allowed: set[int]) -> None:
    group = {"operator": operator, "properties": ["a", "b"]}
    for count in range(3):
        values = dict.fromkeys("ab"[:count], "v")
        assert (check(group, **values) == []) == (count in allowed)


def test_depends_on() -> None:
    group = {"operator": "DEPENDS_ON", "properties": ["a", "b"]}
    assert check(group) == []
    assert check(group, b="v") == []
    assert check(group, a="v", b="v") == []
    (found,) = check(group, a="v")
    assert found.paths == (("a",),)
    assert [fix.title for fix in found.fixes] == ["Add `b`", "Remove `a`"]


@pytest.mark.parametrize(
    ("presence", "value", "counts"), [("given", "", True), ("truthy", "", False), ("given", None, False)]
)
def test_presence(presence: str, value: object, counts: bool) -> None:
    assert (check({"operator": "NONE", "given": presence, "properties": ["a"]}, a=value) != []) == counts


def test_unknown_value_counts_as_given_but_breaks_no_constraint() -> None:
    assert check({"operator": "NONE", "properties": ["a"]}, a=UNKNOWN)
    assert not check({"operator": "NONE", "given": "truthy", "properties": ["a"]}, a=UNKNOWN)
    assert not check(
        {"operator": "AND", "properties": [{"property": "a", "constraints": [["allowed_values", ["x"]]]}]}, a=UNKNOWN
    )
    assert not check({"operator": "LE", "properties": ["a", "b"]}, a=UNKNOWN, b=1)
    assert not check(
        {"operator": "AND", "properties": ["b"], "when": {"property": "a", "constraints": [["allowed_values", [1]]]}},
        a=UNKNOWN,
    )
    assert not check({"operator": "OR", "properties": ["items[*].x"]}, items=UNKNOWN)
    assert not check({"operator": "XOR", "scope": "items[*]", "properties": ["x", "y"]}, items=[UNKNOWN])


def test_scope_is_evaluated_for_each_element() -> None:
    group = {"operator": "XOR", "scope": "items[*]", "properties": ["x", "y"]}
    found = check(group, items=[{"x": "1", "y": None}, {"x": "1", "y": "2"}, {"x": None, "y": None}])
    assert [violation.paths for violation in found] == [(("items", 1, "x"), ("items", 1, "y")), (("items", 2),)]
    assert found[0].fixes[0].remove == (("items", 1, "y"),)
    assert found[1].fixes[0].add == (("items", 2, "x"),)


@pytest.mark.parametrize("quantifier", ["any", "each"])
def test_quantifiers(quantifier: str) -> None:
    member = {"property": "items[*].x", "quantifier": quantifier, "constraints": [["allowed_values", ["1"]]]}
    assert not check({"operator": "OR", "properties": [member]}, items=[{"x": "1"}, {"x": "2"}])
    assert check({"operator": "OR", "properties": [member]}, items=[{"x": "3"}, {"x": "2"}])


def test_each_element_counts_separately() -> None:
    member = {"property": "items[*].x", "quantifier": "each"}
    group = {"operator": "AT_MOST_ONE", "properties": ["a", member]}
    assert not check(group, items=[{"x": "1"}, {"x": None}])
    assert check(group, items=[{"x": "1"}, {"x": "2"}])


@pytest.mark.parametrize(
    ("group", "values", "ok"),
    [
        ({"operator": "LE", "properties": ["a", "b"]}, {"a": 1, "b": 1}, True),
        ({"operator": "LE", "properties": ["a", "b", "c"]}, {"a": 1, "b": 3, "c": 2}, False),
        ({"operator": "LE", "properties": ["a", "b"]}, {"a": 5}, True),
        (
            {"operator": "LE", "properties": [{"sum": ["a", {"product": ["b", "c"]}]}, "n"]},
            {"a": 1, "b": 2, "c": 3, "n": 6},
            False,
        ),
        ({"operator": "EQUAL", "properties": ["a", "b"]}, {"a": "x", "b": "y"}, False),
        ({"operator": "UNIQUE", "properties": ["items[*].x"]}, {"items": [{"x": "1"}, {"x": "1"}]}, False),
        ({"operator": "SUBSET", "properties": ["a[*]", "b[*]"]}, {"a": [1], "b": [1, 2]}, True),
        ({"operator": "SUBSET", "properties": ["a[*]", "b[*]"]}, {"a": [3], "b": [1, 2]}, False),
        (
            {"operator": "DISJOINT", "properties": [{"property": "a", "keys": True}, {"values": ["k"]}]},
            {"a": {"k": 1}},
            False,
        ),
    ],
)
def test_relations_between_values(group: Mapping[str, object], values: dict[str, object], ok: bool) -> None:
    assert (check(group, **values) == []) == ok


def test_client_versions() -> None:
    group = {
        "operator": "AT_MOST_ONE",
        "properties": ["a"],
        "client_plugin": "nova",
        "client_plugin_supported": ["2.10"],
    }
    assert not check(group, a="v")
    assert check(group, GroupContext(client_versions={"nova": "2.9"}), a="v")
    assert not check(group, GroupContext(client_versions={"nova": "2.9"}))
    assert not check(group, GroupContext(client_versions={"nova": "2.10"}), a="v")
    assert not check(group, GroupContext(client_versions={"nova": "latest"}), a="v")


def test_referenced_group_is_not_checked_alone() -> None:
    groups = made(
        {
            "both": {"operator": "AND", "properties": ["a", "b"]},
            "either": {"operator": "OR", "properties": ["property_groups.both", "c"]},
        }
    )
    nothing = dict.fromkeys(PROPERTIES)
    (found,) = check_groups(groups, nothing)
    assert found.group.name == "either"
    assert [fix.title for fix in found.fixes] == ["Add `a` and `b`", "Add `c`"]
    assert not list(check_groups(groups, {**nothing, "c": 1}))
    assert not list(check_groups(groups, {**nothing, "a": 1, "b": 1}))


def test_own_message() -> None:
    (found,) = check({"operator": "XOR", "properties": ["a", "b"]})
    assert found.summary == "exactly one of `a` or `b` is required"
    assert found.message == found.summary
    (found,) = check(
        {"operator": "AND", "properties": ["a"], "when": {"property": "b", "constraints": [["allowed_values", ["x"]]]}},
        b="x",
    )
    assert found.summary == "`a` is required when `b` is `x`"


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 9) | st.floats(allow_nan=True) | st.text(max_size=3) | st.just(UNKNOWN),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_checks_are_total(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(grouped_types()))
    kind = CATALOG.get(name)
    assert kind is not None
    values = {key: data.draw(JUNK) for key in kind.properties}
    list(check_groups(groups_of(CATALOG, GROUPS, name), values, GroupContext(metadata=data.draw(JUNK))))
