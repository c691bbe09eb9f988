"""Outcomes of updates for resources that read attributes of other resources.

Outcomes that do not need a cloud were confirmed by a running Heat (tests/cloud/test_real_updates.py).
"""

from __future__ import annotations

import json

import pytest

from heatstudio.stack.definition.knowledge import load_knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.template import parse_template
from heatstudio.update.members.nested_stack import UNCHANGED_INSIDE
from heatstudio.update.plan.update_plan import Action, UpdatePlan
from heatstudio.update.plan_update import UNKNOWN_INSIDE, plan_update
from tests.update.test_update_plan import HEAD, change, plan, source

KNOWLEDGE = load_knowledge()
UNCHANGED, UPDATED, REPLACED = Action.UNCHANGED, Action.UPDATED, Action.REPLACED


def outcome(found: UpdatePlan, name: str) -> tuple[Action, bool]:
    row = change(found, name)
    return row.action, row.certain


def of_reader(before: str, after: str, value: str, kind: str = "value") -> tuple[Action, bool]:
    """Return the outcome for a resource that reads `it`: a Value, or with `salt` a resource replaced by changes."""
    readers = {
        "value": "{type: OS::Heat::Value, properties: {value: %s}}",
        "salt": "{type: OS::Heat::RandomString, properties: {salt: %s}}",
    }
    reader = f"  reader: {readers[kind] % value}\n"
    return outcome(plan(f"\nresources:\n  it: {before}\n{reader}", f"\nresources:\n  it: {after}\n{reader}"), "reader")


VALUE = "{type: OS::Heat::Value, properties: {value: %s}}"
TEST = "{type: OS::Heat::TestResource, properties: {value: %s}}"


@pytest.mark.parametrize(
    ("before", "after", "value", "expected"),
    [
        (VALUE % "a", VALUE % "b", "{get_attr: [it, value]}", (REPLACED, True)),
        (VALUE % "a", VALUE % "b", "{list_join: ['', [{get_attr: [it]}]]}", (REPLACED, True)),
        (VALUE % "a", VALUE % "b", "{get_resource: it}", (UNCHANGED, True)),
        (VALUE % "{k: a, l: 1}", VALUE % "{k: a, l: 2}", "{get_attr: [it, value, k]}", (UNCHANGED, True)),
        (VALUE % "{k: a, l: 1}", VALUE % "{k: b, l: 1}", "{get_attr: [it, value, k]}", (REPLACED, True)),
        (VALUE % "a", VALUE % "a}, metadata: {m: 1", "{get_attr: [it, value]}", (UNCHANGED, True)),
        (TEST % "a", TEST % "b", "{get_attr: [it, output]}", (REPLACED, True)),
        (TEST % "a", TEST % "a, wait_secs: 1", "{get_attr: [it, output]}", (UNCHANGED, True)),
    ],
)
def test_attributes_that_mirror_properties(before: str, after: str, value: str, expected: object) -> None:
    assert of_reader(before, after, value, "salt") == expected


def test_value_equal_to_the_attribute_it_replaces_is_unchanged() -> None:
    text = f"\nresources:\n  v: {VALUE % 'a'}\n  r: {{type: OS::Heat::RandomString, properties: {{salt: %s}}}}\n"
    assert outcome(plan(text % "{get_attr: [v, value]}", text % "a"), "r") == (UNCHANGED, True)
    assert outcome(plan(text % "b", text % "{get_attr: [v, value]}"), "r") == (REPLACED, True)


def test_long_chains_of_values_are_followed() -> None:
    links = "".join(
        f"  v{n}: {{type: OS::Heat::Value, properties: {{value: {{get_attr: [v{n - 1}, value]}}}}}}\n"
        for n in range(1, 400)
    )
    text = f"\nresources:\n  v0: {{type: OS::Heat::Value, properties: {{value: %s}}}}\n{links}"
    changed = plan(text % "a", text % "b")
    assert {row.action for row in changed.changes} == {UPDATED}
    assert outcome(plan(text % "a", text % "a # as before"), "v399") == (UNCHANGED, True)
    last = text.replace("value: {get_attr: [v398, value]}", "value: [%s, {get_attr: [v398, value]}]")
    assert outcome(plan(last % ("a", 1), last % ("a", 2)), "v399") == (UPDATED, True)


