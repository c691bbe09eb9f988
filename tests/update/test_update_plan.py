"""Plans for small edits: outcomes, causes, reasons, notes, members."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heatstudio.stack.definition.files import NO_FILES
from heatstudio.stack.definition.knowledge import load_knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.stack.functions import budget
from heatstudio.stack.inputs.environment import EnvironmentFile
from heatstudio.template import parse_environment, parse_template
from heatstudio.update.plan.plan_text import plan_data, plan_lines
from heatstudio.update.plan.update_plan import Action, ResourceChange, UpdatePlan, Verdict
from heatstudio.update.plan_update import plan_update
from tests.flat_files import FlatFiles

HEAD = "heat_template_version: 2021-04-16\n"
KNOWLEDGE = load_knowledge()


def source(text: str, files: Mapping[str, str] | None = None, environment: object = None) -> Source:
    environments = (EnvironmentFile("environment", environment),) if environment is not None else ()
    return Source(parse_template(HEAD + text), environments, FlatFiles(files) if files is not None else NO_FILES)


def plan(before: str, after: str, files: Mapping[str, str] | None = None) -> UpdatePlan:
    return plan_update(source(before, files), source(after, files), KNOWLEDGE)


def change(found: UpdatePlan, name: str) -> ResourceChange:
    result = found.get(name)
    assert result is not None
    return result


def notes(found: ResourceChange) -> str:
    return " ".join(found.notes)


CASCADE = """
parameters: {owner: {type: string, default: %s}}
resources:
  net: {type: OS::Neutron::Net, properties: {tenant_id: {get_param: owner}}}
  port: {type: OS::Neutron::Port, properties: {network: {get_resource: net}}}
  value: {type: OS::Heat::Value, properties: {value: {get_resource: port}}}
  apart: {type: OS::Heat::Value, depends_on: port, properties: {value: 1}}
"""


def test_chain_leads_from_the_parameter_to_the_last_dependent() -> None:
    found = plan(CASCADE % "a", CASCADE % "b")
    assert change(found, "net").because == ("parameter `owner` changed",)
    assert change(found, "port").action is Action.REPLACED
    value = change(found, "value")
    assert (value.action, value.certain) == (Action.UPDATED, True)
    assert value.because == ("parameter `owner` changed", "`net` is replaced", "`port` is replaced")
    assert change(found, "apart").action is Action.UNCHANGED


def test_attribute_of_a_replaced_resource_may_change() -> None:
    text = CASCADE.replace("{get_resource: port}", "{get_attr: [port, mac_address]}")
    value = change(plan(text % "a", text % "b"), "value")
    assert (value.action, value.certain) == (Action.UPDATED, False)
    assert "Uncertain: depends on resource `port`." in value.notes


def test_text_with_reference_to_replaced_resource_changes() -> None:
    text = CASCADE.replace("value: {get_resource: port}", "value: {list_join: ['-', [a, {get_resource: port}]]}")
    assert change(plan(text % "a", text % "b"), "value").certain


def test_equivalent_texts_are_unchanged() -> None:
    text = "\nresources:\n  r: {type: OS::Heat::RandomString}\n  v: {type: OS::Heat::Value, properties: {value: %s}}\n"
    joined = "{list_join: ['', [a, {get_resource: r}, b]]}"
    replaced = "{str_replace: {template: aXb, params: {X: {get_resource: r}}}}"
    assert change(plan(text % joined, text % replaced), "v").action is Action.UNCHANGED
    other = change(plan(text % joined, text % replaced.replace("aXb", "aXc")), "v")
    assert (other.action, other.certain) == (Action.UPDATED, True)


def test_reference_inside_a_function_is_equal_to_the_reference() -> None:
    text = "\nresources:\n  n: {type: OS::Neutron::Net}\n  s: {type: OS::Neutron::Subnet, properties: {network: %s}}\n"
    found = plan(text % "{get_resource: n}", text % "{list_join: ['', [{get_resource: n}]]}")
    assert change(found, "s").action is Action.UNCHANGED


def test_condition_is_named_with_its_inputs() -> None:
    text = """
parameters: {size: {type: string, default: %s}}
conditions: {big: {equals: [{get_param: size}, l]}}
resources:
  extra: {type: OS::Heat::Value, condition: big, properties: {value: 1}}
  chosen: {type: OS::Heat::Value, properties: {value: {if: [big, 1, 2]}}}
