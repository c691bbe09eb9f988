"""A rename of resources on a real Heat that keeps every physical ID, also after a stop in the middle."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from heatstudio.analysis.changes.renamed_stack import moved_data, renamed_data
from heatstudio.catalog.facts import mapping
from heatstudio.cloud.adoption import (
    ChangedStack,
    RenamePlan,
    RenameStage,
    adoption_refusal,
    differing_ids,
    export_stack,
    free_folder,
    ids_of_resources,
    put_back,
    read_plan,
    stage_of,
    take_out,
    try_adoption,
    wait_for,
    write_plan,
)
from heatstudio.cloud.cloud_error import CloudError
from heatstudio.cloud.connection import Connection
from heatstudio.cloud.heat_verdict import preview_update
from heatstudio.cloud.stacks import StackSummary, open_stack, resources_of
from heatstudio.stack.definition.knowledge import load_knowledge
from heatstudio.template import template_text
from heatstudio.update.plan.update_plan import Action
from heatstudio.update.plan_update import plan_update
from tests.cloud.stories import TEMPLATE, created, written
from tests.cloud.test_adoption import GROUP, nested_in

KNOWLEDGE = load_knowledge()


def planned(connection: Connection, stack: StackSummary, old: str, new: str) -> RenamePlan:
    data = dict(export_stack(connection, stack))
    renamed, reason = renamed_data(data, old, new, KNOWLEDGE)
    assert (reason, adoption_refusal(data)) == ("", "")
    try_adoption(connection, renamed)
    return RenamePlan("heat-demo", old, new, (ChangedStack(stack, data, dict(renamed)),))


def moved(connection: Connection, stacks: tuple[StackSummary, ...], old: str, new: str) -> RenamePlan:
    data = [dict(export_stack(connection, stack)) for stack in stacks]
    renamed, reason = moved_data(data[0], data[1], old, new, KNOWLEDGE)
    assert reason == ""
    for one in renamed:
        try_adoption(connection, one)
    changed = (ChangedStack(*each[:2], dict(each[2])) for each in zip(stacks, data, renamed, strict=True))
    return RenamePlan("heat-demo", old, new, tuple(changed))


@pytest.mark.loopback
def test_resource_group_and_nested_stack_are_renamed_without_a_change(demo: Connection, tmp_path: Path) -> None:
    stack = created(demo, "renamed", written(tmp_path, TEMPLATE + GROUP))
    before = ids_of_resources(resources_of(demo, stack))
    for old, new in (("base", "first"), ("sub", "nested"), ("group", "members")):
        plan, folder = planned(demo, stack, old, new), free_folder(tmp_path, "data")
        write_plan(plan, folder)
        assert read_plan(folder) == plan
        assert stage_of(demo, plan)[0] is RenameStage.BEFORE
        take_out(demo, plan)
        assert stage_of(demo, plan) == (RenameStage.ABANDONED, (None,))
        (stack,) = put_back(demo, plan, renamed=True)
        assert stage_of(demo, plan)[0] is RenameStage.RENAMED
    after = ids_of_resources(resources_of(demo, stack))
    names = {"base": "first", "sub": "nested", "group": "members"}
    assert after == {(names.get(owner, owner), *rest): identity for (owner, *rest), identity in before.items()}
    running = open_stack(demo, stack)
    (one,) = plan.stacks
    assert differing_ids(one, running) == ()
    assert differing_ids(replace(one, renamed=one.data), running) != ()
    after_rename = replace(running, template=template_text(mapping(one.renamed["template"])))
    changes = plan_update(running.source(), after_rename.source(), KNOWLEDGE, running.resources).changes
    assert not any(change.has_effect for change in changes)
    assert len(nested_in(demo, "renamed")) == 5  # the stack, its nested stack, the group and its two members


@pytest.mark.loopback
def test_stopped_rename_continues_or_is_undone(demo: Connection, tmp_path: Path) -> None:
    """The process ends between the steps, and another one reads the plan."""
    stack, folder = created(demo, "stopped", written(tmp_path)), tmp_path / "data"
    before = ids_of_resources(resources_of(demo, stack))
    write_plan(planned(demo, stack, "base", "first"), folder)
    plan = read_plan(folder)
    assert plan is not None
    # abandoned, but the nested stacks are still there
    demo.ask("DELETE", f"{stack.path}/abandon")
    assert len(nested_in(demo, "stopped")) >= 1
    wait_for(demo, stack.id)
    renamed = put_back(demo, plan, renamed=True)
    assert stage_of(demo, plan) == (RenameStage.RENAMED, renamed)
    restored = put_back(demo, plan, renamed=False)
    assert stage_of(demo, plan) == (RenameStage.BEFORE, restored)
    assert ids_of_resources(resources_of(demo, restored[0])) == before
    assert len(nested_in(demo, "stopped")) == 2


@pytest.mark.loopback
def test_failed_adoption_keeps_the_resources(demo: Connection, tmp_path: Path) -> None:
    stack = created(demo, "not-adopted", written(tmp_path))
    plan = planned(demo, stack, "base", "first")
    (one,) = plan.stacks
    broken = {**one.renamed, "resources": {**mapping(one.renamed["resources"]), "lonely": {}}}
    take_out(demo, plan)
    failing = replace(plan, stacks=(replace(one, renamed=broken),))
    with pytest.raises(CloudError, match="Resource ID was not provided"):
        put_back(demo, failing, renamed=True)
    assert stage_of(demo, plan)[0] is RenameStage.FAILED
    restored = put_back(demo, plan, renamed=False)
    assert stage_of(demo, plan) == (RenameStage.BEFORE, restored)


@pytest.mark.loopback
def test_another_stack_of_the_same_name_is_not_abandoned(demo: Connection, tmp_path: Path) -> None:
    stack = created(demo, "name-of-another", written(tmp_path))
    plan = planned(demo, stack, "base", "first")
    take_out(demo, plan)
    other = created(demo, "name-of-another", written(tmp_path, TEMPLATE.replace("base", "first")))
    with pytest.raises(CloudError, match="Another stack has the name name-of-another"):
        put_back(demo, plan, renamed=False)
    assert stage_of(demo, plan)[1] == (other,)


@pytest.mark.loopback
def test_stack_that_has_changed_is_not_abandoned(demo: Connection, tmp_path: Path) -> None:
    stack = created(demo, "changed", written(tmp_path))
    plan = planned(demo, stack, "base", "first")
    plan.stacks[0].data["tags"] = ["another"]
    with pytest.raises(CloudError, match="was changed in the meantime"):
        take_out(demo, plan)
    assert stage_of(demo, plan)[0] is RenameStage.BEFORE
    with pytest.raises(CloudError, match="was changed in the meantime"):
        put_back(demo, plan, renamed=True)
    assert stage_of(demo, plan)[0] is RenameStage.BEFORE


MOVING = """\
heat_template_version: 2021-04-16
parameters:
  label: {type: string, default: first}
  secret: {type: string, hidden: true}
