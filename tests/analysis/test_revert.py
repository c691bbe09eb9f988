"""One difference is put back, and nothing else."""

from __future__ import annotations

import pytest

from heatstudio.analysis.revert import revert_change
from heatstudio.stack.knowledge import load_knowledge
from heatstudio.stack.source import Source
from heatstudio.stack.update.plan_update import plan_update
from heatstudio.template import parse_template
from heatstudio.text import apply_edits

KNOWLEDGE = load_knowledge()
HEAD = """heat_template_version: 2021-04-16
resources:
  net: {type: OS::Neutron::Net}
  it:
    type: %s
    properties:
"""


def text(kind: str, *lines: str) -> str:
    return HEAD % kind + "".join(f"      {line}\n" for line in lines)


def reverted(old: str, new: str, property_name: str) -> str:
    """The new text after one cause of the change of `it` was reverted."""
    before, after = parse_template(old), parse_template(new)
    change = plan_update(Source(before), Source(after), KNOWLEDGE).get("it")
    assert change is not None
    cause = next(cause for cause in change.causes if cause.property == property_name)
    fix = revert_change(before, after, change, cause)
    assert fix is not None
    return apply_edits(new, fix.edits)


SUBNET, PORT = "OS::Neutron::Subnet", "OS::Neutron::Port"


@pytest.mark.parametrize(
    ("kind", "old", "new", "name", "expected"),
    [
        (SUBNET, ["cidr: a", "network: n"], ["cidr: b", "network: m"], "cidr", ["cidr: a", "network: m"]),
        (
            SUBNET,
            ["network: n", "dns_nameservers: [a,  b]  # kept"],
            ["network: m", "dns_nameservers: [a,  b]  # kept", "ip_version: 6"],
            "ip_version",
            ["network: m", "dns_nameservers: [a,  b]  # kept"],
        ),
        (
            SUBNET,
            ["network: n", "ip_version: 6"],
            ["network: m", "gateway_ip: g"],
            "ip_version",
            ["network: m", "gateway_ip: g", "ip_version: 6"],
        ),
        (PORT, ["network_id: n", "name: a"], ["network: m", "name: b"], "network", ["name: b", "network_id: n"]),
        (PORT, ["network: n", "name: a"], ["network_id: m", "name: b"], "network", ["name: b", "network: n"]),
        (
            PORT,
            ["network_id: n", "name: a"],
            ["network: {get_resource: net}", "name: a"],
            "network",
            ["name: a", "network_id: n"],
        ),
        (PORT, ["network_id: n", "name: a"], ["network_id: m", "name: b"], "network", ["network_id: n", "name: b"]),
    ],
)
def test_only_that_property_is_put_back(
    kind: str, old: list[str], new: list[str], name: str, expected: list[str]
) -> None:
    assert reverted(text(kind, *old), text(kind, *new), name) == text(kind, *expected)