STRING = "{type: OS::Heat::RandomString, properties: {length: %d}}"
GROUP = f"{{type: OS::Heat::ResourceGroup, properties: {{count: %d, resource_def: {STRING}}}}}"
JOINED = "{list_join: [',', {get_attr: [it, %s]}]}"


@pytest.mark.parametrize(
    ("value", "grown", "shrunk", "renewed"),
    [
        (JOINED % "refs", (REPLACED, True), (REPLACED, True), (REPLACED, True)),
        (JOINED % "value", (REPLACED, True), (REPLACED, True), (REPLACED, False)),
        ("{get_attr: [it, refs, 0]}", (UNCHANGED, True), (UNCHANGED, True), (REPLACED, True)),
        ("{get_attr: [it, refs, 2]}", (REPLACED, False), (UNCHANGED, True), (UNCHANGED, True)),
        ("{get_attr: [it, resource.0]}", (UNCHANGED, True), (UNCHANGED, True), (REPLACED, True)),
        ("{get_attr: [it, resource.0, value]}", (UNCHANGED, True), (UNCHANGED, True), (REPLACED, False)),
        ("{get_attr: [it, resource.0.value]}", (UNCHANGED, True), (UNCHANGED, True), (REPLACED, False)),
        ("{get_resource: it}", (UNCHANGED, True), (UNCHANGED, True), (UNCHANGED, True)),
    ],
)  # fmt: skip
def test_group_that_grows_shrinks_or_is_replaced(value: str, grown: object, shrunk: object, renewed: object) -> None:
    two = GROUP % (2, 8)
    assert of_reader(two, two, value, "salt") == (UNCHANGED, True)
    assert of_reader(two, GROUP % (3, 8), value, "salt") == grown
    assert of_reader(two, GROUP % (1, 8), value, "salt") == shrunk
    assert of_reader(two, GROUP % (2, 9), value, "salt") == renewed


@pytest.mark.parametrize(
    ("value", "renewed"),
    [
        ("{get_attr: [it, refs_map]}", (UPDATED, True)),
        ("{get_attr: [it, refs_map, '0']}", (UPDATED, True)),  # Heat returns the whole map for any path
        ("{get_attr: [it, attributes, value]}", (UPDATED, False)),
    ],
)
def test_maps_of_a_group(value: str, renewed: object) -> None:
    two = GROUP % (2, 8)
    assert of_reader(two, two, value) == (UNCHANGED, True)
    assert of_reader(two, GROUP % (3, 8), value) == of_reader(two, GROUP % (1, 8), value) == (UPDATED, True)
    assert of_reader(two, GROUP % (2, 9), value) == renewed


def test_member_removed_by_id_is_unknown() -> None:
    text = GROUP % (2, 8)
    removed = text.replace("count:", "removal_policies: [{resource_list: [%s]}], count:")
    assert of_reader(text, removed % "1", "{get_attr: [it, resource.0]}") == (UNCHANGED, True)
    assert of_reader(text, removed % "4f9a-12", "{get_attr: [it, resource.0]}") == (UPDATED, False)
    before, after = (f"\nresources: {{it: {group}}}\n" for group in (text, removed % "4f9a-12"))
    assert UNKNOWN_INSIDE in change(plan(before, after), "it").notes


@pytest.mark.parametrize(
    ("head", "resource", "certain"),
    [
        ("{p: {type: number}}", "OS::Heat::ResourceGroup, properties: {count: %s, resource_def: {type: a}}", True),
        ("{p: {type: json}}", "OS::Heat::SoftwareDeploymentGroup, properties: {config: c, servers: %s}", True),
        ("{p: {type: string}}", "AWS::RDS::DBInstance, properties: {DBName: %s}", True),
        ("{p: {type: string}}", "AWS::ElasticLoadBalancing::LoadBalancer, properties: {AvailabilityZones: [%s]}", True),
        ("{p: {type: string}}", "AWS::CloudFormation::Stack, properties: {TemplateURL: 'http://e/a'}", False),
        ("{p: {type: string}}", "http://e/a.yaml, properties: {a: %s}", False),
    ],
)
def test_same_unknown_inside_a_nested_stack_changes_nothing(head: str, resource: str, certain: bool) -> None:
    text = f"parameters: {head}\nresources: {{it: {{type: {resource.replace('%s', '{get_param: p}')}}}}}\n"
    found = change(plan(text, text), "it")
    assert (found.has_effect, found.certain) == (False, certain)
    assert any(note.startswith(UNCHANGED_INSIDE) for note in found.notes)