"""
    grown, shrunk = plan(text % "s", text % "l"), plan(text % "l", text % "s")
    assert change(grown, "extra").because == ("parameter `size` changed", "the condition `big` is now true")
    assert change(shrunk, "extra").action is Action.DELETED
    assert change(shrunk, "extra").because[-1] == "the condition `big` is now false"
    assert change(grown, "chosen").because == ("parameter `size` changed", "condition `big` changed")


def test_unchanged_inputs_are_not_reasons() -> None:
    text = """
parameters: {old: {type: string, default: %s}, kept: {type: string, default: k}, none: {type: string}}
resources:
  v:
    type: OS::Heat::Value
    properties: {value: {list_join: ['', [{get_param: old}, {get_param: kept}, {get_param: none}]]}}
"""
    assert change(plan(text % "a", text % "b"), "v").because == ("parameter `old` changed",)


def test_changed_file_is_given_as_the_reason() -> None:
    text = "\nresources: {v: {type: OS::Heat::Value, properties: {value: {get_file: a.sh}}}}\n"
    found = plan_update(source(text, {"a.sh": "one"}), source(text, {"a.sh": "two"}), KNOWLEDGE)
    assert change(found, "v").because == ("file `a.sh` changed",)


def test_changed_file_affects_all_its_readers() -> None:
    text = """
resources:
  script: {type: OS::Heat::SoftwareConfig, properties: {config: {list_join: ["", [a, {get_file: a.txt}]]}}}
  nested: {type: child.yaml}
  group: {type: OS::Heat::ResourceGroup, properties: {count: 1, resource_def: {type: child.yaml}}}
  reader: {type: OS::Heat::Value, properties: {value: {get_attr: [nested, o]}}}
  alone: {type: OS::Heat::Value, properties: {value: a}}
"""
    child = "heat_template_version: 2021-04-16\noutputs: {o: {value: %s}}\n"
    old, new = (source(text, {"a.txt": word, "child.yaml": child % word}) for word in ("one", "two"))
    found = plan_update(old, new, KNOWLEDGE)
    assert {one.name for one in found.changes if one.action is Action.UNCHANGED} == {"alone"}


def test_changed_type_mapping_is_a_reason() -> None:
    text = "\nresources: {v: {type: My::Thing, properties: {}}}\n"
    before, after = (
        source(text, environment={"resource_registry": {"My::Thing": target}})
        for target in ("OS::Neutron::Net", "OS::Neutron::Router")
    )
    planned = plan_update(before, after, KNOWLEDGE)
    found = change(planned, "v")
    assert found.action is Action.REPLACED
    assert found.because == ("the mapping of `My::Thing` in the environment changed",)
    assert "    type: mapped to another type (replaces)" in plan_lines(planned)


def test_renaming_is_noted_on_both_resources() -> None:
    text = "\nresources: {%s: {type: OS::Cinder::Volume, properties: {size: 1, name: disk}}}\n"
    found = plan(text % "a", text % "b")
    assert "Renamed to `b`" in notes(change(found, "a"))
    assert "Renamed from `a`" in notes(change(found, "b"))


def test_replacement_with_the_same_name_keeps_its_reference() -> None:
    text = """
resources:
  key: {type: OS::Nova::KeyPair, properties: {name: k, public_key: %s}}
  user: {type: OS::Heat::Value, properties: {value: {get_resource: key}}}
"""
    found = plan(text % "a", text % "b")
    assert change(found, "key").action is Action.REPLACED
    assert change(found, "user").action is Action.UNCHANGED


@pytest.mark.parametrize(
    ("policy", "action", "word"),
    [("REBUILD", Action.UPDATED, "rebuilt"), ("REPLACE", Action.REPLACED, "image_update_policy")],
)
def test_policies_of_servers(policy: str, action: Action, word: str) -> None:
    text = "\nresources: {s: {type: OS::Nova::Server, properties: {image: %s, flavor: f, image_update_policy: %s}}}\n"
    found = change(plan(text % ("a", policy), text % ("b", policy)), "s")
    assert found.action is action
    assert word in found.causes[0].sentence


def test_unknown_policy_may_replace() -> None:
    text = """
