"""Differences between the cloud and the template of a stack."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from heatstudio.stack.definition.knowledge import load_knowledge
from heatstudio.update.drift import find_drift
from heatstudio.update.running_stack import RunningResource, RunningStack

KNOWLEDGE = load_knowledge()


def drift(kind: str, properties: str, attributes: Mapping[str, object]) -> list[tuple[str, object, object]]:
    text = f"heat_template_version: 2021-04-16\nresources: {{it: {{type: {kind}, properties: {properties}}}}}\n"
    stack = RunningStack(text, resources={"it": RunningResource("it", "id", attributes=attributes)})
    return [(one.property, one.written, one.live) for one in find_drift(stack, KNOWLEDGE)]


@pytest.mark.parametrize(
    ("live", "expected"),
    [
        ({"show": {"name": "web", "admin_state_up": True, "mtu": 9000}}, []),
        ({"show": {"name": "other", "admin_state_up": True}}, [("name", "web", "other")]),
        ({"name": "other"}, [("name", "web", "other")]),
        ({"show": {"admin_state_up": "False"}}, [("admin_state_up", True, "False")]),
        ({"show": None, "name": None}, []),
        ({}, []),
    ],
)
def test_declared_properties_are_compared_with_what_the_service_reports(
    live: Mapping[str, object], expected: list[object]
) -> None:
    assert drift("OS::Neutron::Net", "{name: web, admin_state_up: true}", live) == expected


def test_order_of_lists_and_undeclared_map_keys_are_ignored() -> None:
    written = "{dns_nameservers: [8.8.8.8, 9.9.9.9], network: n, cidr: 10.0.0.0/24}"
    assert drift("OS::Neutron::Subnet", written, {"show": {"dns_nameservers": ["9.9.9.9", "8.8.8.8"]}}) == []
    found = drift("OS::Neutron::Subnet", written, {"show": {"dns_nameservers": ["9.9.9.9"]}})
    assert [name for name, _, _ in found] == ["dns_nameservers"]


def test_names_are_not_compared_with_ids() -> None:
    written = "{network: private, security_groups: [default], fixed_ips: [{subnet: a}]}"
    live = {"show": {"security_groups": ["6c1f0a3e-27d5-4b0e-9f0e-5a1c7d9b2e44"], "fixed_ips": [{"subnet_id": "77"}]}}
    assert drift("OS::Neutron::Port", written, live) == []
