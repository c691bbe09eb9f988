"""The real engine with the sample template of the first start, and with files and running stacks."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from heatstudio.service.engine import Engine
from heatstudio.service.inputs.snapshot import Snapshot
from heatstudio.template import CannotEditError
from heatstudio.text import Severity, apply_edits
from heatstudio.text.snippet import parse_snippet
from heatstudio.ui.documents.document import Document, running
from heatstudio.ui.window.window import Window
from heatstudio.update.running_stack import RunningResource, RunningStack
from tests.ui.bench import bench


def test_sample_has_typical_problems(heat: Engine, sample: str) -> None:
    analysis = heat.analyze(Snapshot(sample), None)
    errors = [found.resource for found in analysis.diagnostics if found.severity is Severity.ERROR]
    warnings = {found.property for found in analysis.diagnostics if found.severity is Severity.WARNING}
    assert errors == ["volume"]
    assert {"network_id", "router_id", "subnet_id"} <= warnings


def test_all_safe_fixes_change_no_property_of_the_stack(heat: Engine, sample: str) -> None:
    migration = heat.fix_all(heat.analyze(Snapshot(sample), None))
    assert migration.steps
    assert all(step.place[0] == "resources" for step in migration.steps)
    fixed = migration.template.text
    assert "network_id:" not in fixed
    plan = heat.plan_update(Snapshot(sample), heat.analyze(Snapshot(fixed), None))
    assert {str(change.action) for change in plan.changes} <= {"unchanged", "updated"}
    updated = [change for change in plan.changes if str(change.action) == "updated"]
    assert all(any("stay the same" in note for note in change.notes) for change in updated)


@pytest.mark.parametrize("type_name", ["OS::Neutron::RouterInterface", "OS::Nova::Server", "OS::Heat::RandomString"])
def test_inserted_resource_has_its_required_properties(heat: Engine, sample: str, type_name: str) -> None:
    analysis = heat.analyze(Snapshot(sample), None)
    edit = heat.insertion(analysis, type_name, sample.index("  router:") + 4)
    assert edit
    text = apply_edits(sample, [edit._replace(text=parse_snippet(edit.text).text)])
    after = heat.analyze(Snapshot(text), None)
    new = [name for name in after.template.entries("resources") if name not in analysis.template.entries("resources")]
    assert len(new) == 1
    assert type_name in text
    assert not [found for found in after.diagnostics if found.resource == new[0] and found.severity is Severity.ERROR]


def test_unknown_type_is_not_inserted(heat: Engine, sample: str) -> None:
    with pytest.raises(CannotEditError):
        heat.insertion(heat.analyze(Snapshot(sample), None), "OS::Nova::NoSuch", 0)


@pytest.mark.parametrize(
    "text", ["", "a: [", "\t", "heat_template_version: 2021-04-16\nresources:\n", "[1, 2]", "\x00"]
)
def test_any_text_can_be_analyzed(heat: Engine, sample: str, text: str) -> None:
    analysis = heat.analyze(Snapshot(text), None)
    assert heat.plan_update(Snapshot(sample), analysis).changes is not None
    assert heat.plan_update(Snapshot(text), heat.analyze(Snapshot(sample), analysis)).changes is not None
    with suppress(CannotEditError):
        heat.insertion(analysis, "OS::Nova::Server", 0)
    heat.fix_all(analysis)


def test_window_previews_a_real_change(qtbot: QtBot, real: Window, file: Path) -> None:
    session = real.session
    with qtbot.waitSignal(session.plan_changed):
        real.files.open([str(file)])
    document = session.current
    assert document
    with qtbot.waitSignal(session.plan_changed):
        document.change(document.text.replace("10.10.0.0/24", "10.20.0.0/24"))
    spoken = Qt.ItemDataRole.AccessibleTextRole
    rows = [str(index.data(spoken)) for index in bench(real).preview.model.indexes()]
    assert any(row.startswith("cidr: ") and "10.20.0.0/24" in row for row in rows), rows


PARENT = """heat_template_version: 2021-04-16
parameters:
  size: {type: number}