def test_changed_property_of_an_unread_template_may_change_everything_inside() -> None:
    text = "resources: {it: {type: 'http://e/a.yaml', properties: {a: %s}}}\n"
    found = change(plan(text % 1, text % 2), "it")
    assert found.has_effect
    assert UNKNOWN_INSIDE in found.notes


def test_large_group_is_not_reported_as_unchanged() -> None:
    for value in (JOINED % "refs", "{get_attr: [it, resource.900]}"):
        assert of_reader(GROUP % (1000, 8), GROUP % (1000, 9), value) == (UPDATED, False)
        assert of_reader(GROUP % (1000, 8), GROUP % (1000, 8), value) == (UNCHANGED, True)
    assert of_reader(GROUP % (1000, 8), GROUP % (1001, 8), JOINED % "refs") == (UPDATED, False)


def test_a_member_that_is_updated_in_place_keeps_its_id() -> None:
    text = f"{{type: OS::Heat::ResourceGroup, properties: {{count: 2, resource_def: {VALUE}}}}}"
    before, after = text % "a", text % "b"
    assert of_reader(before, after, JOINED % "refs") == (UNCHANGED, True)
    assert of_reader(before, after, JOINED % "value", "salt") == (REPLACED, True)


LIMITS = "min_size: 0, max_size: 9, desired_capacity: %d"
SCALED = f"{{type: OS::Heat::AutoScalingGroup, properties: {{{LIMITS}, resource: {STRING}}}}}"


@pytest.mark.parametrize(
    ("value", "grown", "renewed"),
    [
        (JOINED % "refs", (UPDATED, False), (UPDATED, True)),
        ("{get_attr: [it, refs_map]}", (UPDATED, False), (UPDATED, True)),
        ("{get_attr: [it, current_size]}", (UPDATED, False), (UNCHANGED, True)),
        (JOINED % "outputs_list, value", (UPDATED, False), (UPDATED, False)),
        ("{get_attr: [it, outputs, value]}", (UPDATED, False), (UPDATED, False)),
        ("{get_attr: [it, resource.0]}", (UPDATED, False), (UPDATED, True)),
        ("{get_attr: [it, resource.0.value]}", (UPDATED, False), (UPDATED, False)),
    ],
)
def test_scaling_group(value: str, grown: object, renewed: object) -> None:
    two = SCALED % (2, 8)
    assert of_reader(two, two, value) == (UNCHANGED, True)
    assert of_reader(two, SCALED % (3, 8), value) == grown
    assert of_reader(SCALED % (3, 8), two, value) == grown
    assert of_reader(two, SCALED % (2, 9), value) == renewed


def test_a_chain_of_types() -> None:
    text = "{type: OS::Heat::ResourceChain, properties: {resources: [OS::Heat::RandomString%s]}}"
    before, after = text % "", text % ", OS::Heat::RandomString"
    assert of_reader(before, after, JOINED % "refs") == (UPDATED, True)
    assert of_reader(before, after, "{get_attr: [it, resource.0]}") == (UNCHANGED, True)


def test_outputs_of_a_remote_stack() -> None:
    def stack(word: str) -> str:
        child = {
            "heat_template_version": "2021-04-16",
            "parameters": {"word": {"type": "string"}},
            "outputs": {"word": {"value": {"get_param": "word"}}, "fixed": {"value": 1}},
        }
        return json.dumps(
            {"type": "OS::Heat::Stack", "properties": {"template": json.dumps(child), "parameters": {"word": word}}}
        )

    assert of_reader(stack("a"), stack("b"), "{get_attr: [it, outputs, word]}", "salt") == (REPLACED, True)
    assert of_reader(stack("a"), stack("b"), "{get_attr: [it, outputs, fixed]}", "salt") == (UNCHANGED, True)
    assert of_reader(stack("a"), stack("b"), "{get_attr: [it, stack_name]}", "salt") == (UNCHANGED, True)


