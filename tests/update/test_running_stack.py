"""A running stack as the baseline of an update: its environment, files, parameters and resources."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from heatstudio.stack.definition.files import NO_FILES, Files
from heatstudio.stack.definition.knowledge import load_knowledge
from heatstudio.stack.definition.secrets import MASK
from heatstudio.stack.definition.source import Source
from heatstudio.stack.unknown import Unknown
from heatstudio.template import parse_template
from heatstudio.update.plan.outcome import outcome_of
from heatstudio.update.plan.update_plan import Action, ResourceChange
from heatstudio.update.plan_update import plan_update
from heatstudio.update.running_stack import Resources, RunningResource, RunningStack, TransmittedFiles, after_operation
from tests.flat_files import FlatFiles
from tests.load import load_source

KNOWLEDGE = load_knowledge()
HEAD = "heat_template_version: 2021-04-16\n"
NET = "  net: {type: OS::Neutron::Net, properties: {tenant_id: %s}}\n"
PORT = "  port: {type: OS::Neutron::Port, properties: {network: %s}}\n"
RUNNING: Resources = {"net": RunningResource("net", "id-1"), "port": RunningResource("port", "id-2")}


def changes(
    stack: RunningStack, text: str, files: Files = NO_FILES, values: dict[str, object] | None = None
) -> dict[str, ResourceChange]:
    new = Source(parse_template(HEAD + text), files=files, parameter_values=values or {})
    plan = plan_update(stack.source(), new, KNOWLEDGE, stack.resources)
    return {change.name: change for change in plan.changes}


def stack_of(text: str, resources: Resources | None = None) -> RunningStack:
    return RunningStack(HEAD + text, resources=resources or {})


def test_reference_equals_its_known_id() -> None:
    before = "resources:\n" + NET % "a" + PORT % "{get_resource: net}"
    after = "resources:\n" + NET % "a" + PORT % "id-1"
    assert changes(stack_of(before, RUNNING), after)["port"].action is Action.UNCHANGED
    unknown = changes(stack_of(before), after)["port"]
    assert (unknown.action, unknown.certain) == (Action.REPLACED, False)


def test_different_id_is_a_certain_change() -> None:
    before = "resources:\n" + NET % "a" + PORT % "{get_resource: net}"
    port = changes(stack_of(before, RUNNING), "resources:\n" + NET % "a" + PORT % "id-9")["port"]
    assert (port.action, port.certain) == (Action.REPLACED, True)


def test_dependents_of_replaced_resources_are_as_certain_as_without_ids() -> None:
    text = "resources:\n" + NET + PORT % "{get_resource: net}"
    text += "  value: {type: OS::Heat::Value, properties: {value: {list_join: [':', [net, {get_resource: net}]]}}}\n"
    found = changes(stack_of(text % "a", RUNNING), text % "b")
    assert [(found[name].action, found[name].certain) for name in ("net", "port", "value")] == [
        (Action.REPLACED, True),
        (Action.REPLACED, True),
        (Action.UPDATED, True),
    ]


def test_attribute_equals_its_known_value() -> None:
    text = "resources:\n" + NET % "a" + "  value: {type: OS::Heat::Value, properties: {value: %s}}\n"
    reported: Resources = {"net": RunningResource("net", "id-1", attributes={"mtu": 1500})}
    after = text % "1500"
    assert changes(stack_of(text % "{get_attr: [net, mtu]}", reported), after)["value"].certain
    assert changes(stack_of(text % "{get_attr: [net, mtu]}", reported), text % "9000")["value"].certain
    assert not changes(stack_of(text % "{get_attr: [net, mtu]}"), after)["value"].certain


def test_reference_ids_that_are_not_physical_ids_stay_unknown() -> None:
    """heat/engine/resources/openstack/heat/random_string.py: get_resource returns the generated text."""
    text = "resources:\n  text: {type: OS::Heat::RandomString}\n"
    text += "  value: {type: OS::Heat::Value, properties: {value: %s}}\n"
    reported: Resources = {"text": RunningResource("text", "id-1")}
    value = changes(stack_of(text % "{get_resource: text}", reported), text % "id-1")["value"]
    assert (value.action, value.certain) == (Action.UPDATED, False)


def test_baseline_has_the_current_values_and_masked_ones_are_unknown() -> None:
    text = """
