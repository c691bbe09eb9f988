"""Precedence of outcomes when several properties change at once. The expected outcomes are the engine's."""

from __future__ import annotations

import json

import pytest

from heatstudio.stack.definition.knowledge import load_knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.template import parse_template
from heatstudio.update.plan.update_plan import Action, UpdatePlan
from heatstudio.update.plan_update import plan_update

SUBNET = {"network": "n", "cidr": "10.0.0.0/24"}
KEY = {"get_resource": "key"}
REFUSED_ALONE = (
    ("OS::Cinder::Volume", {"size": 5}, {"size": 3}),
    ("OS::Neutron::Subnet", {**SUBNET, "segment": "a"}, {**SUBNET, "segment": "b"}),
)
REPLACED_BEFORE = (
    ("OS::Cinder::Volume", {"size": 5, "availability_zone": "a"}, {"size": 3, "availability_zone": "b"}),
    ("OS::Cinder::Volume", {"size": 5}, {"size": 3, "image": "i"}),
    ("OS::Neutron::Subnet", {**SUBNET, "segment": "a"}, {**SUBNET, "segment": "b", "tenant_id": "t"}),
    ("OS::Neutron::SubnetPool", {"prefixes": ["10.0.0.0/8"]}, {"prefixes": ["11.0.0.0/8"], "tenant_id": "t"}),
)


def plan(kind: str, before: object, after: object, names: tuple[str, str] = ("k", "k")) -> UpdatePlan:
    """Return the plan for one resource that may refer to a key; `names` are the names of the key on both sides."""

    def side(properties: object, name: str) -> Source:
        key = {"type": "OS::Nova::KeyPair", "properties": {"name": name}}
        resources = {"key": key, "thing": {"type": kind, "properties": properties}}
        return Source(parse_template(json.dumps({"heat_template_version": "2021-04-16", "resources": resources})))

    return plan_update(side(before, names[0]), side(after, names[1]), load_knowledge())


@pytest.mark.parametrize(("kind", "before", "after"), REFUSED_ALONE)
def test_plug_in_may_reject_an_update(kind: str, before: object, after: object) -> None:
    found = plan(kind, before, after).get("thing")
    assert found is not None
    assert found.action is Action.NOT_SUPPORTED


@pytest.mark.parametrize(("kind", "before", "after"), REPLACED_BEFORE)
def test_plug_in_rejects_nothing_if_another_property_replaces(kind: str, before: object, after: object) -> None:
    found = plan(kind, before, after).get("thing")
    assert found is not None
    assert found.action is Action.REPLACED
    assert Action.NOT_SUPPORTED not in {cause.effect for cause in found.causes}


def test_reference_is_not_rejected_by_a_plug_in() -> None:
    properties = {**SUBNET, "gateway_ip": KEY}
    found = plan("OS::Neutron::Subnet", properties, properties, ("k", "other")).get("thing")
    assert found is not None
    assert found.action is Action.UPDATED


@pytest.mark.parametrize(
    ("before", "after", "action"),
    [
        ({}, {"depends_on": []}, Action.UPDATED),
        ({"deletion_policy": "retain"}, {"deletion_policy": "Retain"}, Action.UNCHANGED),
        ({}, {"deletion_policy": "Delete"}, Action.UPDATED),
        ({}, {"metadata": {}}, Action.UPDATED),
        ({}, {"description": "x"}, Action.UNCHANGED),
        ({"metadata": {"a": 1, "b": True}}, {"metadata": {"b": 1, "a": 1}}, Action.UNCHANGED),
    ],
)
def test_parts_of_a_resource_are_compared_as_heat_reads_them(
    before: dict[str, object], after: dict[str, object], action: Action
) -> None:
    def side(parts: dict[str, object]) -> Source:
        thing = {"type": "OS::Neutron::Net", **parts}
        return Source(
            parse_template(json.dumps({"heat_template_version": "2021-04-16", "resources": {"thing": thing}}))
        )

    found = plan_update(side(before), side(after), load_knowledge()).get("thing")
    assert found is not None
    assert found.action is action
