"""What an update does besides its changes, compared with a real Heat: hooks, unique names, kept resources."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from heatstudio.catalog.cloud.known_cloud import KnownCloud
from heatstudio.cloud.changes import create_stack, update_stack
from heatstudio.cloud.connection import Connection, connect
from heatstudio.cloud.read_catalog import read_catalog
from heatstudio.cloud.stacks import StackSummary
from heatstudio.cloud.submission import submission_of
from heatstudio.stack.definition.knowledge import Knowledge, load_knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.update.plan.update_plan import UpdatePlan, Verdict
from heatstudio.update.plan_update import plan_update
from tests.cloud.real_updates import PATIENCE, run_update, settled
from tests.load import load_source

pytestmark = pytest.mark.loopback
HEAD = "heat_template_version: 2021-04-16\n"
HOOKS = """\
resources:
  same: {type: OS::Heat::Value, properties: {value: 1}}
  string: {type: OS::Heat::RandomString, properties: {length: %(size)s}}
  widget: {type: Studio::Test::Widget, properties: {label: %(size)s}}
  free: {type: Studio::Test::Widget, properties: {label: %(size)s}}
  fresh_%(size)s: {type: OS::Heat::Value, properties: {value: 1}}
"""
ALL_HOOKS = ", ".join(f"{when}-{what}" for when in ("pre", "post") for what in ("create", "update", "delete"))
WAITING = f"""\
resource_registry:
  resources:
    same: {{hooks: [{ALL_HOOKS}]}}
    string: {{hooks: [{ALL_HOOKS}]}}
    widget: {{hooks: [{ALL_HOOKS}]}}
    "fresh_*": {{hooks: [{ALL_HOOKS}]}}
"""


@pytest.fixture
def admin(clouds: Path) -> Iterator[Connection]:
    connection = connect("heat-admin")
    yield connection
    connection.close()


@pytest.fixture
def knowledge(demo: Connection) -> Knowledge:
    return load_knowledge().with_cloud(KnownCloud(demo.name, read_catalog(demo, lambda _done, _total: None)))


def source(folder: Path, text: str, environment: str = "") -> Source:
    path = folder / "template.yaml"
    path.write_text(HEAD + text)
    if environment:
        (folder / "env.yaml").write_text(environment)
    return load_source(path, [folder / "env.yaml"] if environment else [])


def planned(before: Source, after: Source) -> UpdatePlan:
    return plan_update(before, after, load_knowledge())


def paused(connection: Connection, stack: StackSummary) -> set[tuple[str, str]]:
    """Return the resources and hooks at which Heat has waited."""
    data = connection.ask("GET", f"{stack.path}/events", query={"limit": "1000"})
    assert isinstance(data, dict)
    found = set()
    for event in data["events"]:
        _, is_paused, hook = event["resource_status_reason"].partition("paused until Hook ")
        if is_paused:
            found.add((event["resource_name"], hook.partition(" ")[0]))
    return found


def test_update_waits_at_the_hooks_of_the_preview(demo: Connection, knowledge: Knowledge, tmp_path: Path) -> None:
    before, after = source(tmp_path, HOOKS % {"size": 4}), source(tmp_path, HOOKS % {"size": 5}, WAITING)
    plan = plan_update(before, after, knowledge)
    expected = {(change.name, hook) for change in plan.changes for hook in change.hooks}
    stack = settled(demo, create_stack(demo, f"hooks-{uuid4().hex[:8]}", submission_of(before)), "CREATE")
    update_stack(demo, stack, submission_of(after), keep_values=False)
    cleared: set[tuple[str, str]] = set()
    until = time.monotonic() + PATIENCE
    while cleared != expected and time.monotonic() < until:
        for name, hook in paused(demo, stack) - cleared:
            demo.ask("POST", f"{stack.path}/resources/{name}/signal", {"unset_hook": hook})
            cleared.add((name, hook))
        time.sleep(0.1)
    assert settled(demo, stack, "UPDATE").status == "UPDATE_COMPLETE"
    assert paused(demo, stack) == expected
    assert {name for name, _ in expected} == {"same", "string", "widget"}
    demo.ask("DELETE", stack.path)


PROJECT = """\
resources:
  %s: {type: OS::Keystone::Project, deletion_policy: %s, properties: {name: %s, domain: default%s}}
  user: {type: OS::Heat::Value, properties: {value: {get_resource: %s}}}