parameters: {owner: {type: string, default: a}, secret: {type: string, hidden: true, default: s}}
resources:
  net: {type: OS::Neutron::Net, properties: {tenant_id: {get_param: owner}}}
  value: {type: OS::Heat::Value, properties: {value: {get_param: secret}}}
"""
    in_force = {"OS::stack_name": "web", "owner": "b", "secret": MASK}
    found = changes(RunningStack(HEAD + text, parameters=in_force), text)
    assert (found["net"].action, found["net"].certain) == (Action.REPLACED, True)
    assert found["net"].because == ("parameter `owner` changed",)
    assert (found["value"].action, found["value"].certain) == (Action.UPDATED, False)


def test_masked_values_of_the_environment_are_unknown() -> None:
    text = "\nparameters: {owner: {type: string, default: a}}\nresources:\n" + NET % "{get_param: owner}"
    stack = RunningStack(HEAD + text, environment={"parameters": {"owner": MASK}})
    assert not changes(stack, text)["net"].certain


def test_environment_of_the_stack_applies_only_to_the_baseline() -> None:
    text = "\nparameters: {owner: {type: string, default: a}}\nresources:\n" + NET % "{get_param: owner}"
    environment = {"parameters": {"owner": "b"}, "resource_registry": {"resources": {}}, "event_sinks": None}
    stack = RunningStack(HEAD + text, environment=environment)
    assert changes(stack, text)["net"].action is Action.REPLACED
    assert changes(stack, text, values={"owner": "b"})["net"].action is Action.UNCHANGED


def test_files_are_found_by_their_url_and_by_the_end_of_it() -> None:
    files = TransmittedFiles({"file:///home/me/lib/child.yaml": "c", "file:///home/me/a.sh": "a"})
    assert files.get("file:///home/me/lib/child.yaml") == "c"
    assert files.below("file:///home/me/lib/child.yaml").get("a.sh") == "a"
    assert files.get("./child.yaml") == "c"
    assert files.get("hild.yaml") is None


def test_file_named_by_its_url_is_the_same_file() -> None:
    child = HEAD + "resources:\n" + NET
    url = "file:///home/me/child.yaml"
    text = "resources:\n  sub: {type: %s}\n"
    stack = RunningStack(HEAD + text % url, files={url: child % "a"})
    sub = changes(stack, text % "child.yaml", TransmittedFiles({"child.yaml": child % "b"}))["sub"]
    assert sub.causes == ()
    assert [(member.name, member.action) for member in sub.members] == [("net", Action.REPLACED)]


@pytest.mark.parametrize(("size", "certain"), [(1, False), (2, True)])
def test_folder_of_the_client_in_a_sent_template_is_unknown(size: int, certain: bool, tmp_path: Path) -> None:
    """The client rewrites the names of files in a template that is the value of `get_file`."""
    child = f"{HEAD}resources: {{r: {{type: deeper.yaml, properties: {{size: %s}}}}}}\n"
    text = f"{HEAD}resources: {{c: {{type: OS::Heat::SoftwareConfig, properties: {{config: {{get_file: %s}}}}}}}}\n"
    (tmp_path / "child.yaml").write_text(child % size, encoding="utf-8")
    (tmp_path / "top.yaml").write_text(text % "child.yaml", encoding="utf-8")
    sent = json.dumps(parse_template((child % 1).replace("deeper", "file:///home/other/deeper")).data)
    url = "file:///home/other/child.yaml"
    stack = RunningStack(text % url, files={url: sent})
    plan = plan_update(stack.source(), load_source(tmp_path / "top.yaml"), KNOWLEDGE, stack.resources)
    assert [(one.action, one.certain) for one in plan.changes] == [(Action.REPLACED, certain)]


def test_members_are_known_from_the_nested_stack() -> None:
    child = HEAD + "resources:\n" + NET % "a" + PORT
    text = "resources:\n  sub: {type: child.yaml}\n"
    inside = RunningStack(child % "x", resources=RUNNING)
    stack = RunningStack(
        HEAD + text,
        files={"child.yaml": child % "{get_resource: net}"},
        resources={"sub": RunningResource("sub", "id-3", nested=inside)},
    )
    sub = changes(stack, text, TransmittedFiles({"child.yaml": child % "id-1"}))["sub"]
    assert [member.action for member in sub.members] == [Action.UNCHANGED, Action.UNCHANGED]


@pytest.mark.parametrize(
    ("kind", "state", "action", "certain"),
    [
        ("OS::Heat::RandomString", ("CREATE", "COMPLETE"), Action.UNCHANGED, True),
        ("OS::Heat::RandomString", ("CREATE", "FAILED"), Action.REPLACED, True),
        ("OS::Heat::RandomString", ("INIT", "COMPLETE"), Action.ADDED, True),
        ("OS::Heat::RandomString", ("DELETE", "COMPLETE"), Action.ADDED, True),
        ("OS::Neutron::Net", ("UPDATE", "FAILED"), Action.REPLACED, False),
        ("OS::Neutron::Net", ("CHECK", "FAILED"), Action.REPLACED, True),
        ("OS::Mistral::Workflow", ("CHECK", "FAILED"), Action.REPLACED, False),
        ("OS::Heat::ResourceGroup", ("UPDATE", "FAILED"), Action.UPDATED, True),
        ("OS::Heat::ResourceGroup", ("INIT", "COMPLETE"), Action.ADDED, True),
        ("OS::Heat::None", ("UPDATE", "FAILED"), Action.UNCHANGED, True),
    ],
)
def test_failed_resources_are_replaced(kind: str, state: tuple[str, str], action: Action, certain: bool) -> None:
    """heat/engine/resource.py, _needs_update."""
    text = f"resources:\n  one: {{type: {kind}}}\n"
    stack = stack_of(text, {"one": RunningResource("one", "id-1", *state)})
    assert (changes(stack, text)["one"].action, changes(stack, text)["one"].certain) == (action, certain)


OLDER, START, NEWER = "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z", "2026-01-02T00:00:01Z"


def test_resource_that_a_failed_update_did_not_reach_may_have_any_earlier_definition() -> None:
    text = f"""
