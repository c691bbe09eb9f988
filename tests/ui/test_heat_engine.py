"""The window with the real engine and the template that a first start opens."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from heatstudio.text import Severity, apply_edits
from heatstudio.ui.appearance import Appearance
from heatstudio.ui.heat_engine import HeatEngine
from heatstudio.ui.session import Session
from heatstudio.ui.settings import Settings
from heatstudio.ui.window import Window


@pytest.fixture(scope="module")
def heat() -> HeatEngine:
    return HeatEngine()


def test_sample_shows_what_the_program_is_for(heat: HeatEngine, sample: str) -> None:
    analysis = heat.analyze(sample, None)
    errors = [found.resource for found in analysis.diagnostics if found.severity is Severity.ERROR]
    warnings = {found.property for found in analysis.diagnostics if found.severity is Severity.WARNING}
    assert errors == ["volume"]
    assert {"network_id", "router_id", "subnet_id"} <= warnings


def test_all_safe_fixes_change_no_property_of_the_stack(heat: HeatEngine, sample: str) -> None:
    fix = heat.fix_all(heat.analyze(sample, None))
    assert fix
    mended = apply_edits(sample, fix.edits)
    assert "network_id:" not in mended
    plan = heat.plan_update(sample, heat.analyze(mended, None))
    assert {str(change.action) for change in plan.changes} <= {"unchanged", "updated"}
    updated = [change for change in plan.changes if str(change.action) == "updated"]
    assert all(any("without effect" in note for note in change.notes) for change in updated)


@pytest.mark.parametrize("type_name", ["OS::Neutron::RouterInterface", "OS::Nova::Server", "OS::Heat::RandomString"])
def test_inserted_resource_has_its_required_properties(heat: HeatEngine, sample: str, type_name: str) -> None:
    analysis = heat.analyze(sample, None)
    fix = heat.insert_resource(analysis, type_name, sample.index("  router:") + 4)
    assert fix
    after = heat.analyze(apply_edits(sample, fix.edits), None)
    new = [name for name in after.template.entries("resources") if name not in analysis.template.entries("resources")]
    assert len(new) == 1
    assert type_name in str(after.template.data)


def test_unknown_type_is_not_inserted(heat: HeatEngine, sample: str) -> None:
    assert heat.insert_resource(heat.analyze(sample, None), "OS::No::Such", 0) is None


@pytest.mark.parametrize(
    "text", ["", "a: [", "\t", "heat_template_version: 2021-04-16\nresources:\n", "[1, 2]", "\x00"]
)
def test_any_text_gets_an_answer(heat: HeatEngine, sample: str, text: str) -> None:
    analysis = heat.analyze(text, None)
    assert heat.plan_update(sample, analysis).changes is not None
    assert heat.plan_update(text, heat.analyze(sample, analysis)).changes is not None
    heat.insert_resource(analysis, "OS::Nova::Server", 0)
    heat.fix_all(analysis)


def test_window_previews_a_real_change(
    qapp: QApplication, qtbot: QtBot, settings: Settings, appearance: Appearance, heat: HeatEngine, file: Path
) -> None:
    session = Session(settings, lambda: heat)
    window = Window(session, appearance)
    qtbot.addWidget(window, before_close_func=lambda _window: [session.close(one) for one in session.documents])
    window.furnish()
    window.show()
    session.start()
    with qtbot.waitSignal(session.plan_changed):
        window.files.open([str(file)])
    document = session.current
    assert document
    with qtbot.waitSignal(session.plan_changed):
        document.change(document.text.replace("10.10.0.0/24", "10.20.0.0/24"))
    rows = {index.data() for index in window.preview.model.indexes()}
    assert "cidr: 10.10.0.0/24 → 10.20.0.0/24" in rows
    session.stop()
