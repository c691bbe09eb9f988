from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heatstudio.catalog.schema import (
    AllowedPattern,
    AllowedValues,
    Constraint,
    CustomConstraint,
    Length,
    Modulo,
    PropertyType,
    Range,
)
from heatstudio.stack.unknown import Unknown
from heatstudio.stack.values.constraints import _FAULTS, applies, violation

LOCAL = {*_FAULTS, "nova.network", "test_constr"}
"""The constraints that Heat checks without a cloud; the last two accept every value."""


@pytest.mark.parametrize(
    ("constraint", "value", "message"),
    [
        (Range(1, 8), 8, None),
        (Range(1, 8), "8", None),
        (Range(1, 8), 9, "9 is out of range (min: 1, max: 8)"),
        (Range(1, None), "0.5", "0.5 is out of range (min: 1, max: None)"),
        (Range(1, 8), "x", "could not convert string to float: 'x'"),
        (Range(1, 8, "one to eight"), 9, "one to eight"),
        (Length(1, 2), "abc", "length (3) is out of range (min: 1, max: 2)"),
        (Length(1, None), [], "length (0) is out of range (min: 1, max: None)"),
        (Length(1, None), {"a": 1}, None),
        (Length(1, None), 5, "object of type 'int' has no len()"),
        (Modulo(2, 0), 3, "3 is not a multiple of 2 with an offset of 0"),
        (Modulo(2, 1), "3", None),
        (AllowedValues(("a", "b")), "c", '"c" is not an allowed value ["a", "b"]'),
        (AllowedValues(("a", "b")), ["a", "c"], '["a", "c"] is not an allowed value ["a", "b"]'),
        (AllowedValues(("a", "b")), [], None),
        (AllowedPattern("[a-z]*"), "abc", None),
        (AllowedPattern("[a-z]*"), "abc\n", '"abc\n" does not match pattern "[a-z]*"'),
        (AllowedPattern("a|ab"), "ab", '"ab" does not match pattern "a|ab"'),
        (AllowedPattern("("), "anything", None),
        (CustomConstraint("nova.flavor"), "no such flavor", None),
        (CustomConstraint("nova.flavor"), "", None),
        (CustomConstraint("keystone.domain"), "default", None),
        (
            CustomConstraint("keystone.domain"),
            "",
            "Error validating value '': The KeystoneDomain () could not be found.",
        ),
    ],
)
def test_violation(constraint: Constraint, value: object, message: str | None) -> None:
    assert violation(constraint, value) == message


def test_allowed_values_are_compared_in_the_type_of_the_schema() -> None:
    eight = AllowedValues(("8",))
    assert violation(eight, 8) is not None
    assert violation(eight, 8, PropertyType.INTEGER) is None
    assert violation(AllowedValues((True,)), "yes", PropertyType.BOOLEAN) is None
    message = violation(AllowedValues(("x",)), 8, PropertyType.INTEGER)
    assert message == 'Value "x" is invalid for data type "Integer".'


def test_unknown_value_is_never_reported() -> None:
    assert violation(AllowedValues(("a",)), Unknown("u")) is None
    assert violation(Length(5, None), ["a", {"b": Unknown("u")}]) is None


def test_valid_constraints_of_each_type() -> None:
    assert applies(Range(1), PropertyType.INTEGER)
    assert not applies(Range(1), PropertyType.STRING)
    assert applies(Length(1), PropertyType.MAP)
    assert not applies(AllowedValues(()), PropertyType.MAP)
    assert not applies(AllowedPattern("a"), PropertyType.LIST)


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("ip_addr", "10.0.0.1", None),
        ("ip_addr", "fe80::1", None),
        ("ip_addr", "010.0.0.1", "Invalid IP address"),
        ("ip_addr", "10.1", "Invalid IP address"),
        ("ip_addr", "fe80::1%eth0", "Invalid IP address"),
        ("net_cidr", "10.0.0.0/24", None),
        ("net_cidr", "2001:db8::/ffff::", None),
        ("net_cidr", "10.0.0.0/255.0.0.0", "'10.0.0.0/255.0.0.0' is not a valid IP subnet"),
        ("net_cidr", "300.0.0.0/8", "Invalid net cidr invalid IPNetwork 300.0.0.0/8 "),
        ("net_cidr", "10", "'10' is not a valid IP subnet"),
        ("ip_or_cidr", "10.0.0.1", None),
        ("ip_or_cidr", "10.0.0.1/33", "'10.0.0.1/33' is not a valid IP subnet"),
        ("mac_addr", "aabb.ccdd.eeff", None),
        ("mac_addr", "aa:bb", "Invalid MAC address."),
        ("dns_name", "host-a.example.com", None),
        ("dns_name", "a..b", "'a..b' not in valid format. Reason: Encountered an empty component."),
        ("rel_dns_name", "a.com.", "'a.com.' is a FQDN. It should be a relative domain name."),
        ("dns_domain", "a.com", "'a.com' must end with '.'."),
        ("iso_8601", "2026-01-01T00:00:00Z", None),
        ("iso_8601", "2026-02-30", ""),
        ("timezone", "Europe/Berlin", None),
        ("timezone", "Nowhere/City", "Invalid timezone: 'No time zone found with key Nowhere/City'"),
        ("expiration", "2099-01-01", None),
        ("expiration", "2001-01-01", "Expiration 2001-01-01 is invalid: Expiration time is out of date."),
        ("json_string", '{"a": 1}', None),
        ("json_string", "nul", "JSON string nul is invalid: Expecting value: line 1 column 1 (char 0)"),
    ],
)
def test_local_custom_constraints(name: str, value: str, reason: str | None) -> None:
    message = violation(CustomConstraint(name), value)
    if reason is None:
        assert message is None
    else:
        assert message == f"Error validating value '{value}'" + (f": {reason}" if reason else "")


def test_cron_expressions_are_checked_by_the_library_of_heat() -> None:
    pytest.importorskip("croniter")
    assert violation(CustomConstraint("cron_expression"), "*/5 * * * mon") is None
    message = violation(CustomConstraint("cron_expression"), "* * *")
    assert message is not None
    assert "Invalid CRON expression: Exactly 5, 6 or 7 columns" in message


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)
CONSTRAINTS: list[Constraint] = [
    Range(1, 2),
    Length(1, 2),
    Modulo(2, 0),
    AllowedValues(("a", 1, True)),
    AllowedPattern("a*"),
    *(CustomConstraint(name) for name in sorted(LOCAL)),
]


@given(st.sampled_from(CONSTRAINTS), VALUES, st.sampled_from([None, *PropertyType]))
def test_checks_are_total(constraint: Constraint, value: object, schema_type: PropertyType | None) -> None:
    message = violation(constraint, value, schema_type)
    assert message is None or isinstance(message, str)