resources:
  reached: {{type: {STRING}}}
  waits: {{type: {STRING}}}
  value: {{type: {VALUE}, properties: {{value: 1}}}}
  none: {{type: OS::Heat::None}}
  fails: {{type: {STRING}}}
"""
    resources = {name: RunningResource(name, "id", updated=START) for name in ("waits", "value", "none")}
    resources["reached"] = RunningResource("reached", "id", "UPDATE", updated=NEWER)
    resources["fails"] = RunningResource("fails", "id", "UPDATE", "FAILED", updated=START)
    assert changes(stack_of(text, after_operation(resources, "CREATE_FAILED", "")), text)["waits"].certain
    found = changes(stack_of(text, after_operation(resources, "UPDATE_FAILED", START)), text)
    assert {name: (str(change.action), change.certain) for name, change in found.items()} == {
        "reached": ("unchanged", True),
        "waits": ("replaced", False),
        "value": ("updated", False),
        "none": ("unchanged", True),
        "fails": ("replaced", True),
    }
    assert "may still have an earlier definition" in found["waits"].notes[0]


def test_running_resource_outside_the_template_is_deleted_or_may_be_replaced() -> None:
    text = f"\nresources: {{one: {{type: {STRING}}}}}\n"
    more = f"\nresources: {{one: {{type: {STRING}}}, left: {{type: {VALUE}, properties: {{value: 1}}}}}}\n"
    resources = {name: RunningResource(name, name, type=STRING) for name in ("one", "left")}
    stack = stack_of(text, {**resources, "gone": RunningResource("gone", None, "DELETE")})
    assert changes(stack, text)["left"].action is Action.DELETED
    assert (changes(stack, more)["left"].action, changes(stack, more)["left"].certain) == (Action.REPLACED, False)
    assert set(changes(stack, text)) == {"one", "left"}


@pytest.mark.parametrize(
    ("updated", "state", "members", "expected"),
    [
        (NEWER, "COMPLETE", ("0", "1"), {"0": ("unchanged", True), "1": ("unchanged", True)}),
        (NEWER, "FAILED", ("0", "1"), {"0": ("replaced", False), "1": ("replaced", False)}),
        (OLDER, "COMPLETE", ("0", "2"), {"0": ("replaced", False), "1": ("added", True), "2": ("deleted", True)}),
        (OLDER, "COMPLETE", (), {"0": ("replaced", False), "1": ("replaced", False)}),
    ],
)
def test_members_of_a_group_after_a_failed_update(
    updated: str, state: str, members: tuple[str, ...], expected: Mapping[str, tuple[str, bool]]
) -> None:
    group = f"type: OS::Heat::ResourceGroup, properties: {{count: 2, resource_def: {{type: {STRING}}}}}"
    text = f"\nresources: {{it: {{{group}}}}}\n"
    inside = RunningStack("", resources={name: RunningResource(name, name, updated=OLDER) for name in members})
    owner = RunningResource("it", "id", "UPDATE", state, nested=inside if members else None, updated=updated)
    found = changes(stack_of(text, after_operation({"it": owner}, "UPDATE_FAILED", START)), text)["it"]
    assert {one.name: (str(one.action), one.certain) for one in found.members} == expected


def test_scaling_group_has_the_running_members() -> None:
    text = (
        "resources:\n  group: {type: OS::Heat::AutoScalingGroup, properties: {%s, resource: {type: OS::Heat::None}}}\n"
    )
    inside = RunningStack(HEAD, resources={name: RunningResource(name) for name in ("a1", "b2", "c3")})
    stack = stack_of(text % "min_size: 1, max_size: 5", {"group": RunningResource("group", nested=inside)})
    group = changes(stack, text % "min_size: 1, max_size: 2")["group"]
    assert any(note.startswith("From 3 to 2 members; the oldest go") for note in group.notes)


SCALED = """
resources:
  group:
    type: OS::Heat::AutoScalingGroup
    properties:
      {min_size: %s, max_size: 2, rolling_updates: {min_in_service: %s}, resource: {type: %s, properties: {%s}}}
  reader: {type: OS::Heat::Value, properties: {value: {get_attr: [group, refs]}}}
