"""The window explains why a resource cannot be inserted, and what to do."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from heatstudio.service.inputs.snapshot import LARGE
from heatstudio.ui.window.window import Window
from tests.ui.bench import bench

SERVER = "OS::Nova::Server"


def test_each_reason_against_an_insertion_has_its_message(qtbot: QtBot, real: Window) -> None:
    banner = real.area.banner
    bench(real).insert_controller.insert(SERVER)
    assert banner.sentence.startswith("Open a template first")
    document = real.session.new("heat_template_version: 2021-04-16\nresources:\n")
    bench(real).insert_controller.insert(SERVER)
    assert banner.sentence.startswith("The template is still being read")
    qtbot.waitUntil(lambda: document.current_analysis is not None)
    environment = real.session.new("parameter_defaults: {a: 1}\n", "env.yaml")
    qtbot.waitUntil(lambda: environment.current_analysis is not None)
    bench(real).insert_controller.insert(SERVER)
    assert banner.sentence == "env.yaml is an environment; resources belong in templates."
    assert environment.text == "parameter_defaults: {a: 1}\n"
    shared = real.session.new("heat_template_version: 2021-04-16\nresources: &all\n  a: {type: OS::Heat::None}\n")
    qtbot.waitUntil(lambda: shared.current_analysis is not None)
    bench(real).insert_controller.insert(SERVER)
    assert banner.sentence == f"Cannot insert {SERVER}. This value is shared through an anchor. Edit it by hand."
    broken = real.session.new("heat_template_version: 2021-04-16\nresources: [\n")
    qtbot.waitUntil(lambda: broken.current_analysis is not None)
    bench(real).insert_controller.insert(SERVER)
    assert banner.sentence == f"Cannot insert {SERVER}. The text has syntax errors; fix them first."
    real.session.new("heat_template_version: 2021-04-16\n" + f"{'#' * 99}\n" * (LARGE // 99))
    bench(real).insert_controller.insert(SERVER)
    assert "F5" in banner.sentence
    assert "F5" in bench(real).outline.empty._sentence.text()


def test_outline_filter_is_cleared_for_another_document(qtbot: QtBot, real: Window) -> None:
    first = real.session.new("heat_template_version: 2021-04-16\nresources:\n  one: {type: OS::Heat::None}\n")
    qtbot.waitUntil(lambda: first.current_analysis is not None)
    bench(real).outline.filter.setText("one")
    second = real.session.new("heat_template_version: 2021-04-16\nresources:\n  two: {type: OS::Heat::None}\n")
    qtbot.waitUntil(lambda: second.current_analysis is not None)
    assert not bench(real).outline.filter.text()
    assert "two" in {index.data() for index in bench(real).outline.model.indexes()}