parameters: {policy: {type: string}}
resources: {s: {type: OS::Nova::Server, properties: {image: %s, flavor: f, image_update_policy: {get_param: policy}}}}
"""
    found = change(plan(text % "a", text % "b"), "s")
    assert (found.action, found.certain) == (Action.REPLACED, False)
    assert "Uncertain: depends on whether `image_update_policy` is REPLACE." in found.notes


def test_unknown_type_may_be_replaced() -> None:
    text = "\nresources: {v: {type: Vendor::Thing, properties: {size: %d}%s}}\n"
    found = change(plan(text % (1, ""), text % (2, "")), "v")
    assert (found.action, found.certain) == (Action.REPLACED, False)
    assert "Uncertain: depends on whether the type can be updated in place." in found.notes
    moved = change(plan(text % (1, ""), text % (1, ", metadata: {a: 1}")), "v")
    assert (moved.action, moved.certain) == (Action.UPDATED, True)
    assert change(plan(text % (1, ""), text % (1, "")), "v").action is Action.UNCHANGED


def test_values_checked_by_the_cloud_may_be_rejected() -> None:
    text = "\nresources: {g: {type: OS::Neutron::SecurityGroup, properties: {stateful: %s}}}\n"
    found = plan(text % "true", text % "false")
    assert (change(found, "g").action, change(found, "g").certain) == (Action.NOT_SUPPORTED, False)
    assert found.verdict is Verdict.MAY_FAIL


def test_deletion_policies_are_noted() -> None:
    text = "\nresources: {%s}\n"
    kept = "a: {type: OS::Cinder::Volume, deletion_policy: Retain, properties: {size: 1}}"
    outside = "a: {type: OS::Neutron::Net, external_id: abc}"
    assert "Retain" in notes(change(plan(text % kept, text % ""), "a"))
    assert "external ID" in notes(change(plan(text % outside, text % ""), "a"))
    nowhere = "a: {type: OS::Neutron::Net, external_id: {if: [{equals: [1, 2]}, x]}}"
    assert "external ID" not in notes(change(plan(text % nowhere, text % ""), "a"))


def test_edit_without_effect_gives_the_reason() -> None:
    text = "\nresources: {v: {type: OS::Cinder::Volume, properties: {%s}}}\n"
    assert '`size`: "8" and 8 are equivalent' in notes(change(plan(text % 'size: "8"', text % "size: 8"), "v"))
    network = "\nresources: {v: {type: OS::Neutron::Net, properties: {%s}}}\n"
    default = change(plan(network % "", network % "admin_state_up: true"), "v")
    assert default.action is Action.UPDATED
    assert "`admin_state_up` was added; its value stays the same." in default.notes


@pytest.mark.parametrize("old", ["", "flavour: m1.small"])
def test_required_property_that_was_missing_is_a_change(old: str) -> None:
    server = "resources: {server: {type: OS::Nova::Server, properties: {image: debian, %s}}}"
    found = change(plan(server % old, server % "flavor: m1.small"), "server")
    assert (found.action, found.certain) == (Action.UPDATED, True)
    assert [(cause.property, cause.before, cause.after) for cause in found.causes] == [("flavor", None, "m1.small")]


def test_rewritten_old_name_has_no_effect() -> None:
    text = "\nresources: {p: {type: OS::Neutron::Port, properties: {%s: n}}}\n"
    found = change(plan(text % "network_id", text % "network"), "p")
    assert found.action is Action.UPDATED
    assert "`network_id` is now written as `network`" in notes(found)


def test_updates_that_aws_rejects_are_only_a_hint() -> None:
    text = "\nresources: {w: {type: AWS::CloudFormation::WaitCondition, properties: {Handle: h, Timeout: %d}}}\n"
    found = change(plan(text % 1, text % 2), "w")
    assert found.action is Action.REPLACED
    assert "Updates are not supported" in notes(found)


def test_changed_immutable_parameter_rejects_the_whole_update() -> None:
    text = "\nparameters: {a: {type: string, immutable: true, default: %s}}\n"
    found = plan(text % "x", text % "y")
    assert list(map(str, found.refusals)) == ["Parameter `a` is immutable and cannot be changed."]
    assert plan(text % "x", text % "x").refusals == ()


@pytest.mark.parametrize(
    ("kind", "value", "is_refused"),
    [
        ("string", "8", True),
        ("string", "true", True),
        ("string", '"8"', False),
        ("number", "8", False),
        ("number", "8.0", False),
        ("number", '"8"', True),
        ("boolean", "true", False),
        ("boolean", "1", False),
        ("boolean", '"true"', True),
        ("boolean", '"on"', True),
        ("comma_delimited_list", "[a, b]", False),
        ("comma_delimited_list", "[]", False),
        ("comma_delimited_list", "[1, 2]", True),
        ("comma_delimited_list", '"a,b"', True),
        ("comma_delimited_list", '""', True),
        ("json", "{1: 2}", False),
        ("json", "[1]", False),
        ("json", '""', False),
        ("json", "'{\"a\": 1}'", True),
    ],
)
def test_immutable_parameter_is_compared_as_submitted(kind: str, value: str, is_refused: bool) -> None:
    """The expected outcomes are those of Heat for an update with the same template and environment."""
    text = f"parameters: {{p: {{type: {kind}, immutable: true}}}}\n"
    given = Source(parse_template(HEAD + text), (environment(f"parameters: {{p: {value}}}\n"),))
    assert bool(plan_update(given, given, KNOWLEDGE).refusals) is is_refused
    default = Source(given.template, (environment(f"parameter_defaults: {{p: {value}}}\n"),))
    assert not plan_update(default, default, KNOWLEDGE).refusals


def environment(text: str) -> EnvironmentFile:
    return EnvironmentFile("environment", parse_environment(text).data)


def test_null_for_an_immutable_parameter_is_rejected() -> None:
    text = "parameters: {p: {type: number, immutable: true, default: 3}}\n"
    given = Source(parse_template(HEAD + text), (environment("parameters: {p: }\n"),))
    assert plan_update(given, given, KNOWLEDGE).verdict is Verdict.REFUSED


@pytest.mark.parametrize(
    ("kind", "outer", "given", "is_refused"),
    [
        ("comma_delimited_list", "string, default: x", "[a, b]", True),
        ("comma_delimited_list", "string, default: x", "[]", True),
        ("number", "string, default: x", "'8'", False),
        ("number", "string, default: '8'", "{get_param: q}", False),
        ("string", "number, default: 8", "{get_param: q}", False),
        ("string", "string, default: x", "8", False),
        ("boolean", "string, default: x", "'true'", False),
        ("json", "string, default: x", "{a: 1}", False),
        ("json", "string, default: '{\"a\": 1}'", "{get_param: q}", True),
    ],
)
def test_immutable_parameter_of_nested_template_is_compared_as_passed(
    kind: str, outer: str, given: str, is_refused: bool
) -> None:
    """The expected outcomes are those of a running Heat for the same template; lists are passed as text."""
    child = HEAD + f"parameters: {{p: {{type: {kind}, immutable: true}}}}\nresources: {{}}\n"
    text = f"parameters: {{q: {{type: {outer}}}}}\nresources: {{kid: {{type: c.yaml, properties: {{p: {given}}}}}}}\n"
    verdict = plan(text, text, {"c.yaml": child}).verdict
    assert verdict is (Verdict.FAILS if is_refused else Verdict.CHANGES_NOTHING)


def test_immutable_parameter_of_nested_template_fails_at_its_owner() -> None:
    child = HEAD + "parameters: {a: {type: string, immutable: true}}\nresources: {v: {type: OS::Heat::Value}}\n"
    text = "\nresources: {kid: {type: child.yaml, properties: {a: %s}}}\n"
    found = plan(text % "x", text % "y", {"child.yaml": child})
    assert (found.verdict, [one.names for one in found.failures]) == (Verdict.FAILS, [("kid",)])
    assert change(found, "kid").members == ()
    assert "immutable" in notes(change(found, "kid"))


def test_values_of_hidden_parameters_are_secret() -> None:
    text = """