resources:
  child:
    type: child.yaml
    properties: {size: {get_param: size}}
"""
CHILD = """heat_template_version: 2021-04-16
parameters:
  size: {type: number}
resources:
  text:
    type: OS::Heat::RandomString
    properties: {length: {get_param: size}}
"""


def test_analysis_uses_files_and_environments(heat: Engine, tmp_path: Path) -> None:
    path, environment = tmp_path / "parent.yaml", tmp_path / "env.yaml"
    alone = heat.analyze(Snapshot(PARENT, path), None)
    assert any("child.yaml" in found.message for found in alone.diagnostics)
    (tmp_path / "child.yaml").write_text(CHILD)
    environment.write_text("parameters: {size: 9}\n")
    whole = Snapshot(PARENT, path, (environment,))
    assert heat.complaints(whole) == ()
    assert not heat.analyze(whole, alone).diagnostics
    environment.write_text("parameters: [\n")
    assert "env.yaml" in heat.complaints(whole)[0]


def test_unsaved_change_of_a_nested_template_is_used(heat: Engine, tmp_path: Path) -> None:
    path, child = tmp_path / "parent.yaml", tmp_path / "child.yaml"
    child.write_text(CHILD)
    text = PARENT.replace("{get_param: size}", "3")
    new = Snapshot(text, path, open_texts={child: CHILD.replace("{get_param: size}", "12")})
    plan = heat.plan_update(Snapshot(text, path), heat.analyze(new, None))
    change = plan.get("child")
    assert change
    assert [(member.name, str(member.action)) for member in change.members] == [("text", "replaced")]


def test_change_is_reverted_without_the_window(heat: Engine, sample: str) -> None:
    old = Snapshot(sample)
    analysis = heat.analyze(Snapshot(sample.replace("10.10.0.0/24", "10.20.0.0/24")), None)
    change = next(one for one in heat.plan_update(old, analysis).changes if one.name == "subnet")
    fix = heat.revert(analysis, old, change, change.causes[0])
    assert apply_edits(analysis.template.text, fix.edits) == sample


def test_running_stack_is_a_baseline_with_its_own_inputs(heat: Engine) -> None:
    text = """heat_template_version: 2021-04-16
parameters: {owner: {type: string}}
resources:
  net: {type: OS::Neutron::Net, properties: {tenant_id: {get_param: owner}}}
  port: {type: OS::Neutron::Port, properties: {network: %s}}
"""
    net = RunningResource("net", "id-1")
    stack = RunningStack(text % "{get_resource: net}", "web", parameters={"owner": "a"}, resources={"net": net})
    document = Document("new.yaml")
    document.baseline = running(stack)
    assert document.baseline.label == "stack web"
    analysis = heat.analyze(Snapshot(text % "id-1")._replace(parameter_values={"owner": "a"}), None)
    plan = heat.plan_update(document.old_snapshot(None), analysis)
    assert [str(change.action) for change in plan.changes] == ["unchanged", "unchanged"]


def test_errors_of_the_new_text_reject_the_update(heat: Engine) -> None:
    text = "heat_template_version: 2021-04-16\nresources:\n  a: {type: OS::Heat::Value, properties: {%s: 1}}\n"
    plan = heat.plan_update(Snapshot(text % "value"), heat.analyze(Snapshot(text % "valeu"), None))
    assert [(one.line, one.span is not None) for one in plan.refusals] == [(3, True)]
    assert str(plan.refusals[0]).startswith("Line 3: Unknown property `valeu`.")
    assert plan.accepted_changes == ()


def test_invalid_value_of_the_stack_rejects_the_update(heat: Engine) -> None:
    text = "heat_template_version: 2021-04-16\nparameters:\n  a: {type: string%s}\n"
    stack = RunningStack(text % "", "web", parameters={"a": "b"})
    old = Document("old", stack=stack)
    old.baseline = running(stack)
    analysis = heat.analyze(Snapshot(text % ", constraints: [{allowed_values: [c]}]"), None)
    assert analysis.diagnostics == ()
    plan = heat.plan_update(old.old_snapshot(None), analysis)
    assert [one.line for one in plan.refusals] == [3]