"""
VALUE, STRING = "OS::Heat::Value", "OS::Heat::RandomString"


@pytest.mark.parametrize(
    ("before", "after", "expected", "reader"),
    [
        ((2, 0, VALUE, "value: 1"), (1, 0, VALUE, "value: 1"), {"young": "unchanged", "old": "unchanged"}, "unchanged"),
        ((2, 0, VALUE, "value: 1"), (2, 0, VALUE, "value: 2"), {"young": "updated", "old": "updated"}, "unchanged"),
        (
            (2, 2, VALUE, "value: 1"),
            (2, 2, VALUE, "value: 2"),
            {"young": "unchanged", "2": "added", "old": "deleted"},
            "updated",
        ),
        (
            (2, 2, STRING, "length: 8"),
            (2, 2, STRING, "length: 9"),
            {"old": "replaced", "2": "added", "young": "deleted"},
            "updated",
        ),
    ],
)
def test_members_of_a_scaled_group_have_their_names(
    before: tuple[object, ...], after: tuple[object, ...], expected: dict[str, str], reader: str
) -> None:
    """Heat removes the oldest member first; all outcomes were confirmed by a running Heat."""
    ages = {"young": "2026-01-02T00:00:00Z", "old": "2026-01-01T00:00:00Z"}
    inside = RunningStack(HEAD, resources={name: RunningResource(name, created=age) for name, age in ages.items()})
    stack = stack_of(SCALED % before, {"group": RunningResource("group", nested=inside)})
    found = changes(stack, SCALED % after)
    assert {member.name: str(member.action) for member in found["group"].members} == expected
    assert str(found["reader"].action) == reader


def test_value_of_a_random_string_is_its_reference() -> None:
    text = (
        "resources:\n  made: {type: OS::Heat::RandomString}\n  value: {type: OS::Heat::Value, properties: {value: %s}}"
    )
    made = RunningResource("made", "id-1", attributes={"value": "Xy"})
    for resources, value in (
        ({"made": made}, "Xy"),
        ({"made": made}, "{get_attr: [made, value]}"),
        ({}, "{get_attr: [made, value]}"),
    ):
        found = changes(stack_of(text % "{get_resource: made}", resources), text % value)["value"]
        assert (found.action, found.certain) == (Action.UNCHANGED, True)


ROLLED = """
parameters: {word: {type: string}}
resources:
  group:
    type: OS::Heat::AutoScalingGroup
    properties:
      min_size: 2
      max_size: 3
      rolling_updates: {min_in_service: 2}
      resource: {type: child.yaml, properties: {word: {get_param: word}}}