parameters: {word: {type: string, hidden: true, default: %s}}
resources: {v: {type: OS::Heat::Value, properties: {value: {get_param: word}}}}
"""
    assert change(plan(text % "a", text % "b"), "v").causes[0].secret


CHILD = """heat_template_version: 2021-04-16
parameters: {net: {type: string}, names: {type: comma_delimited_list, default: a}}
resources:
  port: {type: OS::Neutron::Port, properties: {network: {get_param: net}, name: {get_param: [names, 1]}}}
outputs: {id: {value: {get_resource: port}}}
"""
PARENT = """
resources:
  inside: {type: child.yaml, properties: {net: %s, names: [a, b]}}
  follower: {type: OS::Heat::Value, properties: {value: {get_attr: [inside, id]}}}
"""


def test_changes_in_nested_template_reach_dependents() -> None:
    found = plan(PARENT % "one", PARENT % "two", {"child.yaml": CHILD})
    inside = change(found, "inside")
    assert [(member.name, member.action) for member in inside.members] == [("port", Action.REPLACED)]
    assert inside.members[0].because == ("parameter `net` changed",)
    assert change(found, "follower").because == ("`inside` is updated in place",)
    assert change(plan(PARENT % "one", PARENT % "one", {"child.yaml": CHILD}), "follower").action is Action.UNCHANGED


@pytest.mark.parametrize("content", ["", "outputs: {o: {value: 1}}\n", "resources: {}\n"])
def test_nested_template_without_resources_is_updated_without_effect(content: str) -> None:
    text = "\nresources: {kid: {type: c.yaml}}\n"
    found = plan(text, text, {"c.yaml": HEAD + content})
    assert (change(found, "kid").action, change(found, "kid").has_effect) == (Action.UPDATED, False)
    assert found.verdict is Verdict.CHANGES_NOTHING


@pytest.mark.parametrize(("after", "value", "certain"), [("", "(not set)", True), ("flavor: [f]", "(invalid)", False)])
def test_removed_property_is_not_set(after: str, value: str, certain: bool) -> None:
    text = "\nresources: {s: {type: OS::Nova::Server, properties: {flavor_update_policy: REPLACE, image: i, %s}}}\n"
    found = plan(text % "flavor: f", text % after)
    assert (change(found, "s").action, change(found, "s").certain) == (Action.REPLACED, certain)
    assert f"    flavor: f -> {value}" in [line.rpartition(" (")[0] for line in plan_lines(found)]


def test_unknown_value_inside_a_map_passed_as_text() -> None:
    child = HEAD + "parameters: {p: {type: json}}\nresources: {}\n"
    text = "\nparameters: {q: {type: string}}\nresources: {a: {type: c.yaml, properties: {p: [{get_param: q}]}}}\n"
    assert plan(text, text, {"c.yaml": child}).verdict is Verdict.CHANGES_NOTHING


def test_unchanged_nested_template_is_updated_without_effect() -> None:
    inside = change(plan(PARENT % "one", PARENT % "one", {"child.yaml": CHILD}), "inside")
    assert (inside.action, inside.has_effect) == (Action.UPDATED, False)
    assert "No changes in the nested stack." in inside.notes


def test_nested_template_with_changed_output_is_updated() -> None:
    text, child = "\nresources: {a: {type: child.yaml}}\n", HEAD + "resources: {v: {type: OS::Heat::Value}}\n"
    old, new = (source(text, {"child.yaml": child + f"outputs: {{o: {{value: {value}}}}}\n"}) for value in (1, 2))
    found = change(plan_update(old, new, KNOWLEDGE), "a")
    assert found.has_effect
    assert "Only these outputs of the nested stack change: `o`." in found.notes


def test_template_that_contains_itself_terminates() -> None:
    found = plan(
        "\nresources: {a: {type: self.yaml}}\n",
        "\nresources: {a: {type: self.yaml}}\n",
        {"self.yaml": HEAD + "resources: {a: {type: self.yaml}, b: {type: self.yaml}}\n"},
    )
    assert change(found, "a").members


def test_mapped_type_inside_its_own_template_is_not_mapped() -> None:
    """heat/engine/environment.py, get_child_environment."""
    wrapped = HEAD + "resources: {inner: {type: OS::Heat::RandomString, properties: {length: %d}}}\n"
    environment = {"resource_registry": {"OS::Heat::RandomString": "wrapped.yaml"}}
    text = "\nresources: {outer: {type: OS::Heat::RandomString}}\n"
    before, after = (source(text, {"wrapped.yaml": wrapped % length}, environment) for length in (8, 9))
    [inner] = change(plan_update(before, after, KNOWLEDGE), "outer").members
    assert (inner.action, inner.members) == (Action.REPLACED, ())


GROUP = """
resources:
  group:
    type: OS::Heat::ResourceGroup
    update_policy: {rolling_update: {max_batch_size: 2, min_in_service: 1, pause_time: 10}}
    properties:
      count: %d
      removal_policies: [{resource_list: [%s]}]
      resource_def: {type: OS::Nova::Server, properties: {name: "s-%%index%%", image: %s, flavor: f}}