PORT = "{type: OS::Neutron::Port, properties: {network: n, name: p, fixed_ips: [{ip_address: %s}]}}"


def test_changed_port_address_replaces_server_that_reads_it() -> None:
    text = f"""
resources:
  port: {PORT}
  server:
    type: OS::Nova::Server
    properties: {{image: i, flavor: f, user_data: {{get_attr: [port, fixed_ips, 0, ip_address]}}}}
"""
    found = plan(text % "10.0.0.1", text % "10.0.0.2")
    assert outcome(found, "server") == (REPLACED, False)
    server = change(found, "server")
    assert server.because == ("`port` is updated in place",)
    assert server.notes == ("Uncertain: depends on resource `port`.",)


@pytest.mark.parametrize(
    ("attribute", "expected"),
    [
        ("fixed_ips", (UPDATED, False)),
        ("show", (UPDATED, False)),
        ("mac_address", (UNCHANGED, True)),
        ("network_id", (UNCHANGED, True)),
        ("name", (UNCHANGED, True)),
        ("admin_state_up", (UNCHANGED, True)),
    ],
)
def test_attributes_of_a_port_that_gets_another_address(attribute: str, expected: object) -> None:
    value = f"{{get_attr: [it, {attribute}]}}"
    assert of_reader(PORT % "10.0.0.1", PORT % "10.0.0.2", value) == expected


@pytest.mark.parametrize(
    ("value", "moved", "renamed"),
    [
        ("{get_attr: [it, networks, n, 0]}", (UPDATED, False), (UNCHANGED, True)),
        ("{get_attr: [it, addresses, n, 0, addr]}", (UPDATED, False), (UNCHANGED, True)),
        ("{get_attr: [it, networks, n, 1]}", (UPDATED, False), (UPDATED, False)),  # a floating IP added later
        ("{get_attr: [it, networks, n]}", (UPDATED, False), (UPDATED, False)),
        ("{get_attr: [it, first_address]}", (UPDATED, False), (UNCHANGED, True)),
        ("{get_attr: [it, name]}", (UNCHANGED, True), (UPDATED, True)),
    ],
)
def test_addresses_of_a_server(value: str, moved: object, renamed: object) -> None:
    text = "{type: OS::Nova::Server, properties: {image: i, flavor: f, name: %s, networks: [{network: %s}]}}"
    before = text % ("a", "n")
    assert of_reader(before, text % ("a", "m"), value) == moved
    assert of_reader(before, text % ("b", "n"), value) == renamed


def test_update_without_changed_properties_keeps_attributes() -> None:
    net = "{type: OS::Neutron::Net, properties: {name: n}%s}"
    moved = net % ", deletion_policy: Retain"
    assert of_reader(net % "", moved, "{get_attr: [it, mtu]}") == (UNCHANGED, True)
    assert of_reader(net % "", moved, "{get_attr: [it, subnets]}") == (UPDATED, False)  # created after the network


def test_replaced_resource_keeps_its_given_name() -> None:
    net = "{type: OS::Neutron::Net, properties: {name: n, tenant_id: %s}}"
    assert of_reader(net % "a", net % "b", "{get_attr: [it, name]}", "salt") == (UNCHANGED, True)
    assert of_reader(net % "a", net % "b", "{get_attr: [it, mtu]}", "salt") == (REPLACED, False)


def test_deployment_may_report_other_results_after_every_update() -> None:
    text = "{type: OS::Heat::SoftwareDeployment, properties: {config: c, server: s}%s}"
    assert of_reader(text % "", text % ", metadata: {a: 1}", "{get_attr: [it, deploy_stdout]}") == (UPDATED, False)
    assert of_reader(text % "", text % ", metadata: {a: 1}", "{get_attr: [it, anything]}") == (UPDATED, False)


