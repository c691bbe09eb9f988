"""What an update does besides its changes: hooks, unique values, kept resources, detached interfaces."""

from __future__ import annotations

import pytest

from heatstudio.catalog.load import load_catalog
from heatstudio.catalog.rules.update_rule import load_update_behaviors
from heatstudio.update.plan.plan_rows import ChangeRow, ReasonRow, plan_branches
from heatstudio.update.plan.update_plan import Failure, UpdatePlan, Verdict
from heatstudio.update.plan_update import plan_update
from tests.update.test_update_plan import KNOWLEDGE, change, notes, plan, source

HOOKED = """
resources:
  same: {type: OS::Heat::Value, properties: {value: 1}}
  outside: {type: OS::Heat::Value, external_id: x}
  changed: {type: OS::Heat::Value, properties: {value: %(value)s}}
  renewed: {type: OS::Neutron::Net, properties: {tenant_id: %(value)s}}
  new_%(value)s: {type: OS::Heat::Value}
  free: {type: OS::Heat::Value, properties: {value: %(value)s}}
"""


def hooked(hooks: object) -> UpdatePlan:
    rules = {name: {"hooks": hooks} for name in ("same", "outside", "changed", "renewed", "new_*")}
    after = source(HOOKED % {"value": 2}, environment={"resource_registry": {"resources": rules}})
    return plan_update(source(HOOKED % {"value": 1}), after, KNOWLEDGE)


def test_update_waits_at_hooks_of_existing_resources() -> None:
    every = [f"{when}-{what}" for when in ("pre", "post") for what in ("create", "update", "delete")]
    found = {one.name: one.hooks for one in hooked(every).changes if one.hooks}
    assert found == {"same": ("pre-update",), "changed": ("pre-update", "post-update"), "renewed": ("pre-update",)}
    assert not any(one.hooks for one in hooked("pre-create").changes)


def test_unchanged_resource_with_a_hook_is_listed() -> None:
    branches = plan_branches(hooked("pre-update"))
    (branch,) = (one for one in branches if isinstance(one.row, ChangeRow) and one.row.change.name == "same")
    texts = [one.row.text for one in branch.below if isinstance(one.row, ReasonRow)]
    assert texts == ["The update waits at the hook `pre-update` until the hook is cleared."]


SAME = """
resources:
  %s: {type: %s, %sproperties: {%s}}
  user: {type: OS::Heat::Value, properties: {value: {get_resource: %s}}}
"""
USER, PORT, KEY = "OS::Keystone::Project", "OS::Neutron::Port", "OS::Nova::KeyPair"
FIXED = "network: n, fixed_ips: [{ip_address: 10.0.0.5}], mac_address: "
KEEPS = "deletion_policy: Retain, "


@pytest.mark.parametrize(
    ("old", "new", "fails"),
    [
        (("a", USER, "", "name: x, parent: p", "a"), ("a", USER, "", "name: x", "a"), "a"),
        (("a", USER, "", "name: x, parent: p", "a"), ("a", USER, "", "name: y", "a"), ""),
        (("a", USER, "", "name: x", "a"), ("b", USER, "", "name: x", "b"), "b"),
        (("a", USER, "", "name: x", "a"), ("b", USER, "", "name: x, domain: d", "b"), ""),
        (("a", USER, "", "parent: p", "a"), ("a", USER, "", "parent: q", "a"), ""),
        (("a", USER, "", "name: x", "user2"), ("b", USER, "", "name: x", "user2"), ""),
        (("a", USER, KEEPS, "name: x", "user2"), ("b", USER, "", "name: x", "user2"), "b"),
        (("a", PORT, "", FIXED + "'1'", "a"), ("a", PORT, "", FIXED + "'2'", "a"), ""),
        (("a", PORT, "", FIXED + "'1'", "a"), ("b", PORT, "", FIXED + "'1'", "b"), "b"),
        (("a", PORT, "", FIXED + "'1'", "a"), ("b", PORT, "", FIXED.replace("5", "6") + "'1'", "b"), ""),
        (("a", KEY, "", "name: x, public_key: o", "a"), ("a", KEY, "", "name: x, public_key: p", "a"), ""),
    ],
)
def test_values_that_must_be_unique(old: tuple[str, ...], new: tuple[str, ...], fails: str) -> None:
    other = "  user2: {type: OS::Heat::Value}\n"
    found = plan(SAME % old + other, SAME % new + other)
    assert found.failures == ([Failure((fails,), certain=False)] if fails else [])
    assert found.verdict is (Verdict.MAY_FAIL if fails else Verdict.RUNS)
    if fails:
        assert "it may fail: " in notes(change(found, fails))


def test_replaced_resource_is_kept_by_its_old_deletion_policy() -> None:
    text = "resources:\n  a: {type: OS::Neutron::Net, %sproperties: {tenant_id: %s}}\n"
    assert "is kept, with its name" in notes(change(plan(text % (KEEPS, "a"), text % ("", "b")), "a"))
    assert "kept" not in notes(change(plan(text % ("", "a"), text % (KEEPS, "b")), "a"))


def test_members_of_a_group_are_not_renamed() -> None:
    text = "resources:\n  group:\n    type: OS::Heat::ResourceGroup\n    properties:\n      count: 3\n%s"
    text += "      resource_def: {type: OS::Heat::Value, properties: {value: 1}}\n"
    found = change(plan(text % "", text % "      removal_policies: [{resource_list: ['0']}]\n"), "group")
    assert [(one.name, str(one.action)) for one in found.members if one.action != "unchanged"] == [
        ("3", "added"),
        ("0", "deleted"),
    ]
    assert not any(one.notes for one in found.members)


def test_in_place_change_of_interfaces_says_that_they_are_detached() -> None:
    text = "resources:\n  s: {type: OS::Nova::Server, properties: {flavor: f, image: i, networks: [{network: %s}]}}\n"
    (branch,) = plan_branches(plan(text % "a", text % "b"))
    assert any(
        "detached from the running server" in one.row.text for one in branch.below if isinstance(one.row, ReasonRow)
    )


SCALED = """
resources:
  group:
    type: OS::Heat::AutoScalingGroup
    properties:
      min_size: 1
      max_size: 5
      desired_capacity: 2
      rolling_updates: {max_batch_size: 1, min_in_service: 2}
      resource: {type: OS::Heat::Value, properties: {value: %s}}
"""


def test_rolling_update_says_that_members_stay_as_they_are() -> None:
    found = change(plan(SCALED % "a", SCALED % "b"), "group")
    assert [str(one.action) for one in found.members] == ["unchanged", "added", "deleted"]
    assert "The rolling update leaves 1 member with the old definition." in notes(found)


def test_unique_properties_exist() -> None:
    catalog = load_catalog()
    for name, behavior in load_update_behaviors().items():
        kind = catalog.get(name)
        for rule in behavior.unique:
            assert kind is not None
            assert {path.partition(".")[0] for path in rule.properties} <= set(kind.properties), name
            assert len({path.partition(".")[0] for path in rule.properties if "." in path}) < 2, name