"""


def members(found: UpdatePlan) -> dict[str, str]:
    return {member.name: str(member.action) for member in change(found, "group").members}


def test_added_and_removed_members_of_a_group() -> None:
    assert members(plan(GROUP % (3, "", "i"), GROUP % (2, "", "i"))) == {
        "0": "unchanged",
        "1": "unchanged",
        "2": "deleted",
    }
    chosen = plan(GROUP % (3, "", "i"), GROUP % (3, '"1"', "i"))
    assert members(chosen) == {"0": "unchanged", "1": "deleted", "2": "unchanged", "3": "added"}
    assert "From 3 to 3 members: 1 added, 1 removed; choose with `removal_policies`." in notes(change(chosen, "group"))


def test_note_on_rolling_update_has_numbers() -> None:
    found = change(plan(GROUP % (5, "", "i"), GROUP % (5, "", "j")), "group")
    assert {member.action for member in found.members} == {Action.UPDATED}
    assert "in batches of 2, with at least 1 in service, with a pause of 10 s" in notes(found)
    assert "3 batches in all" in notes(found)


def test_large_groups_are_counted_and_not_listed() -> None:
    found = change(plan(GROUP % (1_000_000, "", "i"), GROUP % (1_000_000, "", "j")), "group")
    assert len(found.members) == 30
    assert "And 999,970 more members change in the same way." in found.notes


LAUNCHED = """
resources:
  lc:
    type: AWS::AutoScaling::LaunchConfiguration
    properties: {ImageId: %s, InstanceType: m1.small}
    metadata: {kept: 1}
  group:
    type: %s
    properties: {AvailabilityZones: [nova], LaunchConfigurationName: {get_resource: lc}, %s}