"""
DELETED, KEPT, CHILD = "Delete", "Retain", ", parent: admin"


@pytest.mark.parametrize(
    ("old", "new", "status"),
    [
        (("a", DELETED, "", CHILD, "a"), ("a", DELETED, "", "", "a"), "UPDATE_FAILED"),
        (("a", DELETED, "", CHILD, "a"), ("a", DELETED, "2", "", "a"), "UPDATE_COMPLETE"),
        (("a", DELETED, "", "", "a"), ("b", DELETED, "", "", "b"), "UPDATE_FAILED"),
        (("a", KEPT, "", "", "user2"), ("b", DELETED, "", "", "user2"), "UPDATE_FAILED"),
        (("a", DELETED, "", "", "user2"), ("b", DELETED, "", "", "user2"), "UPDATE_COMPLETE"),
        (("a", DELETED, "", "", "a"), ("a", DELETED, "2", "", "a"), "UPDATE_COMPLETE"),
    ],
    ids=("replaced", "replaced with another name", "renamed and used", "kept", "renamed", "updated"),
)
def test_values_that_must_be_unique(
    admin: Connection, tmp_path: Path, old: tuple[str, ...], new: tuple[str, ...], status: str
) -> None:
    unique = f"p-{uuid4().hex[:8]}"
    other = "  user2: {type: OS::Heat::RandomString}\n"
    before, after = (
        source(tmp_path, PROJECT % (name, policy, f"{unique}{more}", parent, used) + other)
        for name, policy, more, parent, used in (old, new)
    )
    ran = run_update(admin, unique, before, after)
    assert ran.status == status, ran.reason
    assert (planned(before, after).verdict is Verdict.MAY_FAIL) is (status == "UPDATE_FAILED")


READS = """\
resources:
  text: {type: OS::Heat::Value, properties: {value: %s}}
  widget: {type: Studio::Test::Widget, properties: {label: %s}, metadata: {old: %s}}
  other: {type: OS::Heat::Value, properties: {value: %s}}
outputs: {out: {value: %s}}
"""
READ, REFERENCE = "{get_attr: [text, value]}", "{get_resource: text}"


@pytest.mark.parametrize(
    ("after", "status"),
    [
        (("a", REFERENCE, "b", "c", "d"), "UPDATE_FAILED"),
        (("a", REFERENCE, "b", "c", READ), "UPDATE_FAILED"),
        (("a", REFERENCE, "b", READ, "d"), "UPDATE_COMPLETE"),
        (("a", "no reference", "b", "c", "d"), "UPDATE_COMPLETE"),
        (("a", READ, "b", "c", "d"), "UPDATE_COMPLETE"),
    ],
    ids=("lost", "only in an output", "elsewhere", "not required", "in a property"),
)
def test_an_attribute_that_only_the_old_metadata_read(
    demo: Connection, knowledge: Knowledge, tmp_path: Path, after: tuple[str, ...], status: str
) -> None:
    old = source(tmp_path, READS % ("a", REFERENCE, READ, "c", "d"))
    new = source(tmp_path, READS % after)
    ran = run_update(demo, f"reads-{uuid4().hex[:8]}", old, new)
    assert ran.status == status, ran.reason
    verdict = Verdict.FAILS if status == "UPDATE_FAILED" else Verdict.RUNS
    assert plan_update(old, new, knowledge).verdict is verdict
