"""A rename of resources on a real Heat that keeps every physical ID, also after a stop in the middle."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from heatstudio.analysis.changes.renamed_stack import renamed_data
from heatstudio.catalog.facts import mapping
from heatstudio.cloud.adoption import adoption_refusal, export_stack, ids_of_resources, try_adoption, wait_for
from heatstudio.cloud.cloud_error import CloudError
from heatstudio.cloud.connection import Connection
from heatstudio.cloud.stack_rename import (
    RenamePlan,
    RenameStage,
    differing_ids,
    free_file,
    plan_file,
    put_back,
    read_plan,
    stage_of,
    take_out,
    write_plan,
)
from heatstudio.cloud.stacks import StackSummary, open_stack, resources_of
from heatstudio.stack.definition.knowledge import load_knowledge
from heatstudio.template import template_text
from heatstudio.update.plan_update import plan_update
from tests.cloud.stories import TEMPLATE, created, written
from tests.cloud.test_adoption import GROUP, nested_in

KNOWLEDGE = load_knowledge()


def planned(connection: Connection, stack: StackSummary, old: str, new: str) -> RenamePlan:
    data = dict(export_stack(connection, stack))
    renamed, reason = renamed_data(data, old, new, KNOWLEDGE)
    assert (reason, adoption_refusal(data)) == ("", "")
    try_adoption(connection, renamed)
    return RenamePlan("heat-demo", stack, old, new, data, dict(renamed))


@pytest.mark.loopback
def test_resource_group_and_nested_stack_are_renamed_without_a_change(demo: Connection, tmp_path: Path) -> None:
    stack = created(demo, "renamed", written(tmp_path, TEMPLATE + GROUP))
    before = ids_of_resources(resources_of(demo, stack))
    for old, new in (("base", "first"), ("sub", "nested"), ("group", "members")):
        plan, file = planned(demo, stack, old, new), free_file(tmp_path, "data")
        write_plan(plan, file)
        assert read_plan(plan_file(file)) == plan
        assert stage_of(demo, plan)[0] is RenameStage.BEFORE
        take_out(demo, plan)
        assert stage_of(demo, plan) == (RenameStage.ABANDONED, None)
        stack = put_back(demo, plan, renamed=True)
        assert stage_of(demo, plan)[0] is RenameStage.RENAMED
    after = ids_of_resources(resources_of(demo, stack))
    names = {"base": "first", "sub": "nested", "group": "members"}
    assert after == {(names.get(owner, owner), *rest): identity for (owner, *rest), identity in before.items()}
    running = open_stack(demo, stack)
    assert differing_ids(plan, running) == ()
    assert differing_ids(replace(plan, renamed=plan.data), running) != ()
    after_rename = replace(running, template=template_text(mapping(plan.renamed["template"])))
    changes = plan_update(running.source(), after_rename.source(), KNOWLEDGE, running.resources).changes
    assert not any(change.has_effect for change in changes)
    assert len(nested_in(demo, "renamed")) == 5  # the stack, its nested stack, the group and its two members


@pytest.mark.loopback
def test_stopped_rename_continues_or_is_undone(demo: Connection, tmp_path: Path) -> None:
    """The process ends between the steps, and another one reads the plan."""
    stack, file = created(demo, "stopped", written(tmp_path)), tmp_path / "data.json"
    before = ids_of_resources(resources_of(demo, stack))
    write_plan(planned(demo, stack, "base", "first"), file)
    plan = read_plan(plan_file(file))
    assert plan is not None
    # abandoned, but the nested stacks are still there
    demo.ask("DELETE", f"{stack.path}/abandon")
    assert len(nested_in(demo, "stopped")) >= 1
    wait_for(demo, stack.id)
    renamed = put_back(demo, plan, renamed=True)
    assert stage_of(demo, plan) == (RenameStage.RENAMED, renamed)
    restored = put_back(demo, plan, renamed=False)
    assert stage_of(demo, plan) == (RenameStage.BEFORE, restored)
    assert ids_of_resources(resources_of(demo, restored)) == before
    assert len(nested_in(demo, "stopped")) == 2


@pytest.mark.loopback
def test_failed_adoption_keeps_the_resources(demo: Connection, tmp_path: Path) -> None:
    stack = created(demo, "refused", written(tmp_path))
    plan = planned(demo, stack, "base", "first")
    broken = {**plan.renamed, "resources": {**mapping(plan.renamed["resources"]), "lonely": {}}}
    take_out(demo, plan)
    failing = RenamePlan(plan.cloud, stack, plan.old, plan.new, plan.data, broken)
    with pytest.raises(CloudError, match="Resource ID was not provided"):
        put_back(demo, failing, renamed=True)
    assert stage_of(demo, plan)[0] is RenameStage.FAILED
    restored = put_back(demo, plan, renamed=False)
    assert stage_of(demo, plan) == (RenameStage.BEFORE, restored)


@pytest.mark.loopback
def test_another_stack_of_the_same_name_is_not_abandoned(demo: Connection, tmp_path: Path) -> None:
    stack = created(demo, "taken", written(tmp_path))
    plan = planned(demo, stack, "base", "first")
    take_out(demo, plan)
    other = created(demo, "taken", written(tmp_path, TEMPLATE.replace("base", "first")))
    with pytest.raises(CloudError, match="Another stack has the name taken"):
        put_back(demo, plan, renamed=False)
    assert stage_of(demo, plan)[1] == other


@pytest.mark.loopback
def test_stack_that_has_changed_is_not_abandoned(demo: Connection, tmp_path: Path) -> None:
    stack = created(demo, "changed", written(tmp_path))
    plan = planned(demo, stack, "base", "first")
    plan.data["tags"] = ["another"]
    with pytest.raises(CloudError, match="was changed in the meantime"):
        take_out(demo, plan)
    assert stage_of(demo, plan)[0] is RenameStage.BEFORE
    with pytest.raises(CloudError, match="still in Heat as it was"):
        put_back(demo, plan, renamed=True)


def test_other_files_are_no_plan(tmp_path: Path) -> None:
    (tmp_path / "x.rename.json").write_text('{"cloud": 1}', "utf-8")
    assert read_plan(tmp_path / "x.rename.json") is None
    assert read_plan(tmp_path / "missing") is None