"""
INSIDE = """
parameters: {word: {type: string}}
resources: {made: {type: OS::Heat::RandomString, properties: {length: %s}}}
"""


@pytest.mark.parametrize(
    ("is_current", "words", "old", "young"),
    [
        (True, ("a", "a"), "updated in place", "updated in place"),
        (True, ("a", "b"), "deleted", "updated in place"),
        (True, ("a", MASK), "may be deleted", "updated in place"),
        (False, ("a", "a"), "may be deleted", "may be deleted"),
    ],
)
def test_member_that_a_rolling_update_may_remove_has_its_content(
    is_current: bool, words: tuple[str, str], old: str, young: str
) -> None:
    """Only a changed definition starts the rolling update, which the content of the child is no part of."""
    ages = {"old": "2026-01-01T00:00:00Z", "young": "2026-01-02T00:00:00Z"}
    child = RunningStack("", resources={"made": RunningResource("made")})
    members = {name: RunningResource(name, created=age, nested=child) for name, age in ages.items()}
    group = RunningResource("group", nested=RunningStack("", resources=members), is_current=is_current)
    stack = RunningStack(
        HEAD + ROLLED, "", {}, {"child.yaml": HEAD + INSIDE % 8}, {"word": words[0]}, resources={"group": group}
    )
    value = Unknown(("word",)) if words[1] == MASK else words[1]
    found = changes(stack, ROLLED, FlatFiles({"child.yaml": HEAD + INSIDE % 9}), {"word": value})["group"].members
    said = {one.name: outcome_of(one).words(certain=one.certain) for one in found}
    assert (said["old"], said["young"]) == (old, young)
    listed = {one.name: [inner.name for inner in one.members] for one in found if one.name in ages}
    assert listed == {name: [] if said[name] == "deleted" else ["made"] for name in ages}


@pytest.mark.parametrize(
    ("least", "in_service", "length", "expected"),
    [
        (1, 0, 8, {"old": "unchanged", "failed": "deleted"}),
        (2, 0, 8, {"old": "unchanged", "failed": "replaced"}),
        (1, 0, 9, {"old": "replaced", "failed": "replaced"}),
        (1, 2, 9, {"old": "may be deleted", "failed": "may be deleted", "2": "may be added"}),
    ],
)
def test_scaling_group_counts_no_failed_members(
    least: int, in_service: int, length: int, expected: dict[str, str]
) -> None:
    """A group without a desired size; all outcomes were confirmed by a running Heat."""
    members = {
        "old": RunningResource("old", created="2026-01-01T00:00:00Z"),
        "failed": RunningResource("failed", action="CHECK", status="FAILED", created="2026-01-02T00:00:00Z"),
    }
    texts = (SCALED % (2, in_service, STRING, "length: 8"), SCALED % (least, in_service, STRING, f"length: {length}"))
    stack = stack_of(texts[0], {"group": RunningResource("group", nested=RunningStack(HEAD, resources=members))})
    found = changes(stack, texts[1])["group"].members
    assert {one.name: outcome_of(one).words(certain=one.certain) for one in found} == expected