def test_dependents_of_possible_replacements_are_uncertain() -> None:
    text = """
parameters: {policy: {type: string}}
resources:
  s: {type: OS::Nova::Server, properties: {image: %s, flavor: f, image_update_policy: {get_param: policy}}}
  a: {type: OS::Heat::RandomString, properties: {salt: {get_resource: s}}}
  b: {type: OS::Heat::Value, properties: {value: {get_resource: a}}}
"""
    found = plan(text % "i", text % "j")
    assert [outcome(found, name) for name in "sab"] == [(REPLACED, False), (REPLACED, False), (UPDATED, False)]
    assert change(found, "b").because == ("`s` may be replaced", "`a` may be replaced")


def test_a_load_balancer_of_aws_keeps_its_reference() -> None:
    text = """
resources:
  lb:
    type: AWS::ElasticLoadBalancing::LoadBalancer
    properties: {AvailabilityZones: [nova], Listeners: [{InstancePort: %d, LoadBalancerPort: 80, Protocol: HTTP}]}
  r: {type: OS::Heat::RandomString, properties: {salt: {get_resource: lb}}}
"""
    found = plan(text % 80, text % 81)
    assert outcome(found, "lb") == (REPLACED, True)
    assert outcome(found, "r") == (UNCHANGED, True)


CHILD = (
    HEAD
    + """
parameters: {word: {type: string}, net: {type: string, default: n}}
resources:
  made: {type: OS::Heat::RandomString, properties: {salt: {get_param: word}}}
  value: {type: OS::Heat::Value, properties: {value: {get_param: word}}}
outputs:
  made: {value: {get_resource: made}}
  word: {value: {get_attr: [value, value]}}
  net: {value: {get_param: net}}
  fixed: {value: f}
"""
)
NESTED = """
resources:
  net: {type: OS::Neutron::Net, properties: {tenant_id: %s}}
  it: {type: child.yaml, properties: {word: %s, net: {get_resource: net}}}
  reader: {type: OS::Heat::RandomString, properties: {salt: %s}}
"""


@pytest.mark.parametrize(
    ("value", "word", "net"),
    [
        ("{get_attr: [it, made]}", (REPLACED, True), (UNCHANGED, True)),
        ("{get_attr: [it, word]}", (REPLACED, True), (UNCHANGED, True)),
        ("{get_attr: [it, net]}", (UNCHANGED, True), (REPLACED, True)),
        ("{get_attr: [it, fixed]}", (UNCHANGED, True), (UNCHANGED, True)),
        ("{get_attr: [it, resource.made]}", (REPLACED, True), (UNCHANGED, True)),
        ("{get_attr: [it, resource.value.value]}", (REPLACED, True), (UNCHANGED, True)),
        ("{get_resource: it}", (UNCHANGED, True), (UNCHANGED, True)),
    ],
)
def test_outputs_of_nested_template_have_the_inner_values(value: str, word: object, net: object) -> None:
    files = {"child.yaml": CHILD}
    before = NESTED % ("a", "a", value)
    assert outcome(plan(before, NESTED % ("a", "b", value), files), "reader") == word
    assert outcome(plan(before, NESTED % ("b", "a", value), files), "reader") == net


def test_reference_through_a_nested_template_equals_the_direct_reference() -> None:
    files, values = {"child.yaml": CHILD}, ("{get_attr: [it, net]}", "{get_resource: net}")
    before, after = (NESTED % ("a", "a", value) for value in values)
    assert outcome(plan(before, after, files), "reader") == (UNCHANGED, True)


def test_an_output_may_be_the_reference_of_a_nested_template() -> None:
    child = CHILD + "  OS::stack_id: {value: {get_resource: made}}\n"
    before, after = (NESTED % ("a", word, "{get_resource: it}") for word in "ab")
    assert outcome(plan(before, after, {"child.yaml": child}), "reader") == (REPLACED, False)
    assert outcome(plan(before, before, {"child.yaml": child}), "reader") == (UNCHANGED, True)
    old, new = source(before, {"child.yaml": CHILD}), source(before, {"child.yaml": child})
    assert outcome(plan_update(old, new, KNOWLEDGE), "reader") == (REPLACED, False)


