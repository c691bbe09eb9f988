"""The actions of the table on a real Heat, and the hooks at which it waits."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from heatstudio.cloud.changes import (
    ActionTarget,
    TargetKind,
    act_on_stack,
    choices_of,
    create_stack,
    stack_actions,
    waiting_hooks,
)
from heatstudio.cloud.cloud_error import CloudError
from heatstudio.cloud.connection import Connection
from heatstudio.cloud.events import StackEvent
from heatstudio.cloud.stacks import StackSummary, listed_resources
from heatstudio.cloud.submission import submission_of
from tests.cloud.stories import created, finished, last_event, written

HOOKED = """\
heat_template_version: 2021-04-16
resources:
  first: {type: Studio::Test::Widget}
  second: {type: Studio::Test::Widget}
  sub: {type: parts/child.yaml, properties: {label: x}}
"""
HOOKS = "resource_registry: {resources: {'*': {hooks: pre-create}, sub: {inner: {hooks: pre-create}}}}"


def choice(connection: Connection, stack: StackSummary, kind: TargetKind, label: str = "") -> ActionTarget:
    """Wait for a choice whose label starts with the text, and return it."""
    until = time.monotonic() + 30
    while time.monotonic() < until:
        for found in choices_of(connection, stack, kind):
            if found.label.startswith(label):
                return found
        time.sleep(0.1)
    raise AssertionError(f"no {kind} {label}")


def act(
    connection: Connection, stack: StackSummary, name: str, chosen: ActionTarget | None = None, text: str = ""
) -> str:
    """Perform an action, and return the status of the stack at its end."""
    since = last_event(connection, stack)
    act_on_stack(connection, stack, stack_actions()[name], chosen, text)
    return finished(connection, stack, since)[0].status


@pytest.mark.loopback
def test_snapshot_is_made_listed_restored_and_deleted(demo: Connection, tmp_path: Path) -> None:
    stack = created(demo, "snapshots", written(tmp_path))
    assert choices_of(demo, stack, TargetKind.SNAPSHOT) == ()
    assert act(demo, stack, "snapshot", text="before") == "SNAPSHOT_COMPLETE"
    made = choice(demo, stack, TargetKind.SNAPSHOT, "before, 20")
    assert act(demo, stack, "restore", made) == "RESTORE_COMPLETE"
    act_on_stack(demo, stack, stack_actions()["delete-snapshot"], made)
    until = time.monotonic() + 30
    while choices_of(demo, stack, TargetKind.SNAPSHOT) and time.monotonic() < until:
        time.sleep(0.1)
    assert choices_of(demo, stack, TargetKind.SNAPSHOT) == ()


@pytest.mark.loopback
def test_resources_are_marked_and_signaled(demo: Connection, tmp_path: Path) -> None:
    template = f"{HOOKED}  handle: {{type: OS::Heat::WaitConditionHandle}}\n"
    stack = created(demo, "marked", written(tmp_path, template))

    def statuses() -> dict[object, object]:
        return {one["resource_name"]: one["resource_status"] for one in listed_resources(demo, stack)}

    inner = choice(demo, stack, TargetKind.RESOURCE, "inner in marked-sub-")
    act_on_stack(demo, stack, stack_actions()["mark-unhealthy"], inner, "it is too old")
    assert statuses()["inner"] == "CHECK_FAILED"
    act_on_stack(demo, stack, stack_actions()["mark-healthy"], inner)
    assert statuses()["inner"] == "CHECK_COMPLETE"
    signal = stack_actions()["signal"]
    act_on_stack(demo, stack, signal, choice(demo, stack, TargetKind.RESOURCE, "handle"), '{"id": "1"}')
    with pytest.raises(CloudError, match="signal is not supported"):
        act_on_stack(demo, stack, signal, inner)


@pytest.mark.loopback
def test_hooks_are_cleared_one_by_one_or_all(demo: Connection, tmp_path: Path) -> None:
    source = written(tmp_path, HOOKED, HOOKS)
    stack = create_stack(demo, "hooked", submission_of(source))
    clear = stack_actions()["clear-hooks"]
    act_on_stack(demo, stack, clear, choice(demo, stack, TargetKind.HOOK, "All 3 hooks"))
    act_on_stack(demo, stack, clear, choice(demo, stack, TargetKind.HOOK, "inner in hooked-sub-"))
    assert finished(demo, stack)[0].status == "CREATE_COMPLETE"
    assert choices_of(demo, stack, TargetKind.HOOK) == ()


@pytest.mark.loopback
def test_actions_on_other_statuses_are_refused_with_the_reason(demo: Connection, tmp_path: Path) -> None:
    stack = created(demo, "statuses", written(tmp_path, HOOKED))
    refused = {name for name, action in stack_actions().items() if action.refusal(stack.status)}
    assert refused == {"resume", "cancel-update", "cancel-without-rollback", "clear-hooks"}
    assert act(demo, stack, "suspend") == "SUSPEND_COMPLETE"
    assert stack_actions()["suspend"].refusal("SUSPEND_COMPLETE")
    assert act(demo, stack, "resume") == "RESUME_COMPLETE"


def test_cleared_hook_does_not_wait() -> None:
    stack = StackSummary("web", "1", "CREATE_IN_PROGRESS")
    link = {"rel": "stack", "href": "http://heat/v1/p/stacks/web/1"}
    resources = [{"resource_name": name, "links": [link]} for name in ("a", "b")]
    events = [
        StackEvent("1", "", "a", "INIT_COMPLETE", "CREATE paused until Hook pre-create is cleared"),
        StackEvent("2", "", "b", "INIT_COMPLETE", "CREATE paused until Hook pre-create is cleared"),
        StackEvent("3", "", "a", "INIT_COMPLETE", "Hook pre-create is cleared"),
    ]
    assert [one.label for one in waiting_hooks(stack, resources, events)] == ["b: pre-create"]