"""
IN_BATCHES = "    update_policy: {%s: {MinInstancesInService: 1}}\n"
KINDS = [
    ("OS::Heat::InstanceGroup", "Size: %d", "RollingUpdate"),
    ("AWS::AutoScaling::AutoScalingGroup", "MinSize: 1, MaxSize: 9, DesiredCapacity: %d", "AutoScalingRollingUpdate"),
]


@pytest.mark.parametrize(("kind", "size", "policy"), KINDS)
def test_members_of_a_launch_configuration_follow_it_in_a_rolling_update(kind: str, size: str, policy: str) -> None:
    """heat/engine/resources/openstack/heat/instance_group.py, _try_rolling_update."""
    in_batches = IN_BATCHES % policy
    before, after = (LAUNCHED % (image, kind, size % 2) for image in "ij")
    found = plan(before + in_batches, after + in_batches)
    assert change(found, "lc").action is Action.REPLACED
    assert members(found) == {"0": "replaced", "1": "replaced"}
    image = change(found, "group").members[0].causes[0]
    assert (image.property, image.before, image.after) == ("ImageId", "i", "j")
    assert "Rolling update" in notes(change(found, "group"))
    without = plan(before, after)
    assert members(without) == {"0": "unchanged", "1": "unchanged"}
    assert f"Existing members stay unchanged: `update_policy` has no `{policy}`." in notes(change(without, "group"))


@pytest.mark.parametrize(("kind", "size", "policy"), KINDS)
def test_added_and_removed_members_of_a_launch_configuration(kind: str, size: str, policy: str) -> None:
    found = plan(LAUNCHED % ("i", kind, size % 2), LAUNCHED % ("i", kind, size % 3))
    assert members(found) == {"0": "unchanged", "1": "unchanged", "2": "added"}
    assert change(found, "group").members[2].type == "OS::Heat::ScaledResource"


def test_launch_configuration_from_a_server_is_unknown() -> None:
    text = LAUNCHED.replace("ImageId: %s, InstanceType: m1.small", "InstanceId: %s, UserData: u") + IN_BATCHES
    before, after = (text % (server, *KINDS[0][:1], "Size: 2", "RollingUpdate") for server in "st")
    member, _ = change(plan(before, after), "group").members
    assert (member.action, member.certain) == (Action.REPLACED, False)
    assert "UserData" not in {cause.property for cause in member.causes}


def test_excess_properties_of_a_launch_configuration_are_ignored() -> None:
    text = LAUNCHED.replace("ImageId", "Unheard: of, ImageId") % ("i", KINDS[0][0], "Size: 1")
    assert members(plan(text, text)) == {"0": "unchanged"}


@pytest.mark.parametrize("kind", [kind for kind, _, _ in KINDS])
def test_invalid_launch_configuration_has_no_members(kind: str) -> None:
    text = LAUNCHED.replace("{get_resource: lc}", "somewhere") % ("i", kind, "Size: 1, MinSize: 1, MaxSize: 1")
    assert members(plan(text, text)) == {"0": "unchanged"}


def test_environment_does_not_map_the_type_of_launched_members() -> None:
    """heat/engine/resources/openstack/heat/instance_group.py, child_params: the group's own registry is loaded last."""
    text = LAUNCHED + IN_BATCHES
    before, after = (text % (image, *KINDS[0][:1], "Size: 2", "RollingUpdate") for image in "ij")
    mapped = {"resource_registry": {"OS::Heat::ScaledResource": "member.yaml"}}
    files = {"member.yaml": HEAD + "parameters: {ImageId: {type: string}, InstanceType: {type: string}}\n"}
    old, new = (source(side, files, mapped) for side in (before, after))
    assert members(plan_update(old, new, KNOWLEDGE)) == {"0": "replaced", "1": "replaced"}