def test_stack_in_a_property_keeps_its_reference_whatever_its_outputs() -> None:
    """heat/engine/resources/template_resource.py reads `OS::stack_id`, remote_stack.py does not."""
    child = json.dumps(CHILD + "  OS::stack_id: {value: {get_resource: made}}\n")
    text = f"\nresources:\n  reader: {VALUE % '{get_resource: it}'}\n  it:\n    type: OS::Heat::Stack\n    properties: "
    before, after = (f"{text}{{template: {child}, parameters: {{word: {word}}}}}\n" for word in "ab")
    found = plan(before, after)
    assert (outcome(found, "it"), outcome(found, "reader")) == ((UPDATED, True), (UNCHANGED, True))


def test_attributes_of_a_group_of_unknown_size_may_change_with_its_properties() -> None:
    group = f"{{type: OS::Heat::ResourceGroup, properties: {{count: {{get_param: n}}, resource_def: {STRING}}}}}"
    text = f"\nparameters: {{n: {{type: number}}}}\nresources:\n  it: %s\n  reader: {VALUE}\n"
    value = JOINED % "refs"
    assert outcome(plan(text % (group % 8, value), text % (group % 9, value)), "reader") == (UPDATED, False)
    assert outcome(plan(text % (group % 8, value), text % (group % 8, value)), "reader") == (UNCHANGED, True)


@pytest.mark.parametrize(("member", "changes"), [("RandomString", False), ("UpdateWaitConditionHandle", True)])
def test_group_of_unknown_size_changes_if_each_member_does(member: str, changes: bool) -> None:
    properties = f"{{count: {{get_param: n}}, resource_def: {{type: OS::Heat::{member}}}}}"
    group = f"{{type: OS::Heat::ResourceGroup, properties: {properties}}}"
    text = f"\nparameters: {{n: {{type: number}}}}\nresources: {{it: {group}}}\n"
    (change,) = plan(text, text).changes
    assert change.has_effect is changes


def test_attributes_of_a_deployment_group() -> None:
    text = "{type: OS::Heat::SoftwareDeploymentGroup, properties: {config: c, servers: {a: x%s}}}"
    before, after = text % "", text % ", b: y"
    assert of_reader(before, after, "{get_attr: [it, deploy_stdouts]}") == (UPDATED, True)
    assert of_reader(before, after, "{get_attr: [it, deploy_stdouts, a]}") == (UNCHANGED, True)
    assert of_reader(before, after, "{get_attr: [it, other]}") == (UPDATED, False)


def test_addresses_of_an_instance_group() -> None:
    text = """
resources:
  lc: {type: AWS::AutoScaling::LaunchConfiguration, properties: {ImageId: i, InstanceType: t}}
  it:
    type: OS::Heat::InstanceGroup
    properties: {AvailabilityZones: [nova], LaunchConfigurationName: {get_resource: lc}, Size: %d}
  reader: {type: OS::Heat::Value, properties: {value: {get_attr: [it, InstanceList]}}}
"""
    assert outcome(plan(text % 2, text % 3), "reader") == (UPDATED, False)
    assert outcome(plan(text % 2, text % 2), "reader") == (UNCHANGED, True)


def test_outputs_of_a_stack_in_cfn() -> None:
    text = """
resources:
  it: {type: AWS::CloudFormation::Stack, properties: {TemplateURL: child.yaml, Parameters: {word: %s}}}
  word: {type: OS::Heat::RandomString, properties: {salt: {get_attr: [it, Outputs.word]}}}
  fixed: {type: OS::Heat::RandomString, properties: {salt: {get_attr: [it, Outputs.fixed]}}}
"""
    found = plan(text % "a", text % "b", {"child.yaml": CHILD})
    assert outcome(found, "word") == (REPLACED, True)
    assert outcome(found, "fixed") == (UNCHANGED, True)


