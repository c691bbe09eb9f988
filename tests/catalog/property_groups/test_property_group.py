from __future__ import annotations

import re

import pytest
from msgspec import ValidationError, convert

from heatstudio.catalog.property_groups.load_groups import (
    GroupData,
    GroupDataError,
    GroupLibrary,
    LibraryData,
    parse_groups,
    parse_path,
)
from heatstudio.catalog.property_groups.property_group import (
    ClientVersion,
    GroupReference,
    Member,
    MemberPath,
    Operator,
    Presence,
    PropertyGroups,
    Root,
    ViolationKind,
)
from heatstudio.catalog.schema import PropertySchema, PropertyType
from tests.catalog.property_groups.verify import verify_groups

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
def test_path_is_parsed_and_formatted(text: str, path: MemberPath) -> None:
    assert parse_path(text) == path
    assert str(path) == text


def made(type_name: str, groups: dict[str, object]) -> PropertyGroups:
    parsed = parse_groups(type_name, convert(groups, dict[str, GroupData]))
    verify_groups(type_name, parsed, PROPERTIES)
    return parsed


def test_groups_that_refer_to_groups() -> None:
    first, second, third = made(
        "T",
        {
            "role-project": {"properties": ["a", "b"], "operator": "AND"},
            "role-group": {"properties": ["a", "size"], "operator": "AND"},
            "either": {"properties": ["property_groups.role-project", "property_groups.role-group"], "operator": "OR"},
        },
    )
    assert first.referenced
    assert second.referenced
    assert not third.referenced
    assert third.expression.operator is Operator.OR
    assert third.expression.members == (GroupReference("role-project"), GroupReference("role-group"))


def test_group_names_the_client_version_that_added_its_properties() -> None:
    (group,) = made(
        "T", {"g": {"properties": ["a"], "operator": "OR", "client_plugin": "nova", "client_plugin_supported": ["1.2"]}}
    )
    assert group.client_version == ClientVersion("nova", (1, 2))
    assert group.client_version.supports((1, 10))
    assert not group.client_version.supports((1, 1))


def test_presence_and_messages_of_a_group() -> None:
    (group,) = made(
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
    )
    assert all(isinstance(member, Member) and member.presence is Presence.TRUTHY for member in group.expression.members)
    message = group.message(ViolationKind.MANY)
    assert message is not None
    assert message.text == "Cannot define the following properties at the same time: network, port."


@pytest.mark.parametrize(
    ("group", "reason"),
    [
        ({"operator": "NAND", "properties": ["a"]}, "Invalid enum value 'NAND' - at `$[...].operator`"),
        ({"operator": "AND", "properties": []}, "length >= 1"),
        ({"operator": "AND", "properties": [{"property": "a", "given": "maybe"}]}, "Invalid enum value 'maybe'"),
        ({"operator": "AND", "properties": [{"property": "a", "constraints": [["rnge", 1]]}]}, "Invalid value 'rnge'"),
        ({"operator": "AND", "properties": [{"property": "a", "lengths": 1}]}, "unknown field `lengths`"),
        ({"operator": "OR", "properties": ["a"], "heat": {"allways": "no"}}, "Invalid enum value 'allways'"),
        (
            {"operator": "OR", "properties": ["a"], "client_plugin": "n", "client_plugin_supported": ["x"]},
            "at `$[...].client_plugin_supported[0]`",
        ),
        ("AND", "Expected `object`"),
    ],
)
def test_group_with_invalid_data_is_rejected(group: object, reason: str) -> None:
    with pytest.raises(ValidationError, match=re.escape(reason)):
        made("OS::Test::Type", {"g": group})


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ({"g": {"operator": "AND", "properties": ["zz"]}}, "unknown property `zz`"),
        ({"g": {"operator": "AND", "properties": ["a.b"]}}, "`a` is a string"),
        ({"g": {"operator": "AND", "properties": ["networks.port"]}}, "does not fit"),
        ({"g": {"operator": "AND", "properties": ["networks[*].zz"]}}, "unknown property `zz`"),
        ({"g": {"operator": "AND", "properties": ["a..b"]}}, "not a property path"),
        ({"g": {"operator": "AND", "properties": [{"property": "a", "values": [1]}]}}, "of one kind"),
        ({"g": {"operator": "LE", "properties": [{"property": "a", "values": [1]}, "b"]}}, "of one kind"),
        ({"g": {"operator": "AND", "properties": [{"operator": "OR", "properties": ["a"], "once": True}]}}, "one kind"),
        ({"g": {"operator": "AND", "properties": [{}]}}, "not a property path"),
        (
            {"g": {"operator": "AND", "properties": [{"property": "a", "constraints": [["allowed_pattern", "("]]}]}},
            "missing )",
        ),
        ({"g": {"operator": "LE", "properties": ["size"]}}, "at least two"),
        ({"g": {"operator": "OR", "properties": ["property_groups.h"]}}, "unknown group `h`"),
        ({"g": {"operator": "OR", "properties": ["a"], "heat": "{zz} is wrong"}}, "unknown property `zz`"),
        ({"g": {"operator": "OR", "properties": ["a"], "heat": "{$zz} is wrong"}}, "unknown field"),
        ({"g": {"operator": "OR", "properties": ["a"], "heat": {"always": {"dependency": ["a"]}}}}, "needs 2 names"),
        ({"g": {"operator": "OR", "properties": ["a"], "scope": "zz[*]"}}, "unknown property `zz`"),
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
def test_error_names_the_type_and_the_group(data: dict[str, object], reason: str) -> None:
    with pytest.raises(GroupDataError, match=re.escape(reason)) as raised:
        made("OS::Test::Type", data)
    assert "`g` of OS::Test::Type" in str(raised.value)


def test_free_form_map_accepts_any_key() -> None:
    assert made("T", {"g": {"operator": "AND", "properties": ["free.anything"]}})


def test_types_share_groups_by_name() -> None:
    library = GroupLibrary(convert({"A": {"g": {"operator": "OR", "properties": ["a"]}}, "B": "A"}, LibraryData))
    assert library.groups("B") == library.groups("A")
    assert library.groups("C") == ()
    with pytest.raises(GroupDataError, match="a map"):
        GroupLibrary({"A": "B"}).groups("A")