def test_a_group_keeps_its_size_within_its_limits() -> None:
    """heat/engine/resources/aws/autoscaling/autoscaling_group.py, handle_update."""
    text = (
        "\nresources: {group: {type: OS::Heat::AutoScalingGroup, properties: {%s, resource: {type: OS::Heat::None}}}}\n"
    )
    assert members(plan(text % "min_size: 3, max_size: 5", text % "min_size: 1, max_size: 5")) == {
        "0": "unchanged",
        "1": "unchanged",
        "2": "unchanged",
    }
    grown = members(plan(text % "min_size: 1, max_size: 5", text % "min_size: 2, max_size: 5"))
    assert grown == {"0": "unchanged", "1": "added"}
    shrunk = members(plan(text % "min_size: 3, max_size: 5", text % "min_size: 1, max_size: 2"))
    assert shrunk == {"0": "deleted", "1": "unchanged", "2": "unchanged"}  # Heat removes the oldest member


def test_deployments_of_a_group_by_server() -> None:
    text = "\nresources: {g: {type: OS::Heat::SoftwareDeploymentGroup, properties: {config: c, servers: {%s}}}}\n"
    found = change(plan(text % "a: x, b: y", text % "b: z, c: w"), "g")
    assert {member.name: str(member.action) for member in found.members} == {
        "a": "deleted",
        "b": "replaced",
        "c": "added",
    }


def test_resource_chain() -> None:
    text = "\nresources: {c: {type: OS::Heat::ResourceChain, properties: {resources: [OS::Heat::Value%s]}}}\n"
    found = change(plan(text % "", text % ", OS::Heat::RandomString"), "c")
    assert [str(member.action) for member in found.members] == ["unchanged", "added"]


def test_deployment_is_replaced_if_its_config_requests_it() -> None:
    text = """
resources:
  config:
    type: OS::Heat::SoftwareConfig
    properties: {inputs: [{name: a, replace_on_change: true}, {name: b}]}
  deployment:
    type: OS::Heat::SoftwareDeployment
    properties: {config: {get_resource: config}, server: s, input_values: {a: %d, b: %d}}
"""
    assert change(plan(text % (1, 1), text % (2, 1)), "deployment").action is Action.REPLACED
    assert change(plan(text % (1, 1), text % (1, 2)), "deployment").action is Action.UPDATED


names = st.sampled_from(["a", "b", "c", "d"])
types = st.sampled_from(["OS::Heat::Value", "OS::Neutron::Net", "OS::Cinder::Volume", "OS::Heat::None"])
properties = st.dictionaries(st.sampled_from(["value", "name", "size"]), st.sampled_from(["1", "x", 2]), max_size=2)
resources = st.dictionaries(names, st.tuples(types, properties), max_size=4)