def test_attributes_in_cfn() -> None:
    text = """
AWSTemplateFormatVersion: 2010-09-09
Resources:
  it: {Type: "OS::Heat::ResourceGroup", Properties: {count: %d, resource_def: {type: OS::Heat::RandomString}}}
  all: {Type: "OS::Heat::RandomString", Properties: {salt: {"Fn::Join": [",", {"Fn::GetAtt": [it, refs]}]}}}
  one: {Type: "OS::Heat::RandomString", Properties: {salt: {"Fn::GetAtt": [it, resource.0]}}}
"""
    sides = [Source(parse_template(text % count)) for count in (1, 2)]
    found = plan_update(sides[0], sides[1], KNOWLEDGE)
    assert outcome(found, "all") == (REPLACED, True)
    assert outcome(found, "one") == (UNCHANGED, True)


def test_reasons_name_only_what_was_read() -> None:
    text = """
parameters: {p: {type: string, default: %s}}
resources:
  v: {type: OS::Heat::Value, properties: {value: {get_param: p}}}
  r: {type: OS::Heat::Value, properties: {value: [{get_resource: v}, {get_attr: [v, value]}]}}
  s: {type: OS::Heat::Value, properties: {value: [{get_resource: v}, {get_param: p}]}}
"""
    found = plan(text % "a", text % "b")
    assert change(found, "r").because == ("parameter `p` changed", "`v` is updated in place")
    assert change(found, "s").because == ("parameter `p` changed",)


def test_metadata_that_read_a_changed_attribute_may_stay_unchanged() -> None:
    """With convergence Heat also resolves the old metadata with the new values; confirmed by a running Heat."""
    reader = "{type: OS::Heat::RandomString, metadata: {m: {get_attr: [it, value]}}}"
    old, new = (f"\nresources:\n  it: {VALUE % value}\n  reader: {reader}\n" for value in "ab")
    assert outcome(plan(old, new), "reader") == (UPDATED, False)
    rewritten = new.replace("metadata: {m:", "metadata: {n:")
    assert outcome(plan(old, rewritten), "reader") == (UPDATED, True)


def test_names_removed_by_a_group_depend_on_its_removal_policies() -> None:
    group = (
        "{type: OS::Heat::ResourceGroup, properties: {count: 3, removal_policies: [{resource_list: ['%s']}], "
        "resource_def: {type: OS::Heat::Value, properties: {value: a}}}}"
    )
    value = "{list_join: ['-', {get_attr: [it, removed_rsrc_list]}]}"
    assert of_reader(group % 7, group % 0, value, "salt") == (REPLACED, False)
    assert of_reader(group % 7, group % 7, value, "salt") == (UNCHANGED, True)


@pytest.mark.parametrize(
    ("properties", "metadata", "other", "fails"),
    [
        ("{value: {get_resource: it}}", "{old: b}", "c", True),
        ("{value: {get_resource: it}}", "{old: {get_attr: [it, value, 0]}}", "c", True),
        ("{value: {get_resource: it}}", "{old: b}", "{get_attr: [it, value]}", False),
        ("{value: {get_attr: [it, value]}}", "{old: b}", "c", False),
        ("{value: b}", "{old: b}", "c", False),
        ("{value: {get_resource: it}}", "{old: {get_attr: [it, value]}}", "c", False),
    ],
    ids=("lost", "another path", "elsewhere", "in a property", "not required", "kept"),
)
def test_update_fails_if_only_the_old_metadata_reads_an_attribute(
    properties: str, metadata: str, other: str, fails: bool
) -> None:
    text = """resources:
  it: {{type: OS::Heat::Value, properties: {{value: [a]}}}}
  user: {{type: OS::Heat::Value, properties: {}, metadata: {}}}
  other: {{type: OS::Heat::Value, properties: {{value: {}}}}}
outputs: {{out: {{value: {{get_attr: [it, value]}}}}}}
"""
    old = text.format("{value: {get_resource: it}}", "{old: {get_attr: [it, value]}, more: 1}", "c")
    found = plan(HEAD + old, HEAD + text.format(properties, metadata, other))
    assert change(found, "user").breaks is fails
    assert any("`it.value`" in note for note in change(found, "user").notes) is fails
