"""Workflows with a real Heat and a real Keystone."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from heatstudio.catalog.cloud.known_cloud import CloudCatalog, KnownCloud, load_name_kinds, only_there
from heatstudio.catalog.facts import items, mapping
from heatstudio.catalog.load import load_catalog
from heatstudio.cloud.changes import StackOptions, act_on_stack, create_stack, stack_actions, state_of, update_stack
from heatstudio.cloud.cloud_error import CloudError, CloudErrorKind
from heatstudio.cloud.clouds import find_clouds
from heatstudio.cloud.connection import Connection, connect
from heatstudio.cloud.events import end_of, read_stack_page
from heatstudio.cloud.export import write_stack
from heatstudio.cloud.failure import failures
from heatstudio.cloud.heat_verdict import compare, preview_update, validate
from heatstudio.cloud.read_catalog import CatalogCache, read_catalog
from heatstudio.cloud.read_services import read_names
from heatstudio.cloud.stacks import find_stack, list_stacks, open_stack
from heatstudio.cloud.submission import submission_of
from heatstudio.stack.definition.knowledge import Knowledge, load_knowledge
from heatstudio.stack.definition.secrets import MASK
from heatstudio.stack.definition.source import Source
from heatstudio.template import parse_template
from heatstudio.update.drift import Drift, find_drift
from heatstudio.update.plan.update_plan import Action
from heatstudio.update.plan_update import plan_update
from heatstudio.update.running_stack import RunningStack
from tests.cloud.find_stack import found_stack
from tests.cloud.stories import TEMPLATE, bare, created, finished, last_event, of, written
from tests.load import load_source

pytestmark = pytest.mark.loopback
ONE = "heat_template_version: 2021-04-16\nresources: {one: {type: OS::Heat::Value, properties: {value: 1}}}\n"


@pytest.fixture
def guest(clouds: Path) -> Iterator[Connection]:
    connection = connect("heat-guest")
    yield connection
    connection.close()


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return load_knowledge()


@pytest.fixture(scope="module")
def kept() -> list[CloudCatalog]:
    """Return a list for the catalog of the cloud, which the first test that needs it reads."""
    return []


@pytest.fixture
def known(demo: Connection, knowledge: Knowledge, kept: list[CloudCatalog]) -> Knowledge:
    """Return the knowledge of Heat with the types that only this cloud has."""
    if not kept:
        kept.append(read_catalog(demo, lambda _done, _total: None))
    return knowledge.with_cloud(KnownCloud(demo.name, kept[0]))


def actions(running: RunningStack, new: Source, known: Knowledge) -> dict[str, Action]:
    plan = plan_update(running.source(), new, known, running.resources)
    return {change.name: change.action for change in plan.changes}


def test_clouds_are_those_of_the_configuration(clouds: Path) -> None:
    found = find_clouds()
    assert {"heat-admin", "heat-demo", "heat-guest"} <= set(found.names)
    origin = found.origins["heat-demo"]
    assert origin.startswith("project demo, region RegionOne, http://")
    assert origin.endswith(f"/v3, from {clouds}")


def test_wrong_password_is_reported_without_the_password(clouds: Path, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(CloudError) as caught:
        connect("heat-wrong-password")
    assert caught.value.trouble is CloudErrorKind.LOGIN_REFUSED
    assert "clouds.yaml" in caught.value.message
    assert not caplog.records


def test_stack_is_created_listed_and_followed_until_it_is_complete(demo: Connection, tmp_path: Path) -> None:
    source = written(tmp_path, environment="parameters: {label: given}\n")
    stack, progress = finished(demo, create_stack(demo, "followed", submission_of(source)))
    assert stack.status == "CREATE_COMPLETE"
    assert progress.finished == {"base", "dependent", "reader", "sub", "lonely"}
    assert not progress.failed
    assert "followed" in {one.name for one in list_stacks(demo)}


def test_opened_stack_equals_the_submission_and_secrets_stay_masked(demo: Connection, tmp_path: Path) -> None:
    source = written(tmp_path, environment="parameters: {secret: shh, label: given}\n")
    running = open_stack(demo, created(demo, "opened", source))
    assert running.source().template.data == source.template.data
    assert running.parameters["label"] == "given"
    assert running.parameters["secret"] == MASK
    assert "shh" not in repr(running)
    base, sub = running.resources["base"], running.resources["sub"]
    assert base.physical_id
    assert base.attributes["value"] == '{"label": "given", "size": 1, "zone": "z1"}'
    assert set(sub.members) == {"inner"}


def test_exported_stack_is_opened_and_created_again(demo: Connection, tmp_path: Path) -> None:
    environment = "parameters: {label: given, secret: shh}\n"
    running = open_stack(demo, created(demo, "exported", written(tmp_path, environment=environment)))
    folder = tmp_path / "exported"
    assert write_stack(running, folder) == ("secret",)
    again = load_source(folder / "template.yaml", [folder / "environment.yaml"])
    copy = open_stack(demo, created(demo, "created-again", again))
    assert copy.source().template.data == running.source().template.data
    assert copy.parameters["label"] == "given"
    assert set(copy.resources["sub"].members) == {"inner"}


def test_stack_page_has_outputs_resources_and_events(demo: Connection, tmp_path: Path) -> None:
    stack = created(demo, "paged", written(tmp_path, f"{TEMPLATE}outputs: {{told: {{value: {{get_param: label}}}}}}\n"))
    page = read_stack_page(demo, stack)
    assert page.stack["stack_status"] == "CREATE_COMPLETE"
    assert [(mapping(one)["output_key"], mapping(one)["output_value"]) for one in items(page.stack, "outputs")] == [
        ("told", "first")
    ]
    listed = {one["resource_name"]: one["physical_resource_id"] for one in page.resources}
    assert listed.keys() == {"base", "dependent", "reader", "sub", "lonely", "inner"}
    assert all(listed.values())
    assert page.events[-1].about_stack
    assert page.events[-1].status == "CREATE_COMPLETE"


def test_drift_is_found_after_a_check(demo: Connection, known: Knowledge) -> None:
    text = ONE.replace("OS::Heat::Value, properties: {value: 1}", "Studio::Test::Drifted, properties: {label: here}")
    stack = created(demo, "drifted", Source(parse_template(text)))
    since = last_event(demo, stack)
    after, _ = finished(demo, act_on_stack(demo, stack, stack_actions()["check"]), since)
    assert after.status == "CHECK_COMPLETE"
    assert find_drift(open_stack(demo, after), known) == (Drift("one", "label", "here", "elsewhere"),)


def test_update_preview_of_a_running_stack_is_exact(demo: Connection, tmp_path: Path, known: Knowledge) -> None:
    source = written(tmp_path)
    running = open_stack(demo, created(demo, "exact", source))
    unchanged = {"base", "dependent", "reader", "lonely"}
    same = actions(running, source, known)
    assert {name for name, action in same.items() if action is Action.UNCHANGED} == unchanged
    assert same["sub"] is Action.UPDATED  # Heat always updates nested stacks
    replaced = actions(running, written(tmp_path, TEMPLATE.replace("size: 1", "size: 2")), known)
    assert (replaced["base"], replaced["dependent"]) == (Action.REPLACED, Action.REPLACED)
    refused = actions(running, written(tmp_path, TEMPLATE.replace("zone: z1", "zone: z2")), known)
    assert refused["base"] is Action.NOT_SUPPORTED


def test_preview_matches_heats_real_update(demo: Connection, tmp_path: Path, known: Knowledge) -> None:
    stack = created(demo, "really", written(tmp_path))
    running = open_stack(demo, stack)
    new = written(tmp_path, TEMPLATE.replace("size: 1", "size: 2").replace("default: first", "default: second"))
    ours = actions(running, new, known)
    since = last_event(demo, stack)
    after, _ = finished(demo, update_stack(demo, stack, submission_of(new)), since)
    assert after.status == "UPDATE_COMPLETE"
    now = open_stack(demo, after).resources
    for name in ("base", "dependent", "lonely", "sub"):
        was_replaced = now[name].physical_id != running.resources[name].physical_id
        assert was_replaced is (ours[name] is Action.REPLACED), name


def test_false_alarms_of_heats_dry_run_are_subtracted(demo: Connection, tmp_path: Path, known: Knowledge) -> None:
    stack = created(demo, "alarms", written(tmp_path))
    running = open_stack(demo, stack)
    new = written(tmp_path, TEMPLATE.replace("length: 8", "length: 9"))
    theirs = preview_update(demo, stack, submission_of(new))
    baseline = preview_update(demo, stack, None)
    plan = plan_update(running.source(), new, known, running.resources)
    rows = {
        row.resource: row
        for row in compare({c.name: (c.action, bool(c.because)) for c in plan.changes}, theirs, baseline)
    }
    assert rows["lonely"].agrees
    assert rows["dependent"].theirs is Action.REPLACED
    assert rows["dependent"].ours is Action.UNCHANGED
    assert "False alarm" in rows["dependent"].explanation
    assert found_stack(demo, stack.id).updated == stack.updated  # the dry run changes nothing


def test_rejected_update_is_reported_with_its_position(demo: Connection, tmp_path: Path) -> None:
    stack = created(demo, "refused", written(tmp_path))
    new = submission_of(written(tmp_path, TEMPLATE.replace("zone: z1", "zone: z2")))
    refusal = preview_update(demo, stack, new).refusal
    assert refusal.path == ("resources", "base")
    frozen = replace(submission_of(written(tmp_path)), parameters={"frozen": "fire"})
    assert "immutable" in preview_update(demo, stack, frozen).refusal.message


@pytest.mark.parametrize(
    ("old", "new", "path"),
    [
        ("zone: z1", "nonsense: 1", ("resources", "base", "properties")),
        ("{get_resource: base}", "{get_resource: nobody}", ("resources", "dependent")),
        ("size: 1", "size: 1000", ("resources", "base", "properties", "size")),
        ("type: OS::Heat::RandomString", "type: No::Such::Type", ()),
    ],
)
def test_message_of_validation_is_located(demo: Connection, tmp_path: Path, old: str, new: str, path: object) -> None:
    opinion = validate(demo, submission_of(written(tmp_path, TEMPLATE.replace(old, new))))
    assert not opinion.accepts
    assert opinion.path == path


def test_heats_validation_accepts_a_valid_template(demo: Connection, tmp_path: Path) -> None:
    assert validate(demo, submission_of(written(tmp_path))).accepts


def test_update_keeps_values_of_the_stack_without_a_new_value(demo: Connection, tmp_path: Path) -> None:
    source = written(tmp_path, environment="parameters: {label: given, secret: shh}\n")
    stack = created(demo, "kept", source)
    since = last_event(demo, stack)
    after, _ = finished(demo, update_stack(demo, stack, submission_of(written(tmp_path))), since)
    assert open_stack(demo, after).parameters["label"] == "given"
    since = last_event(demo, stack)
    without = update_stack(demo, stack, submission_of(written(tmp_path)), keep_values=False)
    after, _ = finished(demo, without, since)
    assert open_stack(demo, after).parameters["label"] == "first"


def test_failure_names_the_resource(demo: Connection) -> None:
    text = "heat_template_version: 2021-04-16\nresources: {bad: {type: Studio::Test::Fail}}\n"
    stack, progress = finished(demo, create_stack(demo, "failing", bare(text)))
    assert stack.status == "CREATE_FAILED"
    assert of(progress.failed) == {("bad", "CREATE_FAILED")}
    assert "always fails" in progress.failed[0].reason


def test_failure_inside_a_nested_stack_names_its_owner(demo: Connection, tmp_path: Path) -> None:
    source = written(tmp_path)
    child = tmp_path / "parts" / "child.yaml"
    child.write_text(child.read_text("utf-8").replace("Studio::Test::Widget", "Studio::Test::Fail"), "utf-8")
    stack, progress = finished(demo, create_stack(demo, "failing-inside", submission_of(source)))
    assert stack.status == "CREATE_FAILED"
    assert ("inner", "CREATE_FAILED") in of(progress.failed)
    assert ("sub", "CREATE_FAILED") in of(progress.failed)
    (cause,) = failures(read_stack_page(demo, stack).resources)
    assert (cause.place, cause.top, cause.type) == ("sub / inner", "sub", "Studio::Test::Fail")
    assert "always fails" in cause.reason
    inner = next(event for event in progress.failed if event.resource == "inner")
    assert inner.owners[0].startswith("failing-inside-sub-")


def test_existing_stack_name_is_reported(demo: Connection, tmp_path: Path) -> None:
    source = written(tmp_path)
    created(demo, "taken", source)
    with pytest.raises(CloudError, match="already exists") as caught:
        create_stack(demo, "taken", submission_of(source))
    assert caught.value.trouble is CloudErrorKind.CONFLICT


def test_missing_stack_is_reported(demo: Connection) -> None:
    assert find_stack(demo, "nobody") is None


def test_deleted_stack_is_not_read_as_an_empty_template(demo: Connection, tmp_path: Path) -> None:
    stack = created(demo, "deleted", written(tmp_path))
    act_on_stack(demo, stack, stack_actions()["delete"])
    while end_of(demo, stack) is None:
        time.sleep(0.05)
    with pytest.raises(CloudError, match="was deleted") as caught:
        open_stack(demo, stack)
    assert caught.value.trouble is CloudErrorKind.NOT_FOUND


@pytest.mark.parametrize(("action", "status"), [("check", "CHECK_COMPLETE"), ("suspend", "SUSPEND_COMPLETE")])
def test_action_ends_with_its_status(demo: Connection, action: str, status: str) -> None:
    stack = created(demo, f"acted-{action}", Source(parse_template(ONE)))
    since = last_event(demo, stack)
    after, progress = finished(demo, act_on_stack(demo, stack, stack_actions()[action]), since)
    assert after.status == status
    assert progress.ended is not None
    assert progress.ended.status == status


@pytest.mark.parametrize(
    ("action", "status"), [("cancel-update", "ROLLBACK_COMPLETE"), ("cancel-without-rollback", "UPDATE_FAILED")]
)
def test_update_can_be_canceled(demo: Connection, action: str, status: str) -> None:
    text = "heat_template_version: 2021-04-16\nresources: {%s: {type: Studio::Test::Slow, properties: {seconds: %s}}}\n"
    stack = created(demo, f"canceled-{action}".replace("_", "-"), Source(parse_template(text % ("a", 0))))
    update_stack(demo, stack, bare(text % ("b", 30)))
    while found_stack(demo, stack.id).status != "UPDATE_IN_PROGRESS":
        time.sleep(0.05)
    act_on_stack(demo, stack, stack_actions()[action])
    while found_stack(demo, stack.id).status.endswith("IN_PROGRESS"):
        time.sleep(0.05)
    assert found_stack(demo, stack.id).status == status


def test_stack_options_are_applied(demo: Connection) -> None:
    options = StackOptions(rolls_back=True, timeout=7, tags=("a", "b"))
    stack, _ = finished(demo, create_stack(demo, "optional", bare(ONE), options))
    assert state_of(demo, stack).options == options
    since = last_event(demo, stack)
    changed = StackOptions(rolls_back=False, timeout=9, tags=("c",), converges=True)
    after, _ = finished(demo, update_stack(demo, stack, bare(ONE), changed), since)
    assert state_of(demo, after).options == replace(changed, converges=False)


def test_two_users_do_not_see_each_others_stacks(demo: Connection, guest: Connection, tmp_path: Path) -> None:
    created(demo, "of-demo", written(tmp_path))
    created(guest, "of-guest", written(tmp_path))
    assert {"of-demo", "of-guest"} & {stack.name for stack in list_stacks(demo)} == {"of-demo"}
    assert {"of-demo", "of-guest"} & {stack.name for stack in list_stacks(guest)} == {"of-guest"}


def test_cloud_catalog_overrides_the_bundled_one(demo: Connection, knowledge: Knowledge, tmp_path: Path) -> None:
    steps: list[tuple[int, int]] = []
    catalog = read_catalog(demo, lambda done, total: steps.append((done, total)))
    bundled = load_catalog()
    assert only_there(catalog, bundled) == (
        "Studio::Test::Deprecated",
        "Studio::Test::Drifted",
        "Studio::Test::Fail",
        "Studio::Test::Slow",
        "Studio::Test::Widget",
    )
    port, hidden, absent = (
        bundled.get(n) for n in ("OS::Neutron::Port", "OS::Heat::HARestarter", "OS::Trove::Instance")
    )
    assert port is not None
    assert hidden is not None
    assert absent is not None
    assert catalog.has_type(port)
    assert catalog.has_type(hidden)  # Heat does not list hidden types, but has them
    assert not catalog.has_type(absent)
    assert not any(catalog.lacks_property(port, name) for name in port.properties)
    assert catalog.newest_hot == "2021-04-16"
    known = knowledge.with_cloud(KnownCloud("heat-demo", catalog))
    widget = known.catalog.get("Studio::Test::Widget")
    assert widget is not None
    assert widget.properties["zone"].immutable
    assert steps == [(done, len(steps)) for done in range(len(steps))]
    cache = CatalogCache(tmp_path / "kept")
    assert cache.get("heat-demo") is None
    cache.put(catalog)
    again = cache.get("heat-demo")
    assert again is not None
    assert (again.types, again.versions) == (catalog.types, catalog.versions)


def test_names_are_read_if_the_user_may_see_them(clouds: Path) -> None:
    connection = connect("heat-admin")
    names = read_names(connection, load_name_kinds(), lambda _done, _total: None)
    connection.close()
    assert {"admin", "demo"} <= set(names.names("keystone.project"))
    assert names.find("keystone", "get_project_id", None, "demo") is not None
    assert names.lacks("keystone.project", "nobody")
    assert not names.lacks("designate.zone", "nowhere.example.")  # this cloud has no such service


def test_tags_are_kept_after_an_update(demo: Connection, tmp_path: Path) -> None:
    sent = submission_of(written(tmp_path)).body(stack_name="tagged", tags="prod,web")
    demo.ask("POST", "/stacks", sent)
    stack, _ = finished(demo, found_stack(demo, "tagged"))
    since = last_event(demo, stack)
    new = submission_of(written(tmp_path, TEMPLATE.replace("length: 8", "length: 9")))
    after, _ = finished(demo, update_stack(demo, stack, new, keep_values=False), since)
    assert after.status == "UPDATE_COMPLETE"
    shown = demo.facts(after.path, "stack")["stack"]
    assert isinstance(shown, dict)
    assert shown["tags"] == ["prod", "web"]