def written(found: Mapping[str, tuple[str, Mapping[str, object]]]) -> str:
    entries = {name: {"type": kind, "properties": dict(given)} for name, (kind, given) in found.items()}
    return f"resources: {entries!r}\n"


@given(resources, resources)
def test_swapping_the_sides_swaps_added_and_deleted(
    one: dict[str, tuple[str, dict[str, object]]], other: dict[str, tuple[str, dict[str, object]]]
) -> None:
    there, back = plan(written(one), written(other)), plan(written(other), written(one))
    assert actions(there, Action.ADDED) == actions(back, Action.DELETED)
    assert actions(there, Action.DELETED) == actions(back, Action.ADDED)


def actions(found: UpdatePlan, action: Action) -> set[str]:
    return {change.name for change in found.changes if change.action is action}


@given(resources)
def test_nothing_changes_from_a_template_to_itself(one: dict[str, tuple[str, dict[str, object]]]) -> None:
    assert {change.action for change in plan(written(one), written(one)).changes} <= {Action.UNCHANGED}


def test_deployment_of_a_resource_that_is_not_a_config() -> None:
    text = """
resources:
  config: {type: OS::Heat::RandomString}
  deployment:
    type: OS::Heat::SoftwareDeployment
    properties: {config: {get_resource: config}, server: s, input_values: {a: %d}}
"""
    assert change(plan(text % 1, text % 2), "deployment").action is Action.UPDATED


scalars = st.one_of(st.none(), st.booleans(), st.integers(-2, 2), st.sampled_from(["", "a", "b", "x.yaml", "%index%"]))
calls = st.sampled_from(
    ["get_resource", "get_param", "get_attr", "str_replace", "list_join", "if", "repeat", "get_file"]
)
anything = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.one_of(calls, st.sampled_from(["a", "type", "properties", "count"])), inner, max_size=3),
    ),
    max_leaves=6,
)
kinds = st.one_of(
    st.sampled_from(
        ["OS::Heat::ResourceGroup", "OS::Heat::ResourceChain", "OS::Nova::Server", "x.yaml", "OS::Heat::Stack"]
    ),
    anything,
)
given_properties = st.dictionaries(
    st.sampled_from(["count", "resource_def", "resources", "removal_policies", "template", "image", "flavor"]), anything
)
entries = st.one_of(anything, st.fixed_dictionaries({"type": kinds, "properties": given_properties}))


@given(st.dictionaries(names, entries, max_size=3), st.dictionaries(names, entries, max_size=3), anything)
def test_invalid_templates_can_be_compared(
    one: dict[str, object], other: dict[str, object], parameters: object
) -> None:
    before, after = (json.dumps({"resources": found, "parameters": parameters}) + "\n" for found in (one, other))
    sides = [
        Source(parse_template('{"heat_template_version": "2021-04-16", ' + text[1:]), files=FlatFiles({"x.yaml": HEAD}))
        for text in (before, after)
    ]
    found = plan_update(sides[0], sides[1], KNOWLEDGE)
    assert list(plan_lines(found))
    assert json.dumps(plan_data(found))


def test_keys_that_are_not_text_are_ignored() -> None:
    text = """
resources:
  r:
    type: OS::Mistral::ExternalResource
    properties: {actions: {CREATE: {workflow: w}}, input: {a: %s}, replace_on_change_inputs: [[a]]}
"""
    assert change(plan(text % 1, text % 2), "r").action is not Action.UNCHANGED


def test_evaluations_of_a_plan_share_one_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    long = "x" * 30_000
    text = "resources:\n" + "".join(
        f"  r{number}: {{type: OS::Heat::Value, properties: {{value: {{list_join: ['', ['{long}', %s]]}}}}}}\n"
        for number in range(5)
    )
    before, after = text % (("a",) * 5), text % (("'', a",) * 5)
    assert {one.action for one in plan(before, after).accepted_changes} == {Action.UNCHANGED}
    monkeypatch.setattr(budget, "_Shared", partial(budget._Shared, characters=100_000))
    found = [(one.action, one.certain) for one in plan(before, after).accepted_changes]
    assert found == [(Action.UNCHANGED, True), *[(Action.UPDATED, False)] * 4]
