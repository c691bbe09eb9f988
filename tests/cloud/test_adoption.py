"""Abandoning and adopting stacks on a real Heat, and what Heat cannot adopt."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from heatstudio.catalog.facts import Facts
from heatstudio.cloud.adoption import (
    abandon_stack,
    adopt_stack,
    adoption_refusal,
    export_stack,
    ids_of_data,
    ids_of_resources,
    losses,
    read_stack_data,
    wait_for,
    write_stack_data,
)
from heatstudio.cloud.changes import TargetKind, act_on_stack, choices_of, stack_actions
from heatstudio.cloud.cloud_error import CloudError
from heatstudio.cloud.connection import Connection, connect
from heatstudio.cloud.stacks import find_stack, resources_of
from tests.cloud.faults import FaultyProxy, answered, unanswered
from tests.cloud.find_stack import found_stack
from tests.cloud.stories import TEMPLATE, created, written

GROUP = """\
  group:
    type: OS::Heat::ResourceGroup
    properties: {count: 2, resource_def: {type: parts/child.yaml, properties: {label: "%index%"}}}
"""


INCOMPLETE = "its last operation did not succeed, or it is marked as unhealthy, which an adoption forgets."


def nested_in(connection: Connection, name: str) -> list[object]:
    """Return the names of all stacks with a name, nested ones included."""
    found = connection.facts("/stacks", "stacks", query={"show_nested": "true"})["stacks"]
    assert isinstance(found, list)
    return [one["stack_name"] for one in found if one["stack_name"].startswith(name)]


@pytest.mark.loopback
def test_adopted_stack_has_the_same_resources_and_no_nested_stack_is_left(demo: Connection, tmp_path: Path) -> None:
    stack = created(demo, "moving", written(tmp_path, TEMPLATE + GROUP))
    before, file = resources_of(demo, stack), tmp_path / "moving.json"
    data = abandon_stack(demo, stack, file)
    assert (read_stack_data(file), stat.S_IMODE(file.stat().st_mode)) == (data, 0o600)
    assert nested_in(demo, "moving") == []
    adopted = wait_for(demo, adopt_stack(demo, "moving", data).id)
    assert adopted is not None
    assert adopted.status == "ADOPT_COMPLETE"
    assert adopted.id != stack.id
    ids = ids_of_resources(resources_of(demo, adopted))
    assert ids == ids_of_data(data) == ids_of_resources(before)
    assert ("group", "1", "inner") in ids


@pytest.mark.loopback
def test_unhealthy_member_is_not_adopted_without_its_mark(demo: Connection, tmp_path: Path) -> None:
    stack, action = created(demo, "unhealthy", written(tmp_path, TEMPLATE + GROUP)), stack_actions()["mark-unhealthy"]
    choices = choices_of(demo, stack, TargetKind.RESOURCE)
    member = next(one for one in choices if one.label.startswith("1 in unhealthy-group"))
    act_on_stack(demo, stack, action, member, "tried")
    data = export_stack(demo, stack)
    assert losses(demo, stack, data) == f"1: {INCOMPLETE}"
    assert adoption_refusal(data) == ""  # the member has a nested stack, whose data have no mark of their own
    healthy = stack_actions()["mark-healthy"]
    act_on_stack(demo, stack, healthy, member, "")
    assert losses(demo, stack, data) == ""


@pytest.mark.loopback
def test_nothing_is_abandoned_if_the_data_cannot_be_written(demo: Connection, tmp_path: Path) -> None:
    stack = created(demo, "not-abandoned", written(tmp_path))
    with pytest.raises(CloudError, match="Cannot write"):
        abandon_stack(demo, stack, tmp_path / "missing" / "kept.json")
    assert found_stack(demo, stack.id).status == "CREATE_COMPLETE"
    assert adoption_refusal(export_stack(demo, stack)) == ""
    assert find_stack(demo, "not-abandoned") is not None


@pytest.mark.loopback
def test_disabled_operation_names_the_option_and_a_lost_response_is_no_error(
    faults: FaultyProxy, tmp_path: Path
) -> None:
    connection = connect("heat-faulty")
    stack = created(connection, "disabled", written(tmp_path))
    error = {"message": "Stack Abandon is not supported.", "type": "NotSupported"}
    faults.on("/export", answered(400, {"code": 400, "title": "Bad Request", "error": error}), times=1)
    with pytest.raises(CloudError, match="enable_stack_abandon is off in its"):
        abandon_stack(connection, stack)
    faults.on("/abandon", unanswered, times=1)
    assert ids_of_data(abandon_stack(connection, stack, tmp_path / "data.json"))
    assert find_stack(connection, stack.name) is None
    connection.close()


PLAIN = {"resource_id": "1", "status": "COMPLETE", "resource_data": {}}


@pytest.mark.parametrize(
    ("kind", "resource", "reason"),
    [
        ("OS::Nova::Server", PLAIN, ""),
        ("OS::Nova::Server", {**PLAIN, "resource_id": None}, "x: Heat cannot adopt a resource without a physical ID."),
        ("OS::Nova::Server", {**PLAIN, "status": "FAILED"}, f"x: {INCOMPLETE}"),
        ("OS::Nova::Server", {}, "x: Heat cannot adopt a resource without a physical ID."),
        (
            "OS::Heat::WaitConditionHandle",
            {**PLAIN, "resource_data": {"user_id": "u"}},
            "x: Heat deletes the user that it has created for the signals of the resource.",
        ),
        (
            "OS::Heat::AutoScalingGroup",
            {"resources": {"a": PLAIN}},
            "x: Heat cannot adopt resources of the type OS::Heat::AutoScalingGroup.",
        ),
        ("OS::Heat::ResourceGroup", {"resources": {"0": PLAIN, "1": PLAIN}, "status": "COMPLETE"}, ""),
        ("OS::Heat::ResourceGroup", {"resources": {"0": PLAIN}}, f"x: {INCOMPLETE}"),
        (
            "OS::Heat::ResourceGroup",
            {"resources": {"0": PLAIN, "2": PLAIN}},
            "x: members were removed from the group, so Heat would renumber the others.",
        ),
        ("OS::Heat::ResourceGroup", {"resources": {}}, "x: Heat cannot adopt a group without members."),
        ("child.yaml", {"resources": {"a": {}}}, "x: a: Heat cannot adopt a resource without a physical ID."),
    ],
)
def test_what_heat_cannot_adopt_is_refused_with_the_reason(kind: str, resource: Facts, reason: str) -> None:
    template = {"heat_template_version": "2021-04-16", "resources": {"x": {"type": kind}}}
    data = {"template": template, "files": {"child.yaml": ""}, "resources": {"x": resource}}
    assert adoption_refusal(data) == reason


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"resources": {}}', json.dumps({"template": "x", "resources": {}})]
)
def test_other_files_are_not_read_as_stack_data(tmp_path: Path, content: str) -> None:
    (tmp_path / "data.json").write_text(content, "utf-8")
    with pytest.raises(CloudError, match="is not the data of an abandoned stack"):
        read_stack_data(tmp_path / "data.json")


def test_data_replace_a_file_whole(tmp_path: Path) -> None:
    file = tmp_path / "data.json"
    file.write_text("old" * 1000, "utf-8")
    write_stack_data({"a": 1}, file)
    assert json.loads(file.read_text("utf-8")) == {"a": 1}
    assert list(tmp_path.iterdir()) == [file]