resources:
  base: {type: Studio::Test::Widget, properties: {label: {get_param: label}, size: 1, zone: z1}}
  mover: {type: Studio::Test::Widget, properties: {label: {list_join: [x, [{get_param: secret}, m]]}, size: 2}}
"""
TAKER = """\
heat_template_version: 2018-08-31
resources:
  own: {type: Studio::Test::Widget, properties: {label: o}}
  sub: {type: parts/child.yaml, properties: {label: z}}
"""


def pair(connection: Connection, folder: Path, name: str) -> tuple[StackSummary, StackSummary]:
    environment = "parameters: {secret: hush}"
    first = created(connection, f"{name}-from", written(folder / "from", MOVING, environment))
    return first, created(connection, f"{name}-to", written(folder / "to", TAKER))


@pytest.mark.loopback
def test_resource_moves_to_another_stack_without_a_change(demo: Connection, tmp_path: Path) -> None:
    stacks = pair(demo, tmp_path, "move")
    before = [dict(ids_of_resources(resources_of(demo, stack))) for stack in stacks]
    plan, folder = moved(demo, stacks, "mover", "taken"), tmp_path / "move-data"
    write_plan(plan, folder)
    assert read_plan(folder) == plan
    assert "hush" not in "".join(plan.changed_lines)
    take_out(demo, plan)
    assert stage_of(demo, plan) == (RenameStage.ABANDONED, (None, None))
    adopted = put_back(demo, plan, renamed=True)
    assert stage_of(demo, plan) == (RenameStage.RENAMED, adopted)
    after = [dict(ids_of_resources(resources_of(demo, stack))) for stack in adopted]
    identity = before[0].pop(("mover",))
    assert after == [before[0], {**before[1], ("taken",): identity}]
    for one, stack in zip(plan.stacks, adopted, strict=True):
        running = open_stack(demo, stack)
        assert differing_ids(one, running) == ()
        own = replace(running, template=template_text(mapping(one.renamed["template"])))
        changes = plan_update(running.source(), own.source(), KNOWLEDGE, running.resources).changes
        assert not any(change.has_effect for change in changes)
        actions = preview_update(demo, stack, None).actions  # which reports each nested stack as updated
        assert {name for name, action in actions.items() if action is not Action.UNCHANGED} <= {"sub"}
    restored = put_back(demo, plan, renamed=False)
    assert stage_of(demo, plan) == (RenameStage.BEFORE, restored)
    back = [dict(ids_of_resources(resources_of(demo, stack))) for stack in restored]
    assert back == [{**before[0], ("mover",): identity}, before[1]]


@pytest.mark.loopback
def test_stopped_move_continues_or_is_undone(demo: Connection, tmp_path: Path) -> None:
    """The move stops between the stacks, and Heat fails to adopt the second one."""
    stacks = pair(demo, tmp_path, "half")
    before = [ids_of_resources(resources_of(demo, stack)) for stack in stacks]
    plan = moved(demo, stacks, "mover", "mover")
    first, second = plan.stacks
    take_out(demo, replace(plan, stacks=(first,)))
    assert stage_of(demo, plan) == (RenameStage.ABANDONED, (None, stacks[1]))
    restored = put_back(demo, plan, renamed=False)
    assert stage_of(demo, plan) == (RenameStage.BEFORE, restored)
    assert restored[1] == stacks[1]  # it never left Heat
    plan = moved(demo, restored, "mover", "mover")
    first, second = plan.stacks
    broken = {**second.renamed, "resources": {**mapping(second.renamed["resources"]), "own": {}}}
    take_out(demo, replace(plan, stacks=(first,)))
    with pytest.raises(CloudError, match="Resource ID was not provided"):
        put_back(demo, replace(plan, stacks=(first, replace(second, renamed=broken))), renamed=True)
    assert stage_of(demo, plan)[0] is RenameStage.FAILED
    adopted = put_back(demo, plan, renamed=True)
    assert stage_of(demo, plan) == (RenameStage.RENAMED, adopted)
    restored = put_back(demo, plan, renamed=False)
    assert [ids_of_resources(resources_of(demo, stack)) for stack in restored] == before


@pytest.mark.loopback
def test_move_begins_only_if_both_stacks_are_as_planned(demo: Connection, tmp_path: Path) -> None:
    stacks = pair(demo, tmp_path, "both")
    plan = moved(demo, stacks, "mover", "mover")
    plan.stacks[1].data["tags"] = ["another"]
    with pytest.raises(CloudError, match="both-to was changed in the meantime"):
        take_out(demo, plan)
    assert stage_of(demo, plan) == (RenameStage.BEFORE, stacks)


def test_other_files_are_no_plan(tmp_path: Path) -> None:
    (tmp_path / "rename.plan").write_text('{"cloud": 1}', "utf-8")
    assert read_plan(tmp_path) is None
    assert read_plan(tmp_path / "missing") is None


def test_existing_folder_keeps_its_files(tmp_path: Path) -> None:
    plan = RenamePlan("heat-demo", "a", "b", (ChangedStack(StackSummary("s", "1", ""), {"a": 1}, {"b": 2}),))
    assert free_folder(tmp_path, "data") == tmp_path / "data"
    write_plan(plan, tmp_path / "data")
    assert json.loads((tmp_path / "data" / "s.json").read_text("utf-8")) == {"a": 1}
    assert (read_plan(tmp_path / "data"), free_folder(tmp_path, "data")) == (plan, tmp_path / "data-2")
    with pytest.raises(CloudError, match="File exists"):
        write_plan(replace(plan, new="c"), tmp_path / "data")
    assert read_plan(tmp_path / "data") == plan
