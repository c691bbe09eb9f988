from __future__ import annotations

import re

import pytest

from heatstudio.catalog.load_groups import GroupLibrary, parse_groups
from heatstudio.catalog.parse_group import GroupDataError, parse_path
from heatstudio.catalog.property_group import (
    ClientVersion,
    GroupReference,
    Member,
    MemberPath,
    Operator,
    Presence,
    Root,
    Situation,
)
from heatstudio.catalog.schema import PropertySchema, PropertyType

PORT = PropertySchema("port", PropertyType.STRING)
NETWORK = PropertySchema("*", PropertyType.MAP, children={"port": PORT, "network": PORT})
PROPERTIES = {
    "a": PropertySchema("a", PropertyType.STRING),
    "b": PropertySchema("b", PropertyType.STRING),
    "size": PropertySchema("size", PropertyType.INTEGER),
    "free": PropertySchema("free", PropertyType.MAP),
    "networks": PropertySchema("networks", PropertyType.LIST, children={"*": NETWORK}),
}


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("a", MemberPath(("a",))),
        ("networks[*].port", MemberPath(("networks", "[*]", "port"))),
        ("/a", MemberPath(("a",), Root.TOP)),
        ("@metadata.deployments", MemberPath(("metadata", "deployments"), Root.FACT)),
    ],
)
def test_a_path_is_written_as_it_is_read(text: str, path: MemberPath) -> None:
    assert parse_path(text) == path
    assert str(path) == text


def test_the_groups_of_the_specification() -> None:
    first, second, third = parse_groups(
        "T",
        {
            "role-project": {"properties": ["a", "b"], "operator": "and"},
            "role-group": {"properties": ["a", "size"], "operator": "AND"},
            "either": {"properties": ["property_groups.role-project", "property_groups.role-group"], "operator": "or"},
        },
        PROPERTIES,
    )
    assert first.referenced
    assert second.referenced
    assert not third.referenced
    assert third.expression.operator is Operator.OR
    assert third.expression.members == (GroupReference("role-project"), GroupReference("role-group"))


def test_a_group_says_from_which_client_version_its_properties_are_known() -> None:
    (group,) = parse_groups(
        "T",
        {"g": {"properties": ["a"], "operator": "OR", "client_plugin": "nova", "client_plugin_supported": [1.2]}},
        PROPERTIES,
    )
    assert group.client_version == ClientVersion("nova", (1, 2))
    assert group.client_version.supports((1, 10))
    assert not group.client_version.supports((1, 1))


def test_presence_and_messages_of_a_group() -> None:
    (group,) = parse_groups(
        "T",
        {
            "g": {
                "scope": "networks[*]",
                "operator": "XOR",
                "given": "truthy",
                "properties": ["network", "port"],
                "heat": {"none": {"unspecified": ["network", "port"]}, "many": {"conflict": ["network", "port"]}},
            }
        },
        PROPERTIES,
    )
    assert all(isinstance(member, Member) and member.presence is Presence.TRUTHY for member in group.expression.members)
    message = group.message(Situation.MANY)
    assert message is not None
    assert message.text == "Cannot define the following properties at the same time: network, port."


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ({"g": {"operator": "NAND", "properties": ["a"]}}, "unknown operator 'NAND'"),
        ({"g": {"operator": "AND", "properties": []}}, "`properties` must be a list"),
        ({"g": {"operator": "AND", "properties": ["zz"]}}, "unknown property `zz`"),
        ({"g": {"operator": "AND", "properties": ["a.b"]}}, "`a` is a string"),
        ({"g": {"operator": "AND", "properties": ["networks.port"]}}, "does not fit"),
        ({"g": {"operator": "AND", "properties": ["networks[*].zz"]}}, "unknown property `zz`"),
        ({"g": {"operator": "AND", "properties": ["a..b"]}}, "not a property path"),
        ({"g": {"operator": "AND", "properties": [{"property": "a", "given": "maybe"}]}}, "unknown presence test"),
        ({"g": {"operator": "AND", "properties": [{"property": "a", "values": 1}]}}, "has no key `values`"),
        ({"g": {"operator": "AND", "properties": [{"property": "a", "range": {}}]}}, "needs a whole number"),
        (
            {"g": {"operator": "AND", "properties": [{"property": "a", "allowed_pattern": "("}]}},
            "no regular expression",
        ),
        ({"g": {"operator": "LE", "properties": ["size"]}}, "at least two"),
        ({"g": {"operator": "OR", "properties": ["property_groups.h"]}}, "unknown group `h`"),
        ({"g": {"operator": "OR", "properties": ["a"], "heat": "{zz} is wrong"}}, "unknown property `zz`"),
        ({"g": {"operator": "OR", "properties": ["a"], "heat": "{$zz} is wrong"}}, "unknown field"),
        ({"g": {"operator": "OR", "properties": ["a"], "heat": {"dependency": ["a"]}}}, "needs 2 names"),
        ({"g": {"operator": "OR", "properties": ["a"], "scope": "zz[*]"}}, "unknown property `zz`"),
        (
            {"g": {"operator": "OR", "properties": ["a"], "client_plugin": "n", "client_plugin_supported": ["x"]}},
            "version",
        ),
        ({"g": "AND"}, "a group is a map"),
        (
            {
                "g": {"operator": "OR", "properties": ["property_groups.h"]},
                "h": {"operator": "OR", "properties": ["property_groups.g"]},
            },
            "refers to itself: g -> h -> g",
        ),
        (
            {
                "g": {"operator": "OR", "properties": ["property_groups.h"]},
                "h": {"operator": "OR", "properties": ["port"], "scope": "networks[*]"},
            },
            "another scope",
        ),
    ],
)
def test_wrong_data_name_the_type_and_the_group(data: dict[str, object], reason: str) -> None:
    with pytest.raises(GroupDataError, match=re.escape(reason)) as raised:
        parse_groups("OS::Test::Type", data, PROPERTIES)
    assert "OS::Test::Type" in str(raised.value)
    assert raised.value.group == "g"


def test_a_free_form_map_has_any_key() -> None:
    assert parse_groups("T", {"g": {"operator": "AND", "properties": ["free.anything"]}}, PROPERTIES)


def test_types_share_groups_by_name() -> None:
    library = GroupLibrary({"A": {"g": {"operator": "OR", "properties": ["a"]}}, "B": "A"})
    assert library.groups("B", PROPERTIES) == library.groups("A", PROPERTIES)
    assert library.groups("C", PROPERTIES) == ()
    with pytest.raises(GroupDataError, match="a map"):
        GroupLibrary({"A": "B"}).groups("A", PROPERTIES)
