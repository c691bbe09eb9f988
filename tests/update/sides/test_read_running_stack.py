"""Reading of the client's output about a running stack, from several files in any order."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path

import pytest

from heatstudio.text import DocumentError, FileDocument
from heatstudio.update.sides.read_running_stack import is_running_stack, read_running_stack

TEMPLATE = """# as it was written
heat_template_version: 2021-04-16
parameters: {owner: {type: string}}
resources: {net: {type: OS::Neutron::Net}, sub: {type: child.yaml}}
"""
SHOW = """
stack_name: web
stack_status: CREATE_COMPLETE
parameters: {OS::stack_name: web, owner: a}
"""
ENVIRONMENT = "parameters: {owner: a}\nresource_registry: {resources: {}}\n"
FILES = '{"child.yaml": "heat_template_version: 2021-04-16\\n"}'
LISTED = """
- {resource_name: net, physical_resource_id: id-1, resource_type: OS::Neutron::Net, resource_status: UPDATE_FAILED}
- {resource_name: sub, physical_resource_id: id-2, resource_type: child.yaml, resource_status: CREATE_IN_PROGRESS}
"""
SHOWN = '{"resource_name": "net", "physical_resource_id": "id-1", "attributes": {"mtu": 1500},'
SHOWN += '"resource_status": "UPDATE_FAILED"}'
EXPORTED = {
    "name": "web",
    "id": "id-0",
    "action": "CREATE",
    "status": "COMPLETE",
    "template": {"resources": {"sub": {"type": "child.yaml"}}, "heat_template_version": "2021-04-16"},
    "environment": {"parameters": {"owner": "a"}},
    "files": {"child.yaml": "heat_template_version: 2021-04-16\n"},
    "resources": {
        "net": {"name": "net", "resource_id": "id-1", "action": "UPDATE", "status": "FAILED"},
        "sub": {
            "id": "id-2",
            "action": "CREATE",
            "status": "COMPLETE",
            "template": {"heat_template_version": "2021-04-16", "resources": {}},
            "resources": {"inner": {"name": "inner", "resource_id": "id-3"}},
        },
    },
    "tags": [],
}


def documents(*texts: str) -> list[FileDocument]:
    return [FileDocument(text, Path(f"{number}.txt")) for number, text in enumerate(texts)]


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_order_of_files_does_not_matter(order: tuple[int, ...]) -> None:
    texts = (LISTED, SHOWN, SHOW + "...")
    stack = read_running_stack(documents(TEMPLATE, ENVIRONMENT, *(texts[place] for place in order), FILES))
    assert (stack.name, stack.template) == ("web", TEMPLATE)
    assert stack.parameters["owner"] == "a"
    assert stack.environment == {"parameters": {"owner": "a"}, "resource_registry": {"resources": {}}}
    assert stack.files == json.loads(FILES)
    net, sub = stack.resources["net"], stack.resources["sub"]
    assert (net.physical_id, net.action, net.status, net.attributes) == ("id-1", "UPDATE", "FAILED", {"mtu": 1500})
    assert (sub.action, sub.status) == ("CREATE", "IN_PROGRESS")


def test_export_contains_everything() -> None:
    stack = read_running_stack(documents(json.dumps(EXPORTED)))
    assert stack.name == "web"
    assert stack.template.startswith("heat_template_version: 2021-04-16\nresources:\n")
    assert stack.environment == EXPORTED["environment"]
    assert stack.files == EXPORTED["files"]
    assert (stack.resources["net"].physical_id, stack.resources["net"].status) == ("id-1", "FAILED")
    sub = stack.resources["sub"]
    assert (sub.physical_id, sub.members["inner"].physical_id) == ("id-2", "id-3")


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_times_tell_what_a_failed_update_reached(order: tuple[int, ...]) -> None:
    show = "{stack_name: web, stack_status: UPDATE_FAILED, updated_time: '2026-01-02T00:00:00Z', parameters: {}}"
    listed = """
- {resource_name: net, resource_type: OS::Neutron::Net, updated_time: '2026-01-02T00:00:01Z'}
- {resource_name: sub, resource_type: child.yaml, updated_time: '2026-01-01T00:00:00Z'}
"""
    failed = json.dumps({**EXPORTED, "action": "UPDATE", "status": "FAILED"})
    texts = (show, listed, failed)
    resources = read_running_stack(documents(*(texts[place] for place in order))).resources
    assert (resources["net"].is_current, resources["net"].type) == (True, "OS::Neutron::Net")
    assert not resources["sub"].is_current
    assert not resources["sub"].members["inner"].is_current
    assert not any(one.is_current for one in read_running_stack(documents(failed)).resources.values())


def test_attributes_are_merged_into_an_export() -> None:
    for texts in ((SHOWN, json.dumps(EXPORTED), LISTED), (json.dumps(EXPORTED), LISTED, SHOWN)):
        resources = read_running_stack(documents(*texts)).resources
        assert resources["net"].attributes == {"mtu": 1500}
        assert list(resources["sub"].members) == ["inner"]


def test_api_responses_are_unwrapped() -> None:
    wrapped = [
        {"stack": {"stack_name": "web", "parameters": {"owner": "a"}}},
        {"resources": [{"resource_name": "net", "resource_status": "CREATE_COMPLETE"}]},
        {"resource": {"resource_name": "net", "attributes": {"mtu": 1500}}},
    ]
    stack = read_running_stack(documents(*map(json.dumps, wrapped), TEMPLATE))
    assert (stack.name, stack.resources["net"].attributes) == ("web", {"mtu": 1500})


def test_resources_of_nested_stacks_are_ignored() -> None:
    by_name = [("a", "web"), ("b", "web-sub-1x"), ("a", "web-sub-1x")]
    listed = [{"resource_name": name, "stack_name": stack} for name, stack in by_name]
    assert list(read_running_stack(documents(TEMPLATE, json.dumps(listed))).resources) == ["a"]
    nested = [{"resource_name": "a"}, {"resource_name": "b", "parent_resource": "a"}]
    assert list(read_running_stack(documents(TEMPLATE, json.dumps(nested))).resources) == ["a"]


@pytest.mark.parametrize("text", ["nothing", "", "- 1", "a: [", "resources: {a: {type: b}}"])
def test_files_without_data_are_reported(text: str) -> None:
    with pytest.raises(DocumentError, match=r"1\.txt does not describe a stack; use the output of `openstack"):
        read_running_stack(documents(TEMPLATE, text))
    assert not is_running_stack(text)


def test_missing_template_is_rejected() -> None:
    with pytest.raises(DocumentError, match="The stack's template is missing"):
        read_running_stack(documents(SHOW))


def test_template_alone_is_not_a_running_stack() -> None:
    assert not is_running_stack(TEMPLATE)
    assert is_running_stack(json.dumps(EXPORTED))
    assert is_running_stack(SHOW)
